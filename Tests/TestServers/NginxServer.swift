public import Foundation
import Glibc

/// A real nginx on a loopback port that serves a folder.
///
/// Besides the folder it answers `/status/404` and the like with that status, `/redirect/PATH` with a redirect to
/// `/PATH`, and compresses text under `/gzip/PATH`. It ends with ``stop()``, and also when this process ends in whatever
/// way: its guard, a shell, reads a pipe that only this process holds open, and ends nginx when that closes.
public final class NginxServer: @unchecked Sendable {
    // Immutable but for the process and the pipe, which only init, stop and deinit touch, one after the other.

    /// How it is spoken to.
    public enum Transport: Sendable {
        /// Plain HTTP/1.1.
        case http
        /// TLS with a certificate nobody knows, see ``certificate``; HTTP/2 for who asks for it.
        case https
    }

    /// The port on 127.0.0.1.
    public let port: Int
    /// The PEM file with the self-signed certificate, to trust it on purpose; nil for plain HTTP.
    public let certificate: URL?
    private let transport: Transport
    private let folder: URL
    private let guardian: Process
    private var lifeline: FileHandle?

    /// The nginx on this machine, nil if there is none.
    public static let executable = findExecutable("nginx")

    /// Starts nginx and waits until it answers.
    /// - Parameters:
    ///   - root: the folder to serve.
    ///   - transport: plain or TLS; TLS needs the `openssl` program.
    ///   - settings: more lines for the `server` block.
    public init(root: URL, transport: Transport = .http, settings: String = "") throws {
        guard let executable = Self.executable else { throw ServerError("nginx is not installed") }
        self.transport = transport
        var complaint = "it left no log"
        // Another program may take the free port before nginx does; then another port is tried.
        for _ in 1...5 {
            let folder = FileManager.default.temporaryDirectory.appending(path: "nginx-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let certificate = transport == .https ? try Self.makeCertificate(in: folder) : nil
            let port = try LoopbackSocket.freePort()
            let text = Self.configuration(root: root, folder: folder, port: port, transport, settings)
            try text.write(to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
            let (guardian, lifeline) = try Self.launch(executable, folder: folder)
            if Self.waitUntilListening(folder: folder) {
                self.folder = folder
                self.certificate = certificate
                self.port = port
                self.guardian = guardian
                self.lifeline = lifeline
                return
            }
            let log = try? String(contentsOf: folder.appending(path: "error.log"), encoding: .utf8)
            complaint = log ?? complaint
            // Its guard also removes the folder.
            try? lifeline.close()
            guardian.waitUntilExit()
        }
        throw ServerError("nginx does not start: \(complaint)")
    }

    deinit { stop() }

    /// The address of a path.
    public func url(_ path: String) -> URL {
        let scheme = transport == .https ? "https" : "http"
        return URL(string: "\(scheme)://127.0.0.1:\(port)\(path)") ?? URL(filePath: "/")
    }

    /// The process id of nginx.
    public var processIdentifier: Int32? { Self.processIdentifier(in: folder) }

    private static func processIdentifier(in folder: URL) -> Int32? {
        let text = try? String(contentsOf: folder.appending(path: "nginx.pid"), encoding: .utf8)
        return text.flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    /// Ends nginx and waits until it is gone.
    public func stop() {
        guard let lifeline else { return }
        self.lifeline = nil
        try? lifeline.close()
        guardian.waitUntilExit()
    }

    // MARK: Starting

    /// Finds a program in PATH and where Debian keeps servers.
    static func findExecutable(_ name: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"]
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static func launch(_ executable: String, folder: URL) throws -> (Process, FileHandle) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ServerError.system("pipe") }
        // Closed on exec, so that no other child of this process keeps the guard's pipe open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let input = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        let lifeline = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        let guardian = Process()
        guardian.executableURL = URL(filePath: "/bin/sh")
        // The shell ignores the signals of a terminal, so that it lives to end nginx. `read` returns at the end of
        // the pipe; nothing is ever written to it. nginx is one process that leaves nothing behind, and it sleeps over a
        // SIGTERM that comes before its first wait for events.
        let script = """
            trap '' INT HUP QUIT TERM PIPE
            "$0" -p "$1/" -c "$1/nginx.conf" -e "$1/error.log" </dev/null >/dev/null 2>&1 &
            server=$!
            read -r nothing
            kill -KILL $server 2>/dev/null
            wait $server
            rm -rf "$1"
            """
        guardian.arguments = ["-c", script, executable, folder.path]
        guardian.standardInput = input
        guardian.standardOutput = FileHandle.nullDevice
        guardian.standardError = FileHandle.nullDevice
        try guardian.run()
        try? input.close()
        return (guardian, lifeline)
    }

    /// Whether nginx came up. It writes its process id once its sockets listen, and into a folder that only this
    /// server knows, so another server on the port is not mistaken for it. The file is there a moment before the number.
    private static func waitUntilListening(folder: URL) -> Bool {
        let end = Date(timeIntervalSinceNow: 20)
        while Date() < end {
            if processIdentifier(in: folder) != nil { return true }
            let log = try? String(contentsOf: folder.appending(path: "error.log"), encoding: .utf8)
            if log?.contains("[emerg]") == true { return false }
            usleep(5_000)
        }
        return false
    }
}
