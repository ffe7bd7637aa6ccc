import Dispatch
import Foundation
import Operations
import TestServers
import Transfers
import XCTest

@testable import PhotoPipeline

/// Loaders of one's own.
final class LoaderTests: PipelineTestCase {
    /// A loader that does what a closure says.
    private struct Loader: ImageLoading {
        let work: @Sendable (URL, Int) async throws -> Data

        func load(_ address: URL, limit: Int) async throws -> Data { try await work(address, limit) }
    }

    private let loads = Lock<[String]>([])

    private func pipeline(
        _ change: (inout PhotoPipeline.Configuration) -> Void = { _ in },
        loading work: @escaping @Sendable (URL, Int) async throws -> Data
    ) -> PhotoPipeline {
        var configuration = configuration()
        configuration.loaders["shelf"] = Loader { [loads] address, limit in
            loads.withLock { $0.append(address.path) }
            return try await work(address, limit)
        }
        change(&configuration)
        return PhotoPipeline(configuration: configuration)
    }

    private func request(_ name: String, size: Int? = nil, policy: CachePolicy = .standard) throws -> ImageRequest {
        ImageRequest(address: try XCTUnwrap(URL(string: "SHELF:/\(name)")), longestSide: size, cachePolicy: policy)
    }

    func testItsFileIsLoadedOnceForAllAndKeptInMemory() async throws {
        let file = try Self.image(3)
        let isMain = Lock(true)
        let pipeline = pipeline { _, _ in
            isMain.withLock { $0 = Thread.isMainThread }
            return file
        }
        pipeline.pending.isSuspended = true
        let tasks = try [40, 20, 20].map { pipeline.imageTask(for: try request("a", size: $0)) }
        pipeline.pending.isSuspended = false
        var sizes: [Int] = []
        for task in tasks { sizes.append(try await value(of: task).size.width) }
        XCTAssertEqual(sizes, [40, 20, 20])
        XCTAssertEqual(loads.withLock { $0 }, ["/a"])
        XCTAssertFalse(isMain.withLock { $0 })
        eventuallyEmpty(pipeline)
        let again = try await value(from: pipeline, request("a", size: 20, policy: .onlyIfCached))
        XCTAssertEqual(Self.first(again), 33)
        let absent = try await outcome(of: pipeline.imageTask(for: request("b", policy: .onlyIfCached)))
        XCTAssertEqual(Self.reason(absent), .unreachable)
        XCTAssertEqual(loads.withLock { $0 }, ["/a"])
        XCTAssertEqual(server.requestCount(), 0)
        XCTAssert(pipeline.pending.queues.contains(pipeline.pending.loadQueue))
        XCTAssertFalse(self.pipeline().pending.queues.contains { $0.name == "Load queue" }, "nothing can be in it")
    }

    func testStatesAndBytesAreToldAsForATransfer() async throws {
        let file = try Self.image(3)
        let pipeline = pipeline { _, _ in file }
        let (states, over) = (Lock<[Photo.State]>([]), expectation(description: "over"))
        let task = pipeline.task(for: try request("a"), of: Photo.ID(0)) { update in
            states.withLock { $0.append(update.state) }
        }
        task.start { over.fulfill() }
        await fulfillment(of: [over], timeout: 60)
        XCTAssertEqual(
            states.withLock { $0.filter { $0 != .waiting } },
            [.downloading, .decoding, .downloaded, .filtering, .filtered])
        XCTAssertEqual(task.receivedByteCount, file.count)
    }

    func testErrorsAreTyped() async throws {
        struct Dust: Error, CustomStringConvertible { let description = "too much dust" }
        let pipeline = pipeline { address, _ in
            switch address.path {
            case "/typed": throw PhotoError(.notFound, "There is no such shelf.")
            case "/cancelled": throw CancellationError()
            case "/empty": return Data()
            default: throw Dust()
            }
        }
        for (name, error) in [
            ("typed", PhotoError(.notFound, "There is no such shelf.")),
            ("other", PhotoError(.loaderFailed, "Loader failed: too much dust")),
        ] {
            let result = try await outcome(of: pipeline.imageTask(for: request(name)))
            XCTAssertEqual(result, .failure(error))
        }
        for (name, reason) in [("cancelled", PhotoError.Reason.loaderFailed), ("empty", .empty)] {
            let result = try await outcome(of: pipeline.imageTask(for: request(name)))
            XCTAssertEqual(Self.reason(result), reason)
        }
        // Other schemes, and those that are the client's, are not a loader's.
        var configuration = configuration()
        for scheme in ["http", "file"] { configuration.loaders[scheme] = Loader { _, _ in throw Dust() } }
        let other = PhotoPipeline(configuration: configuration)
        let refused = try await outcome(of: other.imageTask(for: request("a")))
        XCTAssertEqual(Self.reason(refused), .forbiddenAddress)
        let image = try await value(from: other, request(1))
        XCTAssertEqual(Self.first(image), 11)
        for each in [pipeline, other] { eventuallyEmpty(each) }
    }

