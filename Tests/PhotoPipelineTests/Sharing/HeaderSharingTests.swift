import Foundation
import ImageCodecs
import Operations
import TestServers
import Transfers
import XCTest

@testable import PhotoPipeline

/// What a request is sent with is part of what is asked for: nothing is shared between people whom different headers let in.
final class HeaderSharingTests: PipelineTestCase {
    private func bearer(_ token: String) throws -> RequestHeaders { try .authorization(bearer: token) }

    private func request(_ number: Int, _ headers: RequestHeaders) -> ImageRequest {
        var request = request(number)
        request.headers = headers
        return request
    }

    func testTwoUsersShareNeitherTransferNorMemory() async throws {
        let pipeline = pipeline()
        let requests = [
            request(1, try bearer("anna")), request(1, try bearer("bert")), request(1, RequestHeaders()),
            request(1, try bearer("anna")),
        ]
        pipeline.pending.isSuspended = true
        let tasks = requests.map { pipeline.imageTask(for: $0) }
        pipeline.pending.isSuspended = false
        for task in tasks { _ = try await value(of: task) }
        XCTAssertEqual(
            server.requestHeaders("Authorization", at: "/1.png").map { $0 ?? "" }.sorted(),
            ["", "Bearer anna", "Bearer bert"])
        XCTAssertEqual(decodings.withLock { $0 }, 3)
        // The pictures become others; in memory each still has their own.
        server.serve(try Self.image(5), at: "/1.png")
        for request in requests {
            XCTAssertEqual(pipeline.cachedImage(for: request).map(Self.first), 11)
            let again = try await value(from: pipeline, request)
            XCTAssertEqual(Self.first(again), 11)
        }
        let carl = request(1, try bearer("carl"))
        XCTAssertNil(pipeline.cachedImage(for: carl))
        let image = try await value(from: pipeline, carl)
        XCTAssertEqual(Self.first(image), 55)
        eventuallyEmpty(pipeline)
    }

    func testWhatThePipelineHasForAnOriginIsPartOfIt() async throws {
        let token = Lock("anna")
        var configuration = configuration()
        configuration.requestHeaders = { [server] origin in
            guard origin.port == server?.port else { return RequestHeaders() }
            return (try? .authorization(bearer: token.withLock { $0 })) ?? RequestHeaders()
        }
        let pipeline = PhotoPipeline(configuration: configuration)
        _ = try await value(from: pipeline, request(1))
        XCTAssertNotNil(pipeline.cachedImage(for: request(1)))
        // Who says the same means the same.
        XCTAssertNotNil(pipeline.cachedImage(for: request(1, try bearer("anna"))))
        token.withLock { $0 = "bert" }
        XCTAssertNil(pipeline.cachedImage(for: request(1)))
        _ = try await value(from: pipeline, request(1))
        XCTAssertEqual(server.requestHeaders("Authorization", at: "/1.png"), ["Bearer anna", "Bearer bert"])
    }

    func testOneDiskCacheForTwoUsers() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cache-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let cache = DiskCache(folder: folder.path)
        for (number, token) in ["anna", "bert", "anna"].enumerated() {
            server.serve(
                try Self.image(number + 1), at: "/private.png", headers: ["Cache-Control": "private, max-age=600"])
            var configuration = configuration()
            configuration.diskCache = cache
            let wanted = ImageRequest(address: server.url("/private.png"), headers: try bearer(token))
            let image = try await value(from: PhotoPipeline(configuration: configuration), wanted)
            XCTAssertEqual(Self.first(image), number == 1 ? 22 : 11)
            await cache.flush()
        }
        XCTAssertEqual(server.requestCount("/private.png"), 2)
    }
}
