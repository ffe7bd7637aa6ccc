import Foundation
import Operations
import OperationsCore
import TestServers
import Testing
import XCTest

@testable import Transfers

@Suite struct TransferProxyTests {
    @Test(arguments: [
        ("proxy", "http://proxy"), ("proxy:3128", "http://proxy:3128"), ("HTTP://u:p@proxy:1/", "http://u:p@proxy:1"),
        ("https://u%40:p%3A@proxy", "https://u%40:p%3A@proxy"),
        ("socks5h://127.0.0.1:9050", "socks5h://127.0.0.1:9050"),
        ("http://[::1]:3128", "http://[::1]:3128"), ("u@proxy", "http://u@proxy"),
    ])
    func addresses(text: String, expected: String) throws {
        let proxy = try TransferProxy(text)
        #expect(proxy.text == expected)
        #expect(try TransferProxy(expected) == proxy)
    }

    @Test(arguments: [
        "socks4://proxy", "socks5://proxy", "socks4a://proxy", "ftp://proxy", "file:///proxy", "5ecre7://proxy",
    ])
    func schemes(text: String) {
        #expect(throws: TransferProxy.ParsingError.scheme) { try TransferProxy(text) }
    }

    @Test(arguments: [
        "", "http://", "http://proxy/path", "http://proxy?query", "http://proxy#f", "http://proxy:99999", "a b",
        "http://proxy\r\nX: y", "http://proxy:port", "socks5h://localhost/run/socket",
    ])
    func noAddresses(text: String) {
        #expect(throws: TransferProxy.ParsingError.address) { try TransferProxy(text) }
    }

    @Test func passwordsAreNotShown() throws {
        let proxy = try TransferProxy("http://anna:5ecre7@proxy:3128")
        var configuration = TransferClient.Configuration()
        configuration.proxy = proxy
        configuration.proxyEnvironment = ProxyEnvironment { ["https_proxy": "http://bert:5ecre7@proxy"][$0] }
        var dumped = ""
        dump(configuration, to: &dumped)
        let texts = [
            "\(proxy)", String(reflecting: proxy), "\(configuration)", String(reflecting: configuration), dumped,
        ]
        #expect(!texts.contains { $0.contains("5ecre7") })
        #expect(texts[0] == "http://proxy:3128")
    }
}

/// The proxy of the configuration.
final class ProxyTests: DownloadTestCase {
    private func useProxy(_ text: String, _ change: (inout TransferClient.Configuration) -> Void = { _ in }) throws {
        var configuration = TransferClient.Configuration()
        configuration.proxy = try TransferProxy(text)
        // What the environment says does not count.
        configuration.proxyEnvironment = ProxyEnvironment { ["no_proxy": "*", "http_proxy": "http://127.0.0.1:1"][$0] }
        change(&configuration)
        client = TransferClient(configuration)
    }

    private func run(
        _ url: URL, _ addressGuard: AddressGuard = .open, headers: RequestHeaders = RequestHeaders()
    ) -> DownloadOperation {
        let request = DownloadRequest(url: url, limits: .test, addressGuard: addressGuard, headers: headers)
        let operation = DownloadOperation(request, client: client)
        run([operation])
        return operation
    }

    func testAllGoesThroughIt() throws {
        try useProxy("http://anna:5ecre7@127.0.0.1:\(server.port)")
        server.serve(Data("picture".utf8), at: "http://photos.example.org/a")
        let headers = try RequestHeaders(["X-Key": "1"])
        for addressGuard in [AddressGuard.open, .named, .closed] {
            let operation = run(try url("http://photos.example.org/a"), addressGuard, headers: headers)
            XCTAssertEqual(try operation.result?.get().body, Data("picture".utf8), "\(addressGuard)")
        }
        let basic = "Basic " + Data("anna:5ecre7".utf8).base64EncodedString()
        let path = "http://photos.example.org/a"
        XCTAssertEqual(server.requestHeaders("Proxy-Authorization", at: path), [basic, basic, basic])
        XCTAssertEqual(server.requestHeaders("X-Key", at: path), ["1", "1", "1"])
    }

    /// The proxy looks names up; what stands in an address or a redirect is refused all the same.
    func testTheGuardHoldsForWhatAnAddressSays() throws {
        try useProxy("http://127.0.0.1:\(server.port)")
        let own = AddressGuard(sender: try url("http://photos.example.org/list"), address: IPAddress("127.0.0.1"))
        let hosts = ["127.0.0.1", "0x7f.1", "[::1]", "192.168.1.1", "localhost", "nas", "nas.lan", "169.254.169.254"]
        for (number, host) in hosts.enumerated() {
            for addressGuard in [AddressGuard.closed, own] {
                XCTAssertEqual(
                    run(try url("http://\(host)/a"), addressGuard).result?.error?.kind, "forbidden-address", host)
            }
            let start = "http://photos.example.org/\(number)"
            server.serve(Data(), at: start, headers: ["Status": "302", "Location": "http://\(host)/secret"])
            for addressGuard in [AddressGuard.closed, .named, own] {
                XCTAssertEqual(run(try url(start), addressGuard).result?.error?.kind, "forbidden-address", host)
            }
        }
        XCTAssertEqual(server.requestCount(), 3 * hosts.count)
        // The person at this machine may name what the proxy reaches.
        server.serve(Data("picture".utf8), at: "http://nas.lan/a")
        for addressGuard in [AddressGuard.open, .named] {
            XCTAssertNil(run(try url("http://nas.lan/a"), addressGuard).error)
        }
        XCTAssertEqual(run(try url("http://169.254.169.254/a"), .open).result?.error?.kind, "forbidden-address")
    }

