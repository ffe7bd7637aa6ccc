import Foundation
import Operations
import OperationsCore
import TestServers
import XCTest

@testable import Transfers

/// When and where a cache does what it is asked for.
final class CacheOrderTests: CacheTestCase {
    private let fresh = ["Cache-Control": "max-age=60", "ETag": "\"1\"", "Content-Type": "image/png"]

    /// Lookups come before what waits to be written, but what is asked for after a change is what there is after it.
    func testALookupDoesNotOvertakeAChangeOfItsKey() throws {
        let cache = makeCache()
        for name in ["/a", "/b"] { server.serve(Data("old".utf8), at: name, headers: fresh) }
        let keys = try ["/a", "/b"].map {
            try CacheKey.text(WebAddress(server.url($0).absoluteString), .open, RequestHeaders())
        }
        for name in ["/a", "/b"] { XCTAssertEqual(source(server.url(name), cache), .network) }
        cache.answers.queue.isSuspended = true
        let found = Lock<[String]>([])
        @Sendable func note(_ name: String) { found.withLock { $0.append(name) } }
        let lookUps = Lock<[Operation]>([])
        func lookUp(_ index: Int) {
            let operation = cache.answers.lookUp(keys[index]) { note($0 == nil ? "no \(index)" : "\(index)") }
            lookUps.withLock { $0.append(operation) }
        }
        cache.answers.remove([keys[0]]) { note("removed") }
        cache.answers.afterAll { note("all") }
        lookUp(0)
        lookUp(1)
        cache.answers.queue.isSuspended = false
        flush(cache)
        XCTAssertEqual(found.withLock { $0 }, ["1", "removed", "all", "no 0"])
        // What is written keeps nobody waiting.
        cache.answers.queue.isSuspended = true
        cache.answers.afterAll { note("last") }
        lookUp(0)
        cache.answers.queue.isSuspended = false
        flush(cache)
        XCTAssertEqual(found.withLock { $0 }.suffix(2), ["no 0", "last"])
    }

    func testThreadsOfCallersDoNoWork() {
        let cache = makeCache()
        cache.answers.queue.isSuspended = true
        queue.addOperation(cached(server.url("/a"), cache))
        // The question waits in the cache's queue, and nothing was done for it.
        XCTAssert(wait { cache.answers.queue.operationCount == 1 })
        XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path))
        cache.answers.queue.isSuspended = false
        for operation in queue.operations { end(operation) }
        XCTAssert(FileManager.default.fileExists(atPath: folder.path))
    }
}
