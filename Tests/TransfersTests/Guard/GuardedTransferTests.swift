import Foundation
import Operations
import OperationsCore
import TestServers
import Transfers
import XCTest

/// The address guard where connections are opened.
final class GuardedTransferTests: DownloadTestCase {
    private func kind(_ url: URL, _ addressGuard: AddressGuard) -> String? {
        let operation = DownloadOperation(
            DownloadRequest(url: url, limits: .test, addressGuard: addressGuard), client: client)
        run([operation])
        return operation.result?.error?.kind
    }

    /// What a catalog from the server itself may name.
    private func own(as host: String = "127.0.0.1", from address: String = "127.0.0.1") throws -> AddressGuard {
        AddressGuard(sender: try url("http://\(host):\(server.port)/catalog"), address: IPAddress(address))
    }

    func testLoopbackIsRefusedInAnyEncodingAndTheServerIsNotAsked() throws {
        let hosts = [
            "127.0.0.1", "127.0.0.2", "127.1", "2130706433", "0x7f000001", "0x7F.1", "0177.0.0.1", "017700000001", "0",
            "0.0.0.0", "localhost", "LocalHost", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
            "[::ffff:0:127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::1]", "[fe80::1]", "10.0.0.1",
            "169.254.169.254", "①②⑦.0.0.2", "１２７.1", "%31%32%37.0.0.1", "127.0.0.1.", "ＬＯＣＡＬＨＯＳＴ", "u:p@q@127.0.0.1",
            "example.org@127.1", "example.org:80@[::1]",
        ]
        for host in hosts {
            let request = DownloadRequest(
                address: .web(try WebAddress("http://\(host):\(server.port)/ok")), limits: .test, addressGuard: .closed)
            let operation = DownloadOperation(request, client: client)
            run([operation])
            XCTAssertEqual(operation.result?.error?.kind, "forbidden-address", host)
        }
        XCTAssertEqual(server.connectionCount, 0)
    }

