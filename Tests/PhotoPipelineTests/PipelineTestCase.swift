import Foundation
import ImageCodecs
import Operations
import OperationsTesting
import Pixels
import TestServers
import Transfers
import XCTest

@testable import PhotoPipeline

/// What the suites about one pipeline share: a server with pictures, a pipeline that counts its decodings, and waiting.
class PipelineTestCase: XCTestCase {
    private(set) var server: FaultServer!
    let decodings = Lock(0)

    override func setUpWithError() throws {
        server = try FaultServer()
        for number in 0..<8 { server.serve(try Self.image(number), at: "/\(number).png") }
    }

    override func tearDown() { server.stop() }

    /// What an asynchronous function returns, unless it takes so long that it can be said to hang.
    func soon<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let ended = expectation(description: "it ends")
        let result = Lock<Result<Value, any Error>?>(nil)
        Task {
            do {
                let value = try await work()
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            ended.fulfill()
        }
        await fulfillment(of: [ended], timeout: 120)
        return try XCTUnwrap(result.withLock { $0 }).get()
    }

    func outcome(of task: ImageTask) async throws -> Result<PixelBuffer, PhotoError> {
        try await soon { await task.result }
    }

    /// As `outcome(of:)`; what hangs says where it is.
    func outcome(of task: ImageTask, in pipeline: PhotoPipeline) async throws -> Result<PixelBuffer, PhotoError> {
        do { return try await outcome(of: task) } catch {
            print("\(pipeline.pending.count) on their way, \(pipeline.memoryInUse) bytes")
            for queue in pipeline.pending.queues {
                print("\(queue.name ?? ""): \(queue.operationCount) \(queue.diagnostics)")
                for operation in queue.operations {
                    let unmet = operation.dependencies.filter { !$0.isFinished }.map { $0.name ?? "" }
                    print(
                        "  \(operation.name ?? "") ready \(operation.isReady) executing \(operation.isExecuting)",
                        "cancelled \(operation.isCancelled) unmet \(unmet)")
                }
            }
            throw error
        }
    }

    func value(of task: ImageTask) async throws -> PixelBuffer { try await soon { try await task.value } }

    func value(from pipeline: PhotoPipeline, _ request: ImageRequest) async throws -> PixelBuffer {
        try await soon { try await pipeline.image(for: request) }
    }

    func configuration() -> PhotoPipeline.Configuration {
        var configuration = PhotoPipeline.Configuration()
        configuration.decoders = [
            AnyDecoder { [decodings] (bytes, options, isCancelled) throws(ImageCodecError) in
                decodings.withLock { $0 += 1 }
                return try ImageDecoder.decodeWithInfo(bytes, options, isCancelled: isCancelled).pixels
            }
        ]
        return configuration
    }

    func pipeline() -> PhotoPipeline { PhotoPipeline(configuration: configuration()) }

    func request(
        _ number: Int, size: Int? = nil, filter: String = "none", priority: Operation.QueuePriority = .normal
    ) -> ImageRequest {
        let chain = (try? FilterChain(parsing: filter)) ?? .none
        return ImageRequest(
            address: server.url("/\(number).png"), longestSide: size, filter: chain, priority: priority)
    }

    func priorities(_ pipeline: PhotoPipeline) -> [Operation.QueuePriority] {
        let pending = pipeline.pending
        let queues = [pending.downloadQueue, pending.decodeQueue, pending.filtrationQueue, pending.endQueue]
        return queues.flatMap { queue in
            queue.operations.filter { !$0.isCancelled }.map(\.queuePriority)
        }
    }

    func eventuallyEmpty(_ pipeline: PhotoPipeline, line: UInt = #line) {
        eventually("nothing is left", line: line) {
            pipeline.stageCount == 0 && pipeline.memoryInUse == 0 && pipeline.pending.count == 0
        }
    }

    func eventually(_ what: String, line: UInt = #line, _ isMet: () -> Bool) {
        let end = Date(timeIntervalSinceNow: 60)
        while !isMet(), Date() < end { usleep(2_000) }
        XCTAssert(isMet(), what, line: line)
    }

    /// Blocks the thread until somebody signals, or until that can be said to hang.
    static func wait(for semaphore: DispatchSemaphore) { _ = semaphore.wait(timeout: .now() + 60) }

    static func first(_ image: PixelBuffer) -> UInt8 { image.withUnsafeBytes { $0[0] } }

    static func reason(_ result: Result<PixelBuffer, PhotoError>) -> PhotoError.Reason? {
        if case .failure(let error) = result { error.reason } else { nil }
    }

    /// A picture of one grey, 11 for each number.
    static func image(_ number: Int) throws -> Data {
        let buffer = PixelBuffer(uninitialized: PixelSize(width: 40, height: 30), isOpaque: true) { bytes in
            for index in bytes.indices { bytes[index] = index % 4 == 3 ? 255 : UInt8(number * 11) }
        }
        return try ImageEncoder(format: .png).encode(buffer)
    }
}