    /// A database has threads of its own to wait with; Swift's few are for all tasks of the program.
    func testLoadersThatBlockTheirThreadHoldNothingElseUp() async throws {
        let file = try Self.image(3)
        let (inside, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let count = ProcessInfo.processInfo.activeProcessorCount + 2
        let pipeline = pipeline({ $0.downloadWidthPerHost = count }) { _, _ in
            inside.signal()
            // The limit keeps a failure from lasting for ever.
            Self.wait(for: gate)
            return file
        }
        let tasks = try (0..<count).map { pipeline.imageTask(for: try request("\($0)")) }
        let areInside = expectation(description: "all at once")
        Thread.detachNewThread {
            for _ in 0..<count { Self.wait(for: inside) }
            areInside.fulfill()
        }
        await fulfillment(of: [areInside], timeout: 60)
        // One more task of the program's, which the loaders wait for.
        Task.detached { for _ in 0..<count { gate.signal() } }
        for task in tasks {
            let image = try await value(of: task)
            XCTAssertEqual(Self.first(image), 33)
        }
        eventuallyEmpty(pipeline)
    }

    func testALoaderThatBlocksItsThreadIsNotWaitedFor() async throws {
        let (file, gate) = (try Self.image(3), DispatchSemaphore(value: 0))
        let pipeline = pipeline({ $0.transferLimits.totalTimeout = .milliseconds(50) }) { _, _ in
            Self.wait(for: gate)
            return file
        }
        let result = try await outcome(of: pipeline.imageTask(for: request("a")))
        XCTAssertEqual(Self.reason(result), .timeout)
        gate.signal()
        eventuallyEmpty(pipeline)
    }

    /// By which people mean that there is none.
    func testNumbersWithoutEnd() async throws {
        let file = try Self.image(3)
        let pipeline = pipeline {
            $0.transferLimits.totalTimeout = .seconds(Int64.max)
            $0.transferRetries = .max
            $0.decodeWidth = 0
            $0.filtrationWidth = 0
        } loading: { _, _ in
            file
        }
        let (loaded, sent) = (
            try await value(from: pipeline, request("a")), try await value(from: pipeline, request(1))
        )
        XCTAssertEqual([Self.first(loaded), Self.first(sent)], [33, 11])
        eventuallyEmpty(pipeline)
    }

    func testTheLimitOfSizeHolds() async throws {
        let file = try Self.image(3)
        let limits = Lock<[Int]>([])
        for (limit, reason) in [(file.count, nil), (file.count - 1, PhotoError.Reason.tooLarge)] {
            let pipeline = pipeline({ $0.transferLimits.maxBytes = limit }) { _, limit in
                limits.withLock { $0.append(limit) }
                return file
            }
            let result = try await outcome(of: pipeline.imageTask(for: request("a")))
            XCTAssertEqual(Self.reason(result), reason)
            eventuallyEmpty(pipeline)
        }
        XCTAssertEqual(limits.withLock { $0 }, [file.count, file.count - 1])
    }

    func testTheLastOneWhoLeavesCancelsIt() async throws {
        let (began, ended) = (expectation(description: "began"), expectation(description: "cancelled"))
        let pipeline = pipeline { _, _ in
            began.fulfill()
            do { try await Task.sleep(for: .seconds(600)) } catch {
                ended.fulfill()
                throw error
            }
            return Data()
        }
        let tasks = try (0..<2).map { _ in pipeline.imageTask(for: try request("a")) }
        await fulfillment(of: [began], timeout: 60)
        tasks[0].cancel()
        let first = try await outcome(of: tasks[0])
        XCTAssertEqual(Self.reason(first), .cancelled)
        XCTAssertEqual(pipeline.pending.loadQueue.operationCount, 1)
        tasks[1].cancel()
        await fulfillment(of: [ended], timeout: 60)
        let second = try await outcome(of: tasks[1])
        XCTAssertEqual(Self.reason(second), .cancelled)
        eventuallyEmpty(pipeline)
    }

    /// It is given up, also where the loader does not listen, and what it brings later is dropped.
    func testOneThatTakesTooLongIsATimeout() async throws {
        let file = try Self.image(3)
        let (mayEnd, hasEnded) = (Lock(false), expectation(description: "it has ended"))
        let pipeline = pipeline({ $0.transferLimits.totalTimeout = .milliseconds(50) }) { _, _ in
            while !mayEnd.withLock({ $0 }) { await Task.yield() }
            hasEnded.fulfill()
            return file
        }
        let result = try await outcome(of: pipeline.imageTask(for: request("a")))
        XCTAssertEqual(Self.reason(result), .timeout)
        eventuallyEmpty(pipeline)
        mayEnd.withLock { $0 = true }
        await fulfillment(of: [hasEnded], timeout: 60)
        XCTAssertEqual(pipeline.memoryInUse, 0)
    }

    func testItsBytesCountAndItWaitsWhileTooMuchIsInWork() async throws {
        let file = try Self.image(3)
        let pipeline = pipeline({
            $0.imagesInWork = 2
            $0.cacheLimit = 0
        }) { _, _ in file }
        pipeline.pending.decodeQueue.isSuspended = true
        let tasks = try (0..<6).map { pipeline.imageTask(for: try request("\($0)")) }
        eventually("nothing more begins") {
            loads.withLock { $0.count } >= 2 && pipeline.pending.loadQueue.isSuspended
        }
        eventually("their memory is counted") {
            let count = loads.withLock { $0.count }
            return pipeline.memoryInUse == count * (file.count + 40 * 30 * 4)
        }
        // Those that were under way arrive all the same.
        XCTAssertLessThanOrEqual(loads.withLock { $0.count }, 6)
        pipeline.pending.decodeQueue.isSuspended = false
        for task in tasks { _ = try await value(of: task) }
        XCTAssertEqual(loads.withLock { $0.count }, 6)
        eventuallyEmpty(pipeline)
    }
}
