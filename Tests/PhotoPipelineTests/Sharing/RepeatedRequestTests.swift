import Foundation
import ImageCodecs
import Operations
import OperationsTesting
import Pixels
import TestServers
import Transfers
import XCTest

@testable import PhotoPipeline

/// Those who want again what somebody wanted before.
final class RepeatedRequestTests: PipelineTestCase {
    func testWhatIsInMemoryIsThereAtOnce() async throws {
        let pipeline = pipeline()
        XCTAssertNil(pipeline.cachedImage(for: request(1)))
        _ = try await value(from: pipeline, request(1, filter: "invert(1)"))
        // The decoded picture and the filtered one.
        XCTAssertEqual(pipeline.cache.count, 2)
        let image = try XCTUnwrap(pipeline.cachedImage(for: request(1, filter: "invert(1)")))
        XCTAssertEqual(Self.first(image), 255 - 11)
        // A row that asks for it shows it before the call returns, and no placeholder.
        let states = Lock<[Photo.State]>([])
        let task = pipeline.task(for: request(1, filter: "invert(1)"), of: Photo.ID(0)) { update in
            states.withLock { $0.append(update.state) }
        }
        let finished = Lock(false)
        task.start { finished.withLock { $0 = true } }
        XCTAssertEqual(states.withLock { $0.last }, .filtered)
        XCTAssert(finished.withLock { $0 })
        // Another filter needs neither a transfer nor a decoding.
        _ = try await value(from: pipeline, request(1, filter: "sepia(1)"))
        XCTAssertEqual(server.requestCount("/1.png"), 1)
        XCTAssertEqual(decodings.withLock { $0 }, 1)
    }

    /// A person loads a photo anew while an older copy of it waits for its turn to be decoded.
    func testAnOlderBodyThatIsDecodedLaterDoesNotReplaceANewerOne() async throws {
        let pipeline = pipeline()
        let queue = pipeline.pending.decodeQueue
        queue.maxConcurrentOperationCount = 1
        queue.isSuspended = true
        let first = pipeline.imageTask(for: request(1, filter: "invert(1)", priority: .veryLow))
        eventually("the older body is there") { pipeline.imagesInWork == 1 }
        server.serve(try Self.image(2), at: "/1.png")
        var again = request(1, filter: "invert(1)", priority: .high)
        again.cachePolicy = .reload
        let second = pipeline.imageTask(for: again)
        eventually("the newer body is there") { pipeline.imagesInWork == 2 }
        queue.isSuspended = false
        let values = [try await value(of: first), try await value(of: second)].map(Self.first)
        XCTAssertEqual(values, [255 - 11, 255 - 22])
        for (filter, grey) in [("none", 22), ("invert(1)", 255 - 22)] as [(String, UInt8)] {
            let image = try XCTUnwrap(pipeline.cachedImage(for: request(1, filter: filter)), filter)
            XCTAssertEqual(Self.first(image), grey, filter)
        }
    }

    func testAFilterOfWhatIsInMemoryIsSharedToo() async throws {
        let pipeline = pipeline()
        _ = try await value(from: pipeline, request(1))
        pipeline.pending.isSuspended = true
        let tasks = (0..<3).map { _ in pipeline.imageTask(for: request(1, filter: "invert(1)")) }
        XCTAssertEqual(pipeline.stageCount, 1)
        pipeline.pending.isSuspended = false
        for task in tasks {
            let image = try await value(of: task)
            XCTAssertEqual(Self.first(image), 255 - 11)
        }
        XCTAssertEqual(decodings.withLock { $0 }, 1)
    }

    func testABeginningOfAFilterIsRunOnceAlsoLater() async throws {
        let pipeline = pipeline()
        let first = try await value(from: pipeline, request(1, filter: "sepia(1) blur(1px)"))
        XCTAssertNotNil(pipeline.cachedImage(for: request(1, filter: "sepia(1)")))
        let fresh = self.pipeline()
        eventuallyEmpty(pipeline)
        pipeline.pending.isSuspended = true
        let task = pipeline.imageTask(for: request(1, filter: "sepia(1) blur(2px)"))
        // Only what is behind the beginning is left to do.
        XCTAssertEqual(pipeline.stageCount, 1)
        pipeline.pending.isSuspended = false
        let second = try await value(of: task)
        let expected = try await value(from: fresh, request(1, filter: "sepia(1) blur(2px)"))
        XCTAssertEqual(second, expected)
        XCTAssertNotEqual(first, second)
    }

    func testAFailureIsNotRemembered() async throws {
        let pipeline = pipeline()
        let request = ImageRequest(address: server.url("/late.png"))
        for _ in 0..<2 {
            let result = try await outcome(of: pipeline.imageTask(for: request))
            XCTAssertEqual(Self.reason(result), .http)
        }
        server.serve(try Self.image(3), at: "/late.png")
        let image = try await value(from: pipeline, request)
        XCTAssertEqual(Self.first(image), 33)
    }

