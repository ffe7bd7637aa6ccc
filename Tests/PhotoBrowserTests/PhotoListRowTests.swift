import Catalogs
import Operations
import PhotoPipeline
import TestServers
import XCTest

@testable import PhotoBrowser

/// What rows of the list show, and in which order they stand.
final class PhotoListRowTests: XCTestCase {
    @MainActor
    func testARowsNameHasRoomForWhatAWindowShows() throws {
        let long = String(repeating: "한", count: 100_000)
        let text = "[{\"name\": \"\(long)\", \"url\": \"a.jpg\"}, {\"name\": \"한\", \"url\": \"b.jpg\"}]"
        let catalog = try Catalog(parsing: Data(text.utf8), origin: .file(path: "/catalog"))
        let list = PhotoList(catalog: catalog, pipeline: PhotoPipeline())
        XCTAssertEqual(list[Photo.ID(0)].name, String(repeating: "한", count: 333) + "…")
        XCTAssertEqual(list[Photo.ID(1)].name, "한")
    }

    @MainActor
    func testANameOfWhiteSpaceIsNone() throws {
        let text =
            #"[{"name": " \t", "url": "b%20c.jpg"}, {"name": "", "url": "a.jpg"}, {"name": " d ", "url": "e.jpg"}, "#
            + "{\"name\": \"\u{3000}\u{A0}\", \"url\": \"http://127.0.0.1/%20?f\"}]"
        let catalog = try Catalog(parsing: Data(text.utf8), origin: .file(path: "/catalog"))
        let list = PhotoList(catalog: catalog, pipeline: PhotoPipeline())
        XCTAssertEqual(
            catalog.indices.map { list[Photo.ID($0)].name }, ["b%20c.jpg", "a.jpg", " d ", "http://127.0.0.1/%20?f"])
        // They are found and ordered by what is seen.
        list.arrangement = PhotoArrangement(order: .name, search: "JPG")
        waitUntil("the rows") { !list.isArranging }
        XCTAssertEqual((0..<list.count).map { list.photo(atRow: $0).index }, [1, 0])
    }

    func testARowNamesTheSuspendedStageThatItWaitsFor() throws {
        try PhotoListTests.withServer { server in
            let list = try PhotoListTests.makeList(server, [server.url("/picture")])
            let pending = list.pipeline.pending
            for queue in [pending.decodeQueue, pending.filtrationQueue] { queue.isSuspended = true }
            XCTAssertNil(list[Photo.ID(0)].suspendedStage, "it has not been asked for")
            list.visibleRowsChanged(0..<1)
            waitUntil("its bytes") { list[Photo.ID(0)].suspendedStage == .decoding }
            XCTAssertEqual(list[Photo.ID(0)].state, .waiting)
            pending.decodeQueue.isSuspended = false
            XCTAssertNil(list[Photo.ID(0)].suspendedStage)
            waitUntil("its picture") { list[Photo.ID(0)].suspendedStage == .filtration }
            XCTAssertEqual(list[Photo.ID(0)].state, .downloaded)
            pending.filtrationQueue.isSuspended = false
            waitUntil("the end") { list[Photo.ID(0)].state == .filtered && list.pendingCount == 0 }
            XCTAssertNil(list.awaitedStage(of: Photo.ID(0)))

            let other = try PhotoListTests.makeList(server, [server.url("/picture?other")])
            other.pipeline.pending.downloadQueue.isSuspended = true
            other.visibleRowsChanged(0..<1)
            waitUntil("the wait") { other[Photo.ID(0)].suspendedStage == .download }
            other.close()
        }
    }

    func testSearchAndOrderKeepPhotosTheSame() throws {
        try PhotoListTests.withServer { server in
            let list = try PhotoListTests.makeList(server, (0..<30).map { _ in server.url("/picture") })
            var arranged = 0
            list.onArrange = { arranged += 1 }
            list.arrangement.search = "2"
            XCTAssertTrue(list.isArranging)
            waitUntil("the search") { arranged == 1 }
            XCTAssertEqual((0..<list.count).map { list.photo(atRow: $0).index }, [2, 12] + (20..<30))
            list.visibleRowsChanged(0..<2)
            waitUntil("rest") { list[Photo.ID(12)].state == .filtered && list.pendingCount == 0 }
            XCTAssertEqual(list[Photo.ID(1)].state, .new)
            XCTAssertEqual(list.row(of: Photo.ID(12)), 1)
            XCTAssertNil(list.row(of: Photo.ID(1)))
            // Only the last of several arrangements in a row counts.
            for text in ["3", "4", "nothing"] { list.arrangement.search = text }
            waitUntil("the last search") { !list.isArranging }
            XCTAssertEqual(list.count, 0)
            list.visibleRowsChanged(0..<5)
            list.arrangement = PhotoArrangement()
            XCTAssertEqual(list.count, 30)
            list.arrangement.order = .state
            waitUntil("the order") { !list.isArranging }
            XCTAssertEqual(list[list.photo(atRow: 0)].state, .filtered)
        }
    }

    func testTheOrderByStateIsThatOfTheMomentItIsChosen() throws {
        try PhotoListTests.withServer { server in
            let list = try PhotoListTests.makeList(server, (0..<30).map { _ in server.url("/picture") })
            @MainActor func rows(of list: PhotoList) -> [Int] {
                waitUntil("the rows") { !list.isArranging }
                return (0..<list.count).map { list.photo(atRow: $0).index }
            }
            list.arrangement.order = .state
            XCTAssertEqual(rows(of: list), Array(0..<30))
            list.visibleRowsChanged(20..<22)
            waitUntil("rest") { list[Photo.ID(20)].state == .filtered && list.pendingCount == 0 }
            // A search has no photo move that is found.
            list.arrangement.search = "2"
            XCTAssertEqual(rows(of: list), [2, 12] + (20..<30))
            list.arrangement.search = ""
            XCTAssertEqual(rows(of: list), Array(0..<30))
            list.rankByState()
            let ranked = rows(of: list)
            XCTAssertEqual(list[Photo.ID(ranked[0])].state, .filtered)
            XCTAssertNotEqual(ranked, Array(0..<30))
            // The same photos in another size.
            let other = PhotoList(catalog: list.catalog, pipeline: list.pipeline)
            other.arrangement.order = .state
            other.rankByState(like: list)
            XCTAssertEqual(rows(of: other), ranked)
            other.arrangement.order = .catalog
            other.rankByState(like: list)
            XCTAssertEqual(rows(of: other), Array(0..<30))
        }
    }
}
