import Catalogs
import Foundation
import ImageCodecs
import Operations
import PhotoPipeline
import TestServers
import Transfers
import XCTest

@testable import PhotoBrowser

/// The list on the real pipeline, with a server that misbehaves on request.
final class PhotoListTests: XCTestCase {
    func testPicturesArriveForWhatIsOnScreenAndWhatIsNext() throws {
        try Self.withServer { server in
            let list = try Self.makeList(server, (0..<30).map { server.url("/picture?\($0)") })
            list.visibleRowsChanged(5..<9)
            waitUntil("all filtered") { (5..<9).allSatisfy { list[Photo.ID($0)].state == .filtered } }
            waitUntil("rest") { list.pendingCount == 0 && list.pipeline.pending.count == 0 }
            XCTAssertEqual(server.requestCount("/picture"), 9, "a screen ahead, a quarter behind")
            XCTAssertEqual(list[Photo.ID(12)].state, .filtered)
            XCTAssertEqual(list[Photo.ID(3)].state, .new)
            XCTAssertNil(list[Photo.ID(13)].image)
            let original = try Self.decoded(ofSide: 32)
            var expected = original
            FilterChain.classic.apply(to: &expected)
            XCTAssertEqual(list[Photo.ID(5)].image, expected)
            waitUntil("rest") { list.pendingCount == 0 && list.pipeline.pending.count == 0 }
            list.look = .none
            waitUntil("unfiltered") { (5..<9).allSatisfy { list[Photo.ID($0)].image == original } }
            XCTAssertEqual(server.requestCount("/picture"), 9, "only the filter runs again")
            waitUntil("rest") { list.pendingCount == 0 && list.pipeline.pending.count == 0 }
        }
    }

    func testWhatIsInMemoryShowsAtOnceAlsoWhileScrolling() throws {
        try Self.withServer { server in
            let addresses = (0..<4).map { server.url("/picture?\($0)") }
            let first = try Self.makeList(server, addresses)
            first.visibleRowsChanged(0..<4)
            waitUntil("rest") { first.pendingCount == 0 && first.pipeline.pending.count == 0 }
            // Other lists of the same pictures, as after the catalog was opened again.
            let list = PhotoList(catalog: first.catalog, pipeline: first.pipeline, longestSide: first.longestSide)
            list.visibleRowsChanged(0..<1)
            XCTAssertEqual(list[Photo.ID(0)].state, .filtered)
            XCTAssertEqual(list[Photo.ID(0)].image, first[Photo.ID(0)].image)
            let moving = PhotoList(catalog: first.catalog, pipeline: first.pipeline, longestSide: first.longestSide)
            moving.isScrolling = true
            var told: Set<Photo.ID> = []
            moving.onChange = { told.formUnion($0) }
            moving.visibleRowsChanged(2..<4)
            XCTAssertEqual(moving[Photo.ID(3)].state, .filtered)
            XCTAssertEqual(moving[Photo.ID(3)].image, first[Photo.ID(3)].image)
            XCTAssertEqual(told, [Photo.ID(2), Photo.ID(3)])
            XCTAssertEqual(moving.pendingCount, 0)
            XCTAssertEqual(server.requestCount("/picture"), 4)
        }
    }

    func testWhatLeavesTheScreenIsCancelled() throws {
        try Self.withServer { server in
            let others = (0..<5).map { _ in server.url("/picture") }
            let list = try Self.makeList(server, [server.url(.gate)] + others)
            list.visibleRowsChanged(0..<1)
            XCTAssertTrue(server.waitForRequests(Fault.gate.rawValue))
            list.visibleRowsChanged(5..<6)
            waitUntil("filtered") { list[Photo.ID(5)].state == .filtered }
            waitUntil("rest") { list.pendingCount == 0 && list.pipeline.pending.count == 0 }
            XCTAssertEqual(list[Photo.ID(0)].state, .new)
            server.openGate()
            XCTAssertTrue(server.waitForPeerClose(Fault.gate.rawValue))
        }
    }

