import TestServers
import Transfers
import XCTest

@testable import PhotoPipeline

/// Pictures in memory are shown as they are; how others have those that are there by now.
final class MemoryPolicyTests: PipelineTestCase {
    func testMemoryIsNotComparedWithTheServer() async throws {
        let pipeline = pipeline()
        server.serve(try Self.image(1), at: "/a.png")
        var first = try await grey(from: pipeline)
        XCTAssertEqual(first, 11)
        server.serve(try Self.image(2), at: "/a.png")
        first = try await grey(from: pipeline)
        XCTAssertEqual(first, 11)
        XCTAssertEqual(server.requestCount("/a.png"), 1)
        // What was asked for anew takes the old one's place.
        first = try await grey(from: pipeline, .revalidated)
        XCTAssertEqual(first, 22)
        first = try await grey(from: pipeline)
        XCTAssertEqual(first, 22)
        XCTAssertEqual(server.requestCount("/a.png"), 2)
    }

    /// As a server of pictures has it.
    func testWithoutMemoryTheRulesOfHTTPCount() async throws {
        var configuration = configuration()
        configuration.cacheLimit = 0
        let pipeline = PhotoPipeline(configuration: configuration)
        for number in 1...3 {
            server.serve(try Self.image(number), at: "/a.png")
            let first = try await grey(from: pipeline)
            XCTAssertEqual(first, 11 * number)
        }
    }

    func testOnlyIfCachedAsksNoServerWhereNothingIsOnDisk() async throws {
        server.serve(try Self.image(1), at: "/a.png")
        let pipeline = PhotoPipeline()
        let request = ImageRequest(address: server.url("/a.png"), cachePolicy: .onlyIfCached)
        let absent = try await outcome(of: pipeline.imageTask(for: request))
        XCTAssertEqual(Self.reason(absent), .unreachable)
        XCTAssertEqual(server.requestCount(), 0)
        // What is in memory is shown.
        let first = try await grey(from: pipeline)
        XCTAssertEqual(first, 11)
        let again = try await grey(from: pipeline, .onlyIfCached)
        XCTAssertEqual(again, 11)
        XCTAssertEqual(server.requestCount("/a.png"), 1)
    }

    private func grey(from pipeline: PhotoPipeline, _ policy: CachePolicy = .standard) async throws -> Int {
        let request = ImageRequest(address: server.url("/a.png"), cachePolicy: policy)
        return Int(Self.first(try await value(from: pipeline, request)))
    }
}
