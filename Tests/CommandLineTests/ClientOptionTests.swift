import Foundation
import ImageCodecs
import TestServers
import XCTest

/// `--user-agent`, `--proxy`, `--ca-file`, and the proxies of the environment.
final class ClientOptionTests: DevelopTestCase {
    private let photo = "http://photos.example.org/a.jpg"
    private let list = "http://photos.example.org/list.txt"

    /// Serves a catalog and a photo as they are asked for from a proxy.
    private func serveAsProxy(_ proxy: FaultServer) throws {
        proxy.serve(try Self.image(.jpeg), at: photo)
        proxy.serve(Data(photo.utf8), at: list)
    }

    /// Develops a catalog in an environment, and gives the exit status; nothing that was said repeats a password.
    private func status(_ catalog: String, _ options: [String] = [], environment: String = ":") throws -> Int32 {
        // In a folder where an earlier run was nothing would be fetched again.
        try? FileManager.default.removeItem(at: output)
        let clean = "unset http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY; "
        let run = try ProgramRun(
            ["develop", catalog, "-o", output.path, "--retries", "0", "--host-patience", "1"] + options,
            limits: clean + environment)
        defer { XCTAssertFalse((run.output + run.error).contains("5ecre7"), run.error) }
        return run.wait()
    }

    func testTheUserAgentOfPhotosAndCatalogs() throws {
        server.serve(Data(server.url("/a.jpg").absoluteString.utf8), at: "/list.txt")
        for options in [["--user-agent", "Reader/2.0 (+https://example.org)"], ["--user-agent="], []] {
            XCTAssertEqual(try status(server.url("/list.txt").absoluteString, options), 0)
        }
        for path in ["/list.txt", "/a.jpg"] {
            XCTAssertEqual(
                server.requestHeaders("User-Agent", at: path),
                ["Reader/2.0 (+https://example.org)", nil, "ClassicPhotos"], path)
        }
        XCTAssertEqual(try status("a.csv", ["--user-agent", "a\r\nX-Key: b"]), 2)
    }

    func testAProxyIsForCatalogsAndPhotos() throws {
        try serveAsProxy(server)
        let proxy = "http://anna:5ecre7@127.0.0.1:\(server.port)"
        XCTAssertEqual(try status(list, ["--proxy", proxy]), 0)
        XCTAssertEqual(server.requestCount(list), 1)
        XCTAssertEqual(server.requestCount(photo), 1)
        // Whatever the environment says.
        XCTAssertEqual(
            try status(list, ["--proxy", proxy], environment: "export no_proxy='*' http_proxy=http://127.0.0.1:1"), 0)
        XCTAssertEqual(server.requestCount(photo), 2)
        // Somebody else's list does not lead through it to private places.
        server.serve(Data("http://127.0.0.1/a.jpg\nhttp://nas.lan/a.jpg".utf8), at: list)
        XCTAssertEqual(try status(list, ["--proxy", proxy]), 1)
        XCTAssertEqual(server.requestCount(), 5)
        for wrong in ["ftp://anna:5ecre7@proxy", "http://anna:5ecre7@proxy/path", "http://anna:5ecre7@[::1", ""] {
            XCTAssertEqual(try status(list, ["--proxy", wrong]), 2, wrong)
        }
    }

    func testTheProxiesOfTheEnvironment() throws {
        let proxy = try FaultServer()
        defer { proxy.stop() }
        try serveAsProxy(proxy)
        let (local, near) = (try catalog([("a", photo)]), server.url("/a.jpg").absoluteString)
        let address = "http://anna:5ecre7@127.0.0.1:\(proxy.port)"
        for (number, variable) in ["http_proxy", "all_proxy", "ALL_PROXY"].enumerated() {
            XCTAssertEqual(try status(local, environment: "export \(variable)=\(address)"), 0, variable)
            XCTAssertEqual(proxy.requestCount(photo), number + 1)
        }
        // Programs behind a web server get this one from whoever asks.
        XCTAssertEqual(try status(local, environment: "export HTTP_PROXY=\(address)"), 1)
        XCTAssertEqual(try status(local, ["--proxy", "off"], environment: "export http_proxy=\(address)"), 1)
        XCTAssertEqual(proxy.requestCount(photo), 3)
        let named = try catalog([("a", near)], as: "near.json")
        XCTAssertEqual(
            try status(named, environment: "export http_proxy=\(address) no_proxy=localhost,127.0.0.1"), 0)
        XCTAssertEqual(server.requestCount("/a.jpg"), 1)
        // One that cannot be used is no reason to repeat its password.
        XCTAssertEqual(try status(local, environment: "export http_proxy=ftp://anna:5ecre7@127.0.0.1"), 1)
    }