    func testWhatIsFetchedAheadIsBehindWhatIsOnScreen() throws {
        try Self.withServer { server in
            let gates = (0..<6).map { URL(string: server.url(.gate).absoluteString + "?\($0)") }
            let list = try Self.makeList(server, [server.url("/picture"), server.url("/picture?1")] + gates)
            @MainActor func priority(_ row: Int) -> Operation.QueuePriority? {
                list.state.records[Photo.ID(row)]?.run.flatMap { list.work[$0.run]?.task?.priority }
            }
            list.visibleRowsChanged(0..<2)
            waitUntil("the next two are fetched ahead") { priority(2) != nil && priority(3) != nil }
            XCTAssertEqual([priority(2), priority(3)], [.low, .low])
            list.visibleRowsChanged(2..<4)
            XCTAssertEqual([priority(2), priority(3)], [.normal, .normal])
            // One of them is likely to be wanted again.
            list.visibleRowsChanged(4..<6)
            XCTAssertEqual([priority(3), priority(4), priority(5)], [.low, .normal, .normal])
            server.openGate()
            waitUntil("rest") { list.pendingCount == 0 && list.pipeline.pending.count == 0 }
        }
    }

    func testFailuresSayWhyAndCanBeRetried() throws {
        try Self.withServer { server in
            let list = try Self.makeList(
                server, [server.url("/late"), server.url(.empty), URL(string: "ftp://localhost/a")])
            var told: Set<Photo.ID> = []
            list.onChange = { told.formUnion($0) }
            list.visibleRowsChanged(0..<3)
            waitUntil("all failed") { list.failedCount == 3 && list.pendingCount == 0 }
            XCTAssertEqual(told.count, 3)
            let reasons = (0..<3).map { list[Photo.ID($0)].state }.map { state -> PhotoError.Reason? in
                if case .failed(let error) = state { error.reason } else { nil }
            }
            XCTAssertEqual(reasons, [.http, .empty, .forbiddenAddress])
            server.serve(try Self.image(), at: "/late")
            list.retryAllFailed()
            waitUntil("one filtered") { list[Photo.ID(0)].state == .filtered }
            waitUntil("two failed") { list.failedCount == 2 && list.pendingCount == 0 }
        }
    }

