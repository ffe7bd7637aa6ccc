import Foundation

extension NginxServer {
    /// The text of nginx.conf.
    static func configuration(
        root: URL, folder: URL, port: Int, _ transport: Transport, _ settings: String
    ) -> String {
        let listen =
            switch transport {
            case .http: "listen 127.0.0.1:\(port) backlog=1024;"
            case .https:
                """
                listen 127.0.0.1:\(port) ssl http2 backlog=1024;
                    ssl_certificate "\(folder.path)/certificate.pem";
                    ssl_certificate_key "\(folder.path)/key.pem";
                """
            }
        // One process, so that there is one to end; as whoever runs the tests, so that it can read what they made.
        return """
            daemon off;
            master_process off;
            pid "\(folder.path)/nginx.pid";
            error_log "\(folder.path)/error.log" warn;
            events { worker_connections 4096; }
            http {
                access_log off;
                server_tokens off;
                sendfile on;
                tcp_nopush on;
                keepalive_requests 1000000;
                client_body_temp_path "\(folder.path)/body";
                proxy_temp_path "\(folder.path)/proxy";
                fastcgi_temp_path "\(folder.path)/fastcgi";
                uwsgi_temp_path "\(folder.path)/uwsgi";
                scgi_temp_path "\(folder.path)/scgi";
                open_file_cache max=1000;
                types {
                    image/jpeg jpg jpeg;
                    image/png png;
                    image/webp webp;
                    image/gif gif;
                    image/svg+xml svg;
                    application/json json;
                    text/plain txt;
                    text/csv csv;
                    application/xml plist xml;
                }
                default_type application/octet-stream;
                server {
                    \(listen)
                    root "\(root.path)";
                    location = /status/404 { return 404; }
                    location = /status/403 { return 403; }
                    location = /status/500 { return 500; }
                    location = /status/503 { add_header Retry-After 7 always; return 503; }
                    location ~ ^/redirect/(?<target>.*)$ { return 302 /$target; }
                    location /gzip/ {
                        alias "\(root.path)/";
                        gzip on;
                        gzip_types *;
                        gzip_min_length 1;
                    }
                    \(settings)
                }
            }

            """
    }

    /// Makes a self-signed certificate for 127.0.0.1 and returns its file.
    static func makeCertificate(in folder: URL) throws -> URL {
        guard let openssl = findExecutable("openssl") else { throw ServerError("openssl is not installed") }
        let certificate = folder.appending(path: "certificate.pem")
        let process = Process()
        process.executableURL = URL(filePath: openssl)
        process.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
            "-keyout", folder.appending(path: "key.pem").path, "-out", certificate.path,
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw ServerError("openssl cannot make a certificate") }
        return certificate
    }
}
