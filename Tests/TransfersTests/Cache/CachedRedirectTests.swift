import Foundation
import TestServers
import XCTest

@testable import Transfers

/// Stored answers behind redirects.
final class CachedRedirectTests: CacheTestCase {
    private let fresh = ["Cache-Control": "max-age=60", "ETag": "\"1\"", "Content-Type": "image/png"]

    func testABehindARedirectIsAskedForUnlessTheRedirectHolds() {
        server.serve(Data("a".utf8), at: "/ok", headers: fresh)
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/redirect/1"), cache), .network)
        // The redirect is asked for again, and what it leads to is confirmed.
        XCTAssertEqual(source(server.url("/redirect/1"), cache), .validated)
        XCTAssertEqual(server.requestCount("/redirect/1"), 2)
        XCTAssertEqual(server.confirmationCount("/ok"), 1)
        server.stop()
        XCTAssertEqual(source(server.url("/redirect/1"), cache), .stale)
    }

    /// A random photo behind an address that says so, from a network that lets old copies be shown.
    func testARedirectThatIsForOnceIsAskedAgainWhateverItsTargetAllows() throws {
        let lasting = ["Cache-Control": "max-age=9999, stale-while-revalidate=9999"]
        for name in ["/r1", "/r2"] { server.serve(Data(name.utf8), at: name, headers: lasting) }
        let cache = makeCache()
        for (round, name) in ["/r1", "/r2"].enumerated() {
            let headers = ["Location": name, "Cache-Control": "no-store"]
            server.serve(FaultScript(Data(), [.status(302, headers)]), at: "/random")
            XCTAssertEqual(try fetch(server.url("/random"), cache).get().body, Data(name.utf8))
            XCTAssertEqual(server.requestCount("/random"), round + 1)
        }
        server.stop()
        XCTAssertThrowsError(try fetch(server.url("/random"), cache).get())
    }

    func testARedirectThatGoesByWhoAsksIsForThemOnly() throws {
        for agent in ["a", "b"] { server.serve(Data(agent.utf8), at: "/" + agent, headers: fresh) }
        let cache = makeCache()
        for agent in ["a", "b", "b"] {
            var configuration = TransferClient.Configuration()
            configuration.userAgent = agent
            useClient(configuration)
            let headers = ["Location": "/" + agent, "Cache-Control": "max-age=9999", "Vary": "User-Agent"]
            server.serve(FaultScript(Data(), [.status(301, headers)]), at: "/by-agent")
            XCTAssertEqual(try fetch(server.url("/by-agent"), cache).get().body, Data(agent.utf8))
        }
        XCTAssertEqual(server.requestCount("/by-agent"), 2)
    }
}
