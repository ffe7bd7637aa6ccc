import Foundation
import PhotoPipeline
import TestServers
import Transfers
import XCTest

@testable import PhotoDevelopment

/// What failed by what came is not taken from the cache again.
final class ReloadTests: JournalTestCase {
    func testBodiesThatFailedAreAskedForAgainAndReplaced() async throws {
        let server = try FaultServer()
        defer { server.stop() }
        _ = try await catalog(["a.jpg"])
        let image = try Data(contentsOf: URL(filePath: folder + "/a.jpg"))
        let fresh = ["Cache-Control": "max-age=1000, immutable", "ETag": "\"1\""]
        let bodies = ["/nothing": Data(), "/page": Data("<!DOCTYPE html><p>Soon</p>".utf8), "/cut": image.prefix(200)]
        let paths = bodies.keys.sorted() + ["/missing"]
        for (path, body) in bodies { server.serve(FaultScript(body, headers: fresh, [.whole]), at: path) }
        server.serve(FaultScript(image, [.status(404, ["Cache-Control": "max-age=250"]), .answer]), at: "/missing")
        let text = "name,url\n" + paths.map { "\($0.dropFirst()),\(server.url($0).absoluteString)\n" }.joined()
        try Data(text.utf8).write(to: URL(filePath: folder + "/web.csv"))
        let catalog = try await Catalog.load(from: .path(folder + "/web.csv"))
        var options = options
        options.diskCache = DiskCache(folder: folder + "/cache")
        let first = await (try Development(of: catalog, options: options)).run()
        XCTAssertEqual(first.progress.failed, 4)
        XCTAssertEqual(paths.map { server.requestCount($0) }, [1, 1, 1, 1])

        for path in bodies.keys { server.serve(FaultScript(image, headers: fresh, [.whole]), at: path) }
        let before = paths.map { server.requestCount($0) }
        options.resumption = .onlyFailed(FailureSelection(Set(PhotoError.Reason.allCases)))
        let again = await (try Development(of: catalog, options: options)).run()
        XCTAssertEqual(again.progress.filtered, 4)
        XCTAssertEqual(paths.map { server.requestCount($0) }, before.map { $0 + 1 })

        // What came took the place of what was there.
        await options.diskCache?.flush()
        options.resumption = .fresh
        let anew = await (try Development(of: catalog, options: options)).run()
        XCTAssertEqual(anew.progress.filtered, 4)
        XCTAssertEqual(paths.prefix(3).map { server.requestCount($0) }, before.prefix(3).map { $0 + 1 })
    }
}