    func testABodyIsCountedOnce() async throws {
        let pipeline = pipeline()
        pipeline.pending.isSuspended = true
        let ended = expectation(description: "all")
        ended.expectedFulfillmentCount = 4
        let requests = [request(1), request(1), request(1, size: 20), request(1, filter: "invert(1)")]
        let tasks = requests.map { pipeline.task(for: $0, of: Photo.ID(0)) { _ in } }
        for task in tasks { task.start { ended.fulfill() } }
        pipeline.pending.isSuspended = false
        await fulfillment(of: [ended], timeout: 60)
        XCTAssertEqual(tasks.map(\.receivedByteCount), [try Self.image(1).count, 0, 0, 0])
        eventuallyEmpty(pipeline)
    }

    /// Who gives it up has nothing of what others get, and the last one has what came until then.
    func testTheBytesOfWhoLeavesAreTheOthers() async throws {
        let pipeline = pipeline()
        let address = server.url(.stallMidBody)
        let tasks = (0..<3).map { _ in
            pipeline.task(for: ImageRequest(address: address), of: Photo.ID(0)) { _ in }
        }
        let ended = expectation(description: "all")
        ended.expectedFulfillmentCount = 3
        for task in tasks { task.start { ended.fulfill() } }
        eventually("half of it is there") { pipeline.memoryInUse > 0 }
        for task in tasks { task.cancel() }
        await fulfillment(of: [ended], timeout: 60)
        XCTAssertEqual(tasks.map(\.receivedByteCount), [0, 0, 500])
        eventuallyEmpty(pipeline)
    }

    /// So that a trace shows them as what they are.
    func testWhatFailsHasAnError() async throws {
        server.serve(Data("no picture".utf8), at: "/text")
        for (path, reason) in [("/text", PhotoError.Reason.notAnImage), ("/nothing", .http)] {
            let pipeline = pipeline()
            let queues = [pipeline.pending.decodeQueue, pipeline.pending.filtrationQueue]
            pipeline.pending.isSuspended = true
            let chain = try FilterChain(parsing: "invert(1)")
            let task = pipeline.imageTask(for: ImageRequest(address: server.url(path), filter: chain))
            let operations = queues.flatMap(\.operations)
            XCTAssertEqual(operations.count, 2)
            pipeline.pending.isSuspended = false
            _ = try await outcome(of: task)
            XCTAssertEqual(operations.map { ($0.error as? PhotoError)?.reason }, [reason, reason])
        }
    }

    func testAHeaderOfAnySizeIsNoCrash() async throws {
        var png = try Self.image(1)
        png.replaceSubrange(16..<24, with: [UInt8](repeating: 0xFF, count: 8))
        server.serve(png, at: "/huge.png")
        let request = ImageRequest(address: server.url("/huge.png"))
        let pipeline = pipeline()
        let result = try await outcome(of: pipeline.imageTask(for: request))
        XCTAssertEqual(Self.reason(result), .tooManyPixels)
        do throws(PhotoError) {
            _ = try await pipeline.animation(for: request).frame(0)
            XCTFail("no error")
        } catch {
            XCTAssertEqual(error.reason, .tooManyPixels)
        }
        eventuallyEmpty(pipeline)
    }

    func testTheMemoryOfPicturesNeverExceedsItsLimit() async throws {
        var configuration = configuration()
        configuration.cacheLimit = 3 * 7_000
        let pipeline = PhotoPipeline(configuration: configuration)
        for round in 0..<3 {
            for number in 0..<8 {
                _ = try await value(from: pipeline, request(number, filter: round == 1 ? "invert(1)" : "none"))
                XCTAssertLessThanOrEqual(pipeline.cache.byteCount, configuration.cacheLimit)
                XCTAssertGreaterThan(pipeline.cache.byteCount, 0)
            }
        }
        XCTAssertEqual(pipeline.cache.count, 3)
        pipeline.cache.limit = 7_000
        XCTAssertEqual(pipeline.cache.count, 1)
    }