    func testTunnels() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "proxy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("picture".utf8).write(to: folder.appending(path: "a.txt"))
        try XCTSkipIf(NginxServer.executable == nil, "nginx is not installed")
        let nginx = try NginxServer(root: folder, transport: .https)
        defer { nginx.stop() }
        let tunnel = try TunnelProxy()
        defer { tunnel.stop() }
        let headers = try RequestHeaders(["Authorization": "Bearer 5ecre7", "X-Key": "5ecre7"])
        // The certificate is for 127.0.0.1.
        try useProxy("http://anna:pa55@127.0.0.1:\(tunnel.port)") {
            $0.certificateAuthorities = nginx.certificate?.path
        }
        XCTAssertEqual(try run(nginx.url("/a.txt"), headers: headers).result?.get().body, Data("picture".utf8))
        XCTAssertEqual(tunnel.requests.count, 1)
        XCTAssert(tunnel.requests[0].hasPrefix("CONNECT 127.0.0.1:"))
        XCTAssert(tunnel.requests[0].contains("Proxy-Authorization: Basic"))
        // What is for the server is not for the proxy.
        XCTAssertFalse(tunnel.requests[0].contains("5ecre7"))
        // SOCKS: the proxy gets the name.
        server.serve(Data("picture".utf8), at: "/a")
        try useProxy("socks5h://127.0.0.1:\(tunnel.port)")
        let named = try url("http://does-not-exist.invalid:\(server.port)/a")
        for addressGuard in [AddressGuard.open, .named, .closed] {
            XCTAssertEqual(try run(named, addressGuard, headers: headers).result?.get().body, Data("picture".utf8))
        }
        XCTAssertEqual(Set(tunnel.requests.dropFirst()), ["socks does-not-exist.invalid:\(server.port)"])
        XCTAssertEqual(server.requestHeaders("X-Key", at: "/a"), ["5ecre7", "5ecre7", "5ecre7"])
        // TLS to the proxy, which the same authorities vouch for.
        try useProxy("https://127.0.0.1:\(nginx.url("/").port ?? 0)") {
            $0.certificateAuthorities = nginx.certificate?.path
        }
        XCTAssertEqual(try run(try url("http://photos.example.org/a.txt")).result?.get().body, Data("picture".utf8))
        try useProxy("https://127.0.0.1:\(nginx.url("/").port ?? 0)")
        XCTAssertEqual(run(try url("http://photos.example.org/a.txt")).result?.error?.kind, "unreachable")
    }

    /// What libcurl says of a proxy that it cannot use is the whole of what the environment says.
    func testFailuresDoNotNamePasswords() throws {
        for text in ["http://anna:5ecre7@127.0.0.1:1", "socks5h://anna:5ecre7@127.0.0.1:1"] {
            try useProxy(text)
            let error = try XCTUnwrap(run(try url("http://photos.example.org/")).error)
            XCTAssertFalse("\(error)".contains("5ecre7"), "\(error)")
        }
        for text in ["ftp://anna:5ecre7@127.0.0.1:1", "http://anna:5ecre7@[::1", "://anna:5ecre7@"] {
            var configuration = TransferClient.Configuration()
            configuration.proxyEnvironment = ProxyEnvironment { ["http_proxy": text][$0] }
            client = TransferClient(configuration)
            let error = try XCTUnwrap(run(try url("http://photos.example.org/")).error)
            XCTAssertFalse("\(error)".contains("5ecre7"), "\(error)")
        }
    }

    /// An answer that came through a proxy stays usable: the proxy's own address says nothing about the server's.
    func testAnswersAreCached() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cache-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let cache = DiskCache(folder: folder.path)
        server.serve(
            Data("picture".utf8), at: "http://photos.example.org/a", headers: ["Cache-Control": "max-age=600"])
        let address = "http://127.0.0.1:\(server.port)"
        func sources(_ addressGuard: AddressGuard, _ url: URL) throws -> [DownloadResponse.Source?] {
            try (0..<2).map { _ in
                let request = DownloadRequest(url: url, limits: .test, addressGuard: addressGuard)
                let operation = CachedDownloadOperation(request, client: client, cache: cache)
                run([operation])
                flush(cache)
                return try operation.result?.get().source
            }
        }
        try useProxy(address)
        for addressGuard in [AddressGuard.open, .named, .closed] {
            XCTAssertEqual(
                try sources(addressGuard, url("http://photos.example.org/a")), [.network, .cache], "\(addressGuard)")
        }
        // Through one of the environment, too.
        server.serve(
            Data("picture".utf8), at: "http://photos.example.org/b", headers: ["Cache-Control": "max-age=600"])
        var configuration = TransferClient.Configuration()
        configuration.proxyEnvironment = ProxyEnvironment { ["http_proxy": address, "no_proxy": ".lan"][$0] }
        client = TransferClient(configuration)
        for addressGuard in [AddressGuard.open, .named] {
            XCTAssertEqual(
                try sources(addressGuard, url("http://photos.example.org/b")), [.network, .cache], "\(addressGuard)")
        }
    }
}