    /// A list that came through a proxy was not sent by the proxy: its server's name may not lead to where the proxy is.
    func testAProxyIsNotTheServerOfACatalog() throws {
        let proxy = try FaultServer()
        defer { proxy.stop() }
        // As if the name of a server of the internet led here, now that the catalog has come.
        let own = "http://localhost:\(server.port)/a.jpg"
        let remote = "http://localhost:1/list.txt"
        proxy.serve(Data(own.utf8), at: remote)
        let address = "http://127.0.0.1:\(proxy.port)"
        for environment in ["export http_proxy=\(address)", "export http_proxy=\(address) no_proxy=.example.org"] {
            XCTAssertEqual(try status(remote, environment: environment), 1)
        }
        XCTAssertEqual(proxy.requestCount(remote), 2)
        XCTAssertEqual(server.requestCount("/a.jpg"), 0)
        // One that came past the proxy was.
        let list = "http://localhost:\(server.port)/list.txt"
        server.serve(Data(own.utf8), at: "/list.txt")
        XCTAssertEqual(try status(list, environment: "export http_proxy=\(address) no_proxy=localhost"), 0)
        XCTAssertEqual(server.requestCount("/a.jpg"), 1)
    }

    /// In a network that nothing but the proxy leads out of, nobody would know why each photo fails.
    func testPhotosThatGoPastTheProxyOfTheEnvironmentAreToldOf() throws {
        server.serve(Data(server.url("/a.jpg").absoluteString.utf8), at: "/list.txt")
        let remote = server.url("/list.txt").absoluteString
        let (local, proxy) = (try catalog([("a", remote)]), "http://127.0.0.1:\(server.port)")
        let environment = "export http_proxy='http://anna:5ecre7@127.0.0.1:1' no_proxy=127.0.0.1"
        let cases: [(catalog: String, options: [String], environment: String, isTold: Bool)] = [
            (remote, [], environment, true), (remote, [], ":", false), (local, [], environment, false),
            (remote, ["--proxy", "off"], environment, false), (remote, ["--proxy", proxy], environment, false),
            (remote, ["--allow-private"], environment, false), (remote, ["--dry-run"], environment, false),
            (remote, [], environment + ",; export no_proxy='*'", false),
        ]
        for (catalog, options, environment, isTold) in cases {
            try? FileManager.default.removeItem(at: output)
            let words = ["develop", catalog, "-o", output.path, "--retries", "0", "--host-patience", "1"]
            let run = try ProgramRun(words + options, limits: environment)
            run.wait()
            let sentence = "do not go through the proxy of the environment; --proxy names one for them"
            XCTAssertEqual(run.error.contains(sentence), isTold, "\(options) \(environment): \(run.error)")
            XCTAssertFalse(run.error.contains("5ecre7"), run.error)
        }
    }

    func testAuthorities() throws {
        try XCTSkipIf(NginxServer.executable == nil, "nginx is not installed")
        let root = folder.appending(path: "root")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try Self.image(.jpeg).write(to: root.appending(path: "a.jpg"))
        let nginx = try NginxServer(root: root, transport: .https)
        defer { nginx.stop() }
        try Data(nginx.url("/a.jpg").absoluteString.utf8).write(to: root.appending(path: "list.txt"))
        let authorities = try XCTUnwrap(nginx.certificate?.path)
        XCTAssertEqual(try status(nginx.url("/list.txt").absoluteString, ["--ca-file", authorities]), 0)
        XCTAssertEqual(try status(nginx.url("/list.txt").absoluteString), 3)
        let local = try catalog([("a", nginx.url("/a.jpg").absoluteString)])
        XCTAssertEqual(try status(local, ["--ca-file", authorities]), 0)
        XCTAssertEqual(try status(local), 1)
        for wrong in [folder.path, "/no/such/file", local, ""] {
            XCTAssertEqual(try status(local, ["--ca-file", wrong]), 2, wrong)
        }
    }
}