    func testARetryAsksTheServerWhateverTheDiskCacheHasKept() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-list-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try Self.withServer { server in
            let missing = FaultScript.Step.status(404, ["Cache-Control": "max-age=3600"])
            server.serve(FaultScript(try Self.image(), [missing, .answer]), at: "/late")
            var configuration = PhotoPipeline.Configuration()
            configuration.diskCache = DiskCache(folder: folder.path)
            @MainActor func makeList() throws -> PhotoList {
                try Self.makeList(
                    server, [server.url("/late")], pipeline: PhotoPipeline(configuration: configuration))
            }
            @MainActor func waitForTheFailure(of list: PhotoList) {
                list.visibleRowsChanged(0..<1)
                waitUntil("a failure") { list.failedCount == 1 && list.pendingCount == 0 }
            }
            waitForTheFailure(of: try makeList())
            // As the next run of the program: the answer was kept.
            let list = try makeList()
            waitForTheFailure(of: list)
            XCTAssertEqual(server.requestCount("/late"), 1, "the cache answers whoever does not ask again")
            list.retry(Photo.ID(0))
            waitUntil("the picture, or a failure") {
                list.pendingCount == 0 && (list[Photo.ID(0)].state == .filtered || list.failedCount == 1)
            }
            XCTAssertEqual(list[Photo.ID(0)].state, .filtered)
            XCTAssertEqual(server.requestCount("/late"), 2)
        }
    }

    func testARetryOfABadPictureHasItSentAnew() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-list-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try Self.withServer { server in
            let fresh = ["Cache-Control": "max-age=3600, immutable", "ETag": "\"1\""]
            let image = try Self.image()
            server.serve(FaultScript(image.prefix(image.count / 4), headers: fresh, [.whole]), at: "/cut")
            var configuration = PhotoPipeline.Configuration()
            configuration.diskCache = DiskCache(folder: folder.path)
            let list = try Self.makeList(
                server, [server.url("/cut")], pipeline: PhotoPipeline(configuration: configuration))
            list.visibleRowsChanged(0..<1)
            waitUntil("a failure") { list.failedCount == 1 && list.pendingCount == 0 }
            server.serve(FaultScript(image, headers: fresh, [.whole]), at: "/cut")
            list.retry(Photo.ID(0))
            waitUntil("the picture, or a failure") {
                list.pendingCount == 0 && (list[Photo.ID(0)].state == .filtered || list.failedCount == 1)
            }
            XCTAssertEqual(list[Photo.ID(0)].state, .filtered)
        }
    }

    func testTheBlockingStrategyHasEverythingBeforeItReturns() throws {
        try Self.withServer { server in
            let list = try Self.makeList(
                server, [server.url("/picture"), server.url("/missing"), server.url("/picture")])
            list.strategy = .blocking
            list.isScrolling = true
            var told: Set<Photo.ID> = []
            list.onChange = { told.formUnion($0) }
            list.visibleRowsChanged(0..<2)
            XCTAssertEqual(list[Photo.ID(0)].state, .filtered)
            XCTAssertEqual(list.failedCount, 1)
            XCTAssertEqual(list.pendingCount, 0)
            XCTAssertEqual(told.count, 2)
            XCTAssertEqual(list[Photo.ID(2)].state, .new)
        }
    }

    func testIntensityMixesWithThePublishedPicture() throws {
        try Self.withServer { server in
            let list = try Self.makeList(server, [server.url("/picture")])
            list.look = PhotoLook(FilterChain([.invert(1)]), intensity: 0.5)
            list.visibleRowsChanged(0..<1)
            waitUntil("filtered") { list[Photo.ID(0)].state == .filtered }
            // Half of a picture and half of its negative is grey.
            let grey = list[Photo.ID(0)].image?.withUnsafeBytes { bytes in
                bytes.indices.allSatisfy { $0 % 4 == 3 ? bytes[$0] == 255 : (127...128).contains(bytes[$0]) }
            }
            XCTAssertEqual(grey, true)
            list.look = PhotoLook(FilterChain([.invert(1)]), intensity: 0)
            let original = try Self.decoded(ofSide: 32)
            waitUntil("the picture as it was") { list[Photo.ID(0)].image == original }
            XCTAssertEqual(server.requestCount("/picture"), 1)
        }
    }

    func testLengthsShrinkWithThePictureAtEveryIntensity() throws {
        try Self.withServer { server in
            let blur = FilterChain([.blur(deviation: 6)])
            let original = try Self.decoded(ofSide: 32)
            // The picture is half as large as the published one.
            func expected(_ look: PhotoLook) throws -> PixelBuffer {
                try XCTUnwrap(look.applied(to: original, scale: 0.5))
            }
            let list = try Self.makeList(server, [server.url("/picture")])
            for intensity in [0.5, 1, 0.25] {
                list.look = PhotoLook(blur, intensity: intensity)
                list.visibleRowsChanged(0..<1)
                waitUntil("filtered") { list[Photo.ID(0)].state == .filtered && list.pendingCount == 0 }
                XCTAssertEqual(list[Photo.ID(0)].image, try expected(list.look), "\(intensity)")
                XCTAssertNotEqual(list[Photo.ID(0)].image, list.look.applied(to: original), "\(intensity)")
            }
        }
    }

    func testAListIsNotPausedWhereOneQueueIsSuspended() throws {
        try Self.withServer { server in
            let list = try Self.makeList(server, [server.url("/picture")])
            list.pipeline.pending.downloadQueue.isSuspended = true
            XCTAssertFalse(PhotoList(catalog: list.catalog, pipeline: list.pipeline).isPaused)
            list.isPaused = true
            XCTAssertTrue(PhotoList(catalog: list.catalog, pipeline: list.pipeline).isPaused)
            list.isPaused = false
            XCTAssertFalse(list.pipeline.pending.downloadQueue.isSuspended)
        }
    }

    func testAListThatIsClosedTakesNoRowsThatWereBeingWorkedOut() throws {
        try Self.withServer { server in
            let list = try Self.makeList(server, [server.url("/picture"), server.url("/picture")])
            var changes: [String] = []
            list.onRearranging = { changes.append("rearranging") }
            list.onArrange = { changes.append("arranged") }
            list.arrangement.isReversed = true
            list.arrangingQueue.waitUntilAllOperationsAreFinished()
            // They are on their way to the main actor.
            list.close()
            var isTurned = false
            OperationQueue.main.addOperation { MainActor.assumeIsolated { isTurned = true } }
            waitUntil("what was on its way") { isTurned }
            XCTAssertEqual(changes, [])
            XCTAssertFalse(list.isArranging)
        }
    }

    /// Queues that somebody has suspended one by one are no pause, also where they are all that there are.
    func testAListThatIsMadeWhileAllQueuesAreSuspendedGoesOnWithThem() throws {
        try Self.withServer { server in
            let pipeline = try Self.makeList(server, [server.url("/picture")]).pipeline
            let pending = pipeline.pending
            let queues = [pending.downloadQueue, pending.decodeQueue, pending.filtrationQueue]
            for queue in queues { queue.isSuspended = true }
            let catalog = try Self.makeList(server, [server.url("/picture")]).catalog
            let list = PhotoList(catalog: catalog, pipeline: pipeline, isPaused: false)
            XCTAssertFalse(list.isPaused)
            XCTAssertTrue(pending.isSuspended, "to make a list has none of them go on")
            list.visibleRowsChanged(0..<1)
            for queue in queues { queue.isSuspended = false }
            waitUntil("its picture") { list[Photo.ID(0)].state == .filtered }
        }
    }

    func testAPhotoIsSavedInItsOwnSize() throws {
        try Self.withServer { server in
            let list = try Self.makeList(server, [server.url("/picture"), server.url("/missing")])
            list.look = PhotoLook(FilterChain([.grayscale(1)]))
            let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-save-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            var results: [PhotoError.Reason?] = []
            var lastDetail = ""
            let names = ["a.png", "b.png", "none/c.png"]
            for (name, photo) in zip(names, [0, 1, 0]) {
                list.save(Photo.ID(photo), to: folder.appending(path: name).path, as: ImageEncoder(format: .png)) {
                    results.append($0?.reason)
                    lastDetail = $0?.detail ?? ""
                }
                waitUntil("end of saving") { results.count == names.firstIndex(of: name).map { $0 + 1 } }
            }
            XCTAssertEqual(results, [nil, .http, .writeFailed])
            XCTAssertEqual(lastDetail, String(cString: strerror(ENOENT)))
            var expected = try ImageDecoder.decode(Self.image(), longestSide: nil)
            FilterChain([.grayscale(1)]).apply(to: &expected)
            let saved = try ImageDecoder.decode(Data(contentsOf: folder.appending(path: "a.png")), longestSide: nil)
            XCTAssertEqual(saved, expected)
            XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), ["a.png"])
        }
    }

    func testTrafficTellsWhatWasForNothing() throws {
        try Self.withServer { server in
            let list = try Self.makeList(server, (0..<12).map { server.url("/picture?\($0)") })
            list.traffic = PhotoList.Traffic()
            list.visibleRowsChanged(0..<4)
            waitUntil("rest") { list.pendingCount == 0 && list[Photo.ID(7)].state == .filtered }
            let each = try Self.image().count
            XCTAssertEqual(list.traffic?.received, 8 * each)
            XCTAssertEqual(list.traffic?.wasted, 0)
            XCTAssertEqual(list.traffic?.unseenAhead, 4 * each)
            list.visibleRowsChanged(4..<8)
            XCTAssertEqual(list.traffic?.unseenAhead, 0)
            list.close()
        }
    }

    func testAPausedListStartsNothing() throws {
        try Self.withServer { server in
            let list = try Self.makeList(server, [server.url("/picture")])
            list.isPaused = true
            XCTAssertTrue(list.pipeline.pending.isSuspended)
            list.visibleRowsChanged(0..<1)
            XCTAssertEqual(list[Photo.ID(0)].state, .new)
            XCTAssertEqual(list.pendingCount, 0)
            list.isPaused = false
            waitUntil("filtered") { list[Photo.ID(0)].state == .filtered }
        }
    }

    func testReportsComeInFewHops() throws {
        try Self.withServer { server in
            let list = try Self.makeList(
                server, (0..<40).map { _ in server.url("/picture") }, frameInterval: .milliseconds(100))
            var reports = 0
            let start = ContinuousClock.now
            list.visibleRowsChanged(0..<40)
            list.onChange = { _ in reports += 1 }
            waitUntil("all filtered") { (0..<40).allSatisfy { list[Photo.ID($0)].state == .filtered } }
            let intervals = (ContinuousClock.now - start) / .milliseconds(100)
            XCTAssertGreaterThan(reports, 0)
            XCTAssertLessThanOrEqual(Double(reports), intervals + 1)
        }
    }

    func testAPanoramaFillsItsPlace() throws {
        try Self.withServer { server in
            let list = try Self.makeList(server, [server.url("/panorama"), server.url("/picture")])
            let filled = PhotoList(catalog: list.catalog, pipeline: list.pipeline, resize: .fill(width: 16, height: 12))
            XCTAssertNil(filled.longestSide)
            let panorama = PixelBuffer(size: PixelSize(width: 400, height: 50))
            server.serve(try ImageEncoder(format: .png).encode(panorama), at: "/panorama")
            filled.visibleRowsChanged(0..<2)
            waitUntil("both") { (0..<2).allSatisfy { filled[Photo.ID($0)].state == .filtered } }
            XCTAssertEqual(filled[Photo.ID(0)].image?.size, PixelSize(width: 96, height: 12))
            XCTAssertEqual(filled[Photo.ID(1)].image?.size, PixelSize(width: 16, height: 12))
            // By its longest side it would be 4 pixels high.
            XCTAssertEqual(list.longestSide, 32)
            list.visibleRowsChanged(0..<1)
            waitUntil("the panorama") { list[Photo.ID(0)].state == .filtered }
            XCTAssertEqual(list[Photo.ID(0)].image?.size, PixelSize(width: 32, height: 4))
        }
    }

    func testTheViewIsToldHowFarTransfersAre() throws {
        try Self.withServer { server in
            let list = try Self.makeList(
                server, [server.url(.stallMidBody)] + (1..<12).map { server.url("/picture?\($0)") })
            var told: Set<Photo.ID> = []
            list.visibleRowsChanged(0..<2)
            waitUntil("half of it") { list[Photo.ID(0)].progress == 0.5 }
            waitUntil("the other one") { list[Photo.ID(1)].state == .filtered }
            XCTAssertNil(list[Photo.ID(1)].progress)
            list.onChange = { told.formUnion($0) }
            waitUntil("a report") { told.contains(Photo.ID(0)) }
            list.visibleRowsChanged(8..<9)
            waitUntil("rest") { list.pendingCount == 0 }
            XCTAssertNil(list[Photo.ID(0)].progress)
        }
    }

    func testAListThatIsLetGoCancelsItsRuns() throws {
        try Self.withServer { server in
            let pipeline = PhotoPipeline()
            var list: PhotoList? = try Self.makeList(server, [server.url(.gate)], pipeline: pipeline)
            list?.visibleRowsChanged(0..<1)
            XCTAssertTrue(server.waitForRequests(Fault.gate.rawValue))
            list = nil
            waitUntil("rest") { pipeline.pending.count == 0 }
        }
    }

    // MARK: Helpers

    /// XCTest runs its tests on the main thread, but the tests themselves cannot be the main actor's on Linux.
    static func withServer(_ body: @MainActor (FaultServer) throws -> Void) throws {
        let server = try FaultServer()
        defer { server.stop() }
        try MainActor.assumeIsolated { try body(server) }
    }

    @MainActor static func makeList(
        _ server: FaultServer, _ addresses: [URL?], pipeline: PhotoPipeline = PhotoPipeline(),
        frameInterval: Duration = .milliseconds(16)
    ) throws -> PhotoList {
        server.serve(try image(), at: "/picture")
        let entries = addresses.enumerated().map { "\($0.offset),\($0.element?.absoluteString ?? "")\n" }
        let catalog = try Catalog(
            parsing: Data(("name,url\n" + entries.joined()).utf8), origin: .file(path: "/catalog.csv"))
        return PhotoList(catalog: catalog, pipeline: pipeline, longestSide: 32, frameInterval: frameInterval)
    }

    private static func image() throws -> Data {
        var buffer = PixelBuffer(size: PixelSize(width: 64, height: 48))
        buffer.withUnsafeMutableBytes { bytes in
            for index in bytes.indices { bytes[index] = index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: index / 7) }
        }
        return try ImageEncoder(format: .png).encode(buffer)
    }

    private static func decoded(ofSide side: Int) throws -> PixelBuffer {
        try ImageDecoder.decode(image(), longestSide: side)
    }
}