    func testWhatWasOpenedIsReachedExceptLinkLocal() throws {
        for host in ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "localhost"] {
            XCTAssertNil(kind(try url("http://\(host):\(server.port)/ok"), .open), host)
        }
        for host in ["169.254.169.254", "[fe80::1]", "[::ffff:169.254.169.254]", "0xa9fea9fe", "2852039166"] {
            XCTAssertEqual(kind(try url("http://\(host):\(server.port)/ok"), .open), "forbidden-address", host)
        }
    }

    /// A client for which a name leads to the test server.
    private func resolve(_ names: String...) {
        var configuration = TransferClient.Configuration()
        configuration.resolvedNames = names.map { "\($0):\(server.port):127.0.0.1" }
        useClient(configuration)
    }

    func testAListReachesWhatItNamesItself() throws {
        resolve("nas.lan", "nas")
        for host in ["127.0.0.1", "127.1", "2130706433", "localhost", "LocalHost", "nas.lan", "nas"] {
            XCTAssertNil(kind(try url("http://\(host):\(server.port)/ok"), .named), host)
        }
        XCTAssertEqual(kind(try url("http://169.254.169.254/"), .named), "forbidden-address")
    }

    func testAPublicNameThatLeadsHereIsRefused() throws {
        resolve("photos.example.org")
        let address = try url("http://photos.example.org:\(server.port)/ok")
        XCTAssertEqual(kind(address, .named), "forbidden-address")
        XCTAssertEqual(server.connectionCount, 0)
        XCTAssertNil(kind(address, .open))
        // Nor over the connection that somebody else has opened.
        XCTAssertEqual(kind(address, .named), "forbidden-address")
        XCTAssertEqual(server.requestCount(), 1)
    }

    func testARedirectLeavesWhatWasNamedOnlyForTheSameMachine() throws {
        resolve("photos.example.org", "nas")
        let port = server.port
        for target in ["http://127.0.0.2:\(port)/ok", "http://10.0.0.1/", "http://0:\(port)/"] {
            XCTAssertEqual(kind(server.url("/redirect-to?\(target)"), .named), "forbidden-address", target)
        }
        for target in ["http://127.0.0.1:\(port)/ok", "http://nas:\(port)/ok", "http://localhost:\(port)/ok"] {
            XCTAssertNil(kind(server.url("/redirect-to?\(target)"), .named), target)
        }
    }

    /// A client for which the test server is the proxy, and the server to which excepted hosts lead, too.
    private func useProxy(exceptions: String = "", resolving names: String...) {
        let variables = ["http_proxy": "http://127.0.0.1:\(server.port)", "no_proxy": exceptions]
        var configuration = TransferClient.Configuration()
        configuration.proxyEnvironment = ProxyEnvironment { variables[$0] }
        configuration.resolvedNames = names.map { "\($0):\(server.port):127.0.0.1" }
        client = TransferClient(configuration)
    }

    /// What the proxy is not for lies in private networks; only what an address names itself is asked there.
    func testARedirectDoesNotLeadPastTheProxy() throws {
        useProxy(exceptions: ".corp.example.org", resolving: "wiki.corp.example.org")
        let wiki = "http://wiki.corp.example.org:\(server.port)"
        // A request that the proxy gets has the whole address in it, and one that is sent past it only the path.
        server.serve(Data("by the proxy".utf8), at: "\(wiki)/secret")
        server.serve(Data("past the proxy".utf8), at: "/secret")
        func bodies(_ addressGuard: AddressGuard) throws -> [String] {
            try ["/start", "/start/2", "/start/3"].map { path in
                let address = "http://photos.example.org\(path)"
                let next = path == "/start" ? "\(wiki)/secret" : "http://photos.example.org\(path.dropLast(2))"
                server.serve(Data(), at: address, headers: ["Status": "302", "Location": next])
                let request = DownloadRequest(url: try url(address), limits: .test, addressGuard: addressGuard)
                let operation = DownloadOperation(request, client: client)
                run([operation])
                return String(decoding: try XCTUnwrap(operation.result).get().body, as: UTF8.self)
            }
        }
        XCTAssertEqual(try bodies(.named), ["by the proxy", "by the proxy", "by the proxy"])
        XCTAssertEqual(server.requestCount("/secret"), 0)
        // Who may go anywhere goes as the environment says.
        XCTAssertEqual(try bodies(.open), ["past the proxy", "past the proxy", "past the proxy"])
        // So does what is named; and the same connection is no way for a redirect.
        XCTAssertNil(kind(try url("\(wiki)/secret"), .named))
        XCTAssertEqual(server.requestCount("/secret"), 4)
        XCTAssertEqual(try bodies(.named), ["by the proxy", "by the proxy", "by the proxy"])
        XCTAssertEqual(server.requestCount("/secret"), 4)
    }

    /// Behind a proxy, which looks the names up: what a redirect says is enough.
    func testAPublicAddressThatRedirectsHereIsRefused() throws {
        useProxy()
        let hosts = ["127.0.0.1", "localhost", "192.168.1.1", "[::1]", "nas.lan", "0x7f.1", "169.254.169.254"]
        for (number, host) in hosts.enumerated() {
            let address = "http://photos.example.org/\(number)"
            server.serve(Data(), at: address, headers: ["Status": "302", "Location": "http://\(host)/secret"])
            XCTAssertEqual(kind(try url(address), .named), "forbidden-address", host)
        }
        XCTAssertEqual(server.requestCount(), hosts.count)
        // Nor does it come back to whom the address named.
        server.serve(
            Data(), at: "http://nas.lan/1", headers: ["Status": "302", "Location": "http://photos.example.org/back"])
        server.serve(
            Data(), at: "http://photos.example.org/back", headers: ["Status": "302", "Location": "http://nas.lan/2"])
        XCTAssertEqual(kind(try url("http://nas.lan/1"), .named), "forbidden-address")
        server.serve(Data(), at: "http://nas.lan/3", headers: ["Status": "302", "Location": "http://nas.lan/4"])
        server.serve(Data("picture".utf8), at: "http://nas.lan/4")
        XCTAssertNil(kind(try url("http://nas.lan/3"), .named))
        // The proxy itself may be anywhere.
        let other = "http://photos.example.org/there"
        server.serve(Data(), at: other, headers: ["Status": "302", "Location": "http://example.net/picture"])
        server.serve(Data("picture".utf8), at: "http://example.net/picture")
        XCTAssertNil(kind(try url(other), .named))
    }

    func testAServersOwnAddressesAreReached() throws {
        XCTAssertNil(kind(server.url("/ok"), try own()))
        // As libcurl reads it this is the same name.
        XCTAssertNil(kind(try url("http://2130706433:\(server.port)/ok"), try own()))
        XCTAssertEqual(kind(try url("http://localhost:\(server.port)/ok"), try own()), "forbidden-address")
        XCTAssertNil(kind(try url("http://localhost:\(server.port)/ok"), try own(as: "localhost")))
    }

    func testANameThatLeadsElsewhereLaterIsRefused() throws {
        // The catalog came from a public address of that name; now the name leads here.
        let guarded = try own(as: "localhost", from: "203.0.114.1")
        XCTAssertEqual(kind(try url("http://localhost:\(server.port)/ok"), guarded), "forbidden-address")
        XCTAssertEqual(server.connectionCount, 0)
    }

    func testRedirectsAreGuarded() throws {
        let here = "127.0.0.1:\(server.port)"
        for target in ["http://localhost:\(server.port)/ok", "http://0:\(server.port)/ok", "http://10.0.0.1/"] {
            XCTAssertEqual(kind(server.url("/redirect-to?\(target)"), try own()), "forbidden-address", target)
        }
        XCTAssertNil(kind(server.url("/redirect-to?http://\(here)/ok"), try own()))
        for target in ["http://169.254.169.254/latest/meta-data/", "http://0xa9fea9fe/"] {
            XCTAssertEqual(kind(server.url("/redirect-to?\(target)"), .open), "forbidden-address", target)
        }
    }

    /// However a redirect spells an address: the guard reads what is connected to.
    func testRedirectsInAnySpellingAreGuarded() throws {
        let port = server.port
        let spellings = [
            "//127.0.0.2:\(port)/ok", "\\\\127.0.0.2:\(port)/ok", "/\\127.0.0.2:\(port)/ok", "///127.0.0.2:\(port)/ok",
            "http:\\\\127.0.0.2:\(port)/ok", "HTTP:////127.0.0.2:\(port)/ok", "https:127.0.0.2",
            "//①②⑦.0.0.2:\(port)/ok",
            "//１２７.2:\(port)/ok", "//%31%32%37%2e2:\(port)/ok", "//127.0.0.2.:\(port)/ok", "//2130706434:\(port)/ok",
            "//0x7f.2:\(port)/ok", "//127.0.0.1@127.0.0.2:\(port)/ok", "//127.0.0.1:\(port)@127.0.0.2:\(port)/ok",
            "//localhost:\(port)/ok", "//ＬＯＣＡＬＨＯＳＴ:\(port)/ok",
            "//loc\u{AD}alhost:\(port)/ok", "//[::ffff:7f00:2]:\(port)/ok", "//[0:0::0:1]:\(port)/ok",
        ]
        for (number, spelling) in spellings.enumerated() {
            let path = "/there/\(number)"
            server.serve(Data(), at: path, headers: ["Status": "302", "Location": spelling])
            XCTAssertEqual(kind(server.url(path), try own()), "forbidden-address", spelling)
        }
        // What stands behind a backslash is a path, of the host that may be asked.
        let own = "//127.0.0.1:\(port)\\@127.0.0.2:\(port)/ok"
        server.serve(Data(), at: "/there", headers: ["Status": "302", "Location": own])
        XCTAssertNotEqual(kind(server.url("/there"), try self.own()), "forbidden-address")
        XCTAssertEqual(server.requestCount("/@127.0.0.2:\(port)/ok"), 1)
        XCTAssertEqual(server.requestCount("/ok"), 0)
    }

    func testAConnectionThatSomebodyElseOpenedIsNoWayRound() throws {
        let address = try url("http://localhost:\(server.port)/ok")
        XCTAssertNil(kind(address, .open))
        XCTAssertEqual(server.openConnections, 1)
        XCTAssertEqual(kind(address, .closed), "forbidden-address")
        XCTAssertEqual(server.requestCount("/ok"), 1)
        // The connection is still good for who may use it.
        XCTAssertNil(kind(address, .open))
        XCTAssertEqual(server.requestCount("/ok"), 2)
    }

    func testGuardedTransfersDoNotGoThroughAProxy() throws {
        // A proxy would look the name up itself; this one would answer anything.
        useProxy()
        XCTAssertEqual(kind(try url("http://localhost:1/ok"), .closed), "forbidden-address")
        XCTAssertEqual(kind(try url("http://does-not-exist.invalid/ok"), .closed), "unreachable")
        XCTAssertEqual(server.connectionCount, 0)
        XCTAssertEqual(kind(try url("http://does-not-exist.invalid/ok"), .open), "http")
        XCTAssertEqual(server.connectionCount, 1)
        XCTAssertEqual(kind(try url("http://169.254.169.254/ok"), .open), "forbidden-address")
        // With a proxy no connection to the address is opened here that could be refused.
        let redirect = "http://does-not-exist.invalid/there"
        let headers = ["Status": "302", "Location": "http://169.254.169.254/ok"]
        server.serve(Data(), at: redirect, headers: headers)
        XCTAssertEqual(kind(try url(redirect), .open), "forbidden-address")
        XCTAssertEqual(server.requestCount(), 2)
    }

    func testTheResponseNamesWhoSentIt() throws {
        XCTAssertEqual(try download(server.url("/ok")).get().remoteAddress, IPAddress("127.0.0.1"))
    }
}