    func testEqualRequestsReadTheDiskOnceAndCancelledOnesNot() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-cache-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        server.serve(try Self.image(5), at: "/kept.png", headers: ["Cache-Control": "max-age=600"])
        let request = ImageRequest(address: server.url("/kept.png"))
        let cache = DiskCache(folder: folder.path, limit: 8_000_000)
        var configuration = configuration()
        configuration.diskCache = cache
        configuration.cacheLimit = 0
        let pipeline = PhotoPipeline(configuration: configuration)
        _ = try await value(from: pipeline, request)
        await cache.flush()
        let before = cache.statistics
        pipeline.pending.isSuspended = true
        let tasks = (0..<10).map { _ in pipeline.imageTask(for: request) }
        let other = pipeline.imageTask(for: self.request(2))
        other.cancel()
        for task in tasks[..<5] { task.cancel() }
        pipeline.pending.isSuspended = false
        for task in tasks[5...] { _ = try await value(of: task) }
        _ = try await outcome(of: other)
        XCTAssertEqual(cache.statistics.lookups - before.lookups, 1)
        XCTAssertEqual(cache.statistics.bodiesRead - before.bodiesRead, 1)
        XCTAssertEqual(server.requestCount("/kept.png"), 1)
        eventuallyEmpty(pipeline)
    }

    func testPoliciesAreNotMixed() async throws {
        let pipeline = pipeline()
        _ = try await value(from: pipeline, request(1))
        server.serve(try Self.image(2), at: "/1.png")
        var reloading = request(1)
        reloading.cachePolicy = .reload
        let image = try await value(from: pipeline, reloading)
        XCTAssertEqual(Self.first(image), 22)
        let standard = try await value(from: pipeline, request(1))
        XCTAssertEqual(Self.first(standard), 22)
        var ignoring = request(3)
        ignoring.cachePolicy = .ignored
        _ = try await value(from: pipeline, ignoring)
        XCTAssertNil(pipeline.cachedImage(for: request(3)))
    }

    func testAnotherPolicyIsAnotherTransfer() async throws {
        let pipeline = pipeline()
        pipeline.pending.isSuspended = true
        var fresh = request(1)
        fresh.cachePolicy = .reload
        let usual = pipeline.imageTask(for: request(1))
        let stages = pipeline.stageCount
        let reloading = pipeline.imageTask(for: fresh)
        XCTAssertEqual(pipeline.stageCount, 2 * stages)
        pipeline.pending.isSuspended = false
        for task in [usual, reloading] { _ = try await value(of: task) }
        XCTAssertEqual(server.requestCount("/1.png"), 2)
    }

    func testPrefetchingFillsTheMemoryAndGivesUpWhatIsNotWanted() async throws {
        let pipeline = pipeline()
        let prefetcher = ImagePrefetcher(pipeline)
        pipeline.pending.isSuspended = true
        prefetcher.update(to: (0..<4).map { request($0) })
        prefetcher.update(to: (2..<6).map { request($0) })
        XCTAssertEqual(prefetcher.count, 4)
        // One becomes visible.
        let visible = pipeline.imageTask(for: request(5, priority: .high))
        XCTAssertEqual(priorities(pipeline).filter { $0 == .high }.count, 3)
        pipeline.pending.isSuspended = false
        _ = try await value(of: visible)
        for number in 2..<6 {
            eventually("\(number) is in memory") { pipeline.cachedImage(for: self.request(number)) != nil }
        }
        XCTAssertEqual((0..<2).map { server.requestCount("/\($0).png") }, [0, 0])
        XCTAssertEqual((2..<6).map { server.requestCount("/\($0).png") }, [1, 1, 1, 1])
        eventuallyEmpty(pipeline)
        eventually("nothing is on its way") { prefetcher.count == 0 }
    }

    func testAPrefetcherHoldsNothingThatHasCome() async throws {
        let pipeline = pipeline()
        let prefetcher = ImagePrefetcher(pipeline)
        let wanted = [request(1), request(2), request(99)]
        prefetcher.update(to: wanted)
        eventually("nothing is on its way") { prefetcher.count == 0 }
        let requests = server.requestCount("/99.png")
        XCTAssertNotNil(pipeline.cachedImage(for: request(1)))
        // Memory has let go of one picture; what failed stays as it is.
        pipeline.cache.removeAll()
        prefetcher.update(to: wanted)
        for number in [1, 2] {
            eventually("\(number) is in memory again") { pipeline.cachedImage(for: self.request(number)) != nil }
        }
        XCTAssertEqual(server.requestCount("/99.png"), requests)
        prefetcher.update(to: [request(1)])
        prefetcher.update(to: wanted)
        eventually("it is asked for again") { self.server.requestCount("/99.png") > requests }
        prefetcher.stop()
        eventuallyEmpty(pipeline)
    }

    /// What a policy keeps out of memory, and what is larger than that with what it takes besides, is not fetched at every step of a list that scrolls.
    func testAPrefetcherFetchesOnceWhatMemoryDoesNotTake() async throws {
        for (cacheLimit, policy) in [(64 << 20, CachePolicy.reload), (0, .standard), (40 * 30 * 4 + 1_000, .standard)] {
            var configuration = configuration()
            configuration.cacheLimit = cacheLimit
            let pipeline = PhotoPipeline(configuration: configuration)
            let prefetcher = ImagePrefetcher(pipeline)
            let before = server.requestCount("/3.png")
            var wanted = request(3)
            wanted.cachePolicy = policy
            for _ in 0..<3 {
                prefetcher.update(to: [wanted])
                eventually("nothing is on its way") { prefetcher.count == 0 }
            }
            XCTAssertEqual(server.requestCount("/3.png"), before + 1, "\(cacheLimit) \(policy)")
            prefetcher.stop()
            prefetcher.update(to: [wanted])
            eventually("nothing is on its way") { prefetcher.count == 0 }
            XCTAssertEqual(server.requestCount("/3.png"), before + 2, "it left, and came back")
            eventuallyEmpty(pipeline)
        }
    }
}
