import Foundation
import ImageCodecs
import Operations
import TestServers
import Transfers
import XCTest

@testable import PhotoPipeline

/// Which pictures are on disk, and when they are used.
final class ImageDiskCacheTests: FinishedTestCase {
    func testTheNextProgramDoesNothingAgain() async throws {
        var request = request(3, size: 20, filter: "invert(1) blur(1px) sepia(0.5)")
        request.processing = ProcessingChain(
            request.processing.steps + [.processor(Counting(cacheKey: "a", runs: runs))])
        let first = try await make(request, cache())
        XCTAssertEqual(first.found, 0)
        XCTAssertEqual(runs.withLock { $0 }, 1)
        let cache = cache()
        let second = try await make(request, cache)
        XCTAssertEqual(second.found, 1)
        XCTAssertEqual(second.pixels, first.pixels)
        XCTAssertEqual(second.pixels.isOpaque, first.pixels.isOpaque)
        XCTAssertEqual(runs.withLock { $0 }, 1)
        XCTAssertEqual(cache.statistics.stored, 0)
    }

    func testNobodyButAFlushWaitsUntilAPictureIsPacked() async throws {
        let cache = cache()
        let pipeline = pipeline(cache)
        cache.packQueue.isSuspended = true
        let image = try await value(from: pipeline, request(1, filter: "invert(1)"))
        eventually("its memory counts as long") { pipeline.memoryInUse == image.byteCount }
        XCTAssertEqual(cache.packQueue.operationCount, 1)
        XCTAssertEqual(pipeline.pending.count, 0)
        cache.packQueue.isSuspended = false
        await cache.flush()
        XCTAssertEqual(cache.statistics.stored, 1)
        eventuallyEmpty(pipeline)
    }

    func testAPhotosStatesAreThoseOfAnyOther() async throws {
        let request = request(3, size: 20, filter: "invert(1)")
        _ = try await make(request, cache())
        let updates = Lock<[Photo.Update]>([])
        let pipeline = pipeline(cache())
        let over = expectation(description: "over")
        let task = pipeline.task(for: request, of: Photo.ID(0)) { update in updates.withLock { $0.append(update) } }
        task.start { over.fulfill() }
        await fulfillment(of: [over], timeout: 60)
        let seen = updates.withLock { $0 }
        let states = seen.map { "\($0.state)" }.filter { $0 != "waiting" }
        XCTAssertEqual(states, ["downloading", "decoding", "downloaded", "filtering", "filtered"])
        XCTAssertEqual(seen.map { $0.image != nil }.count { $0 }, 1)
        XCTAssertEqual(seen.last?.timings?.stages.count, 3)
        XCTAssertEqual(task.metrics?.source, .network)
        XCTAssertNotNil(try task.takeResult()?.get())
        XCTAssertNotNil(pipeline.cachedImage(for: request))
        // What was not decoded is not in memory.
        XCTAssertNil(pipeline.cachedImage(for: self.request(3, size: 20)))
        eventuallyEmpty(pipeline)
    }

    func testEachSizeStepKeyAndAddressIsAnother() async throws {
        let cache = cache()
        try await expect(0, request(1), cache)
        try await expect(1, request(1), cache)
        try await expect(0, request(1, size: 20), cache)
        try await expect(0, request(1, filter: "invert(1)"), cache)
        try await expect(0, request(1, filter: "invert(0.9)"), cache)
        try await expect(0, request(2), cache)
        server.serve(try Self.image(1), at: "/copy.png")
        try await expect(0, ImageRequest(address: server.url("/copy.png")), cache)
        for key in ["a", "b"] {
            var processed = request(1)
            processed.processing = [.processor(Counting(cacheKey: key, runs: runs))]
            try await expect(0, processed, cache)
            try await expect(1, processed, cache)
        }
        var cropped = request(1)
        cropped.resize = .crop(width: 10, height: 10)
        try await expect(0, cropped, cache)
        cropped.resize = .exact(width: 10, height: 10)
        try await expect(0, cropped, cache)
        try await expect(0, request(1), cache) { $0.decodeLimits.maxPixels = 5_000 }
    }

    // MARK: Never older than the source

    func testAPhotoThatHasChangedIsMadeAnew() async throws {
        let cache = cache()
        let first = try await make(request(1, filter: "sepia(0.1)"), cache)
        server.serve(try Self.image(2), at: "/1.png")
        let second = try await make(request(1, filter: "sepia(0.1)"), cache)
        XCTAssertEqual(second.found, 0)
        XCTAssertNotEqual(first.pixels, second.pixels)
        // And the first one is still the one of its bytes.
        server.serve(try Self.image(1), at: "/1.png")
        let third = try await make(request(1, filter: "sepia(0.1)"), cache)
        XCTAssertEqual(third.found, 1)
        XCTAssertEqual(third.pixels, first.pixels)
    }

    func testWithADiskCacheForHTTPItsRulesHold() async throws {
        let cache = cache()
        let http = DiskCache(folder: folder.path, limit: 8_000_000)
        server.serve(try Self.image(1), at: "/1.png", headers: ["Cache-Control": "max-age=600", "ETag": "\"1\""])
        _ = try await make(request(1), cache) { $0.diskCache = http }
        await http.flush()
        server.serve(try Self.image(2), at: "/1.png", headers: ["Cache-Control": "max-age=600", "ETag": "\"2\""])
        // Fresh for ten minutes: nobody is asked.
        let fresh = try await make(request(1), cache) { $0.diskCache = http }
        XCTAssertEqual(Self.first(fresh.pixels), 11)
        XCTAssertEqual(fresh.found, 1)
        var asking = request(1)
        asking.cachePolicy = .revalidated
        let asked = try await make(asking, cache) { $0.diskCache = http }
        XCTAssertEqual(Self.first(asked.pixels), 22)
        XCTAssertEqual(asked.found, 0)
        try await expect(1, asking, cache) { $0.diskCache = http }
        XCTAssertEqual(server.requestCount("/1.png"), 3)
    }

    func testAFileThatHasChangedIsMadeAnewAlsoAtTheSameTimeAndOfTheSameSize() async throws {
        let cache = cache()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "photo.bmp")
        var bytes = try ImageEncoder(format: .jpeg, quality: 90).encode(Self.noise(32, 32, seed: 1))
        let request = ImageRequest(address: file, longestSide: 8, allowsLocalFiles: true)
        let date = Date(timeIntervalSince1970: 1_000_000)
        func write() throws {
            try bytes.write(to: file)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
        }
        try write()
        let first = try await make(request, cache)
        try await expect(1, request, cache)
        // Another table of quantisation: as long, and darker.
        let place = try XCTUnwrap(bytes.firstRange(of: [0xFF, 0xDB])).lowerBound + 5
        bytes[place] = bytes[place] / 2 + 1
        try write()
        let second = try await make(request, cache)
        XCTAssertEqual(second.found, 0)
        XCTAssertNotEqual(second.pixels, first.pixels)
    }

    func testReloadingAndIgnoring() async throws {
        let cache = cache()
        var request = request(1)
        request.cachePolicy = .ignored
        try await expect(0, request, cache)
        XCTAssertEqual(cache.statistics.stored, 0)
        request.cachePolicy = .reload
        try await expect(0, request, cache)
        XCTAssertEqual(cache.statistics.stored, 1)
        try await expect(0, request, cache)
        request.cachePolicy = .standard
        try await expect(1, request, cache)
        request.cachePolicy = .ignored
        try await expect(0, request, cache)
    }

    // MARK: What is not kept

    func testWhatHTTPForbidsToStoreIsNotKept() async throws {
        let cache = cache()
        for (path, headers) in [("/a.png", ["Cache-Control": "no-store"]), ("/b.png", ["Vary": "*"])] {
            server.serve(try Self.image(1), at: path, headers: headers)
            for _ in 0..<2 { try await expect(0, ImageRequest(address: server.url(path)), cache) }
        }
        var request = request(1)
        request.headers = try .authorization(user: "ann", password: "secret")
        for _ in 0..<2 { try await expect(0, request, cache) }
        var address = URLComponents(url: server.url("/1.png"), resolvingAgainstBaseURL: false)
        address?.user = "ann"
        address?.password = "secret"
        for _ in 0..<2 { try await expect(0, ImageRequest(address: try XCTUnwrap(address?.url)), cache) }
        XCTAssertEqual(cache.statistics.stored, 0)
    }

    func testDamagedPicturesAndThoseOfOwnDecodersAreNotKept() async throws {
        let cache = cache()
        var data = ProgressiveImage.file
        data.removeLast(data.count / 4)
        server.serve(data, at: "/cut.jpg")
        let cut = ImageRequest(address: server.url("/cut.jpg"))
        for _ in 0..<2 { try await expect(0, cut, cache) { $0.toleratesDamage = true } }
        try await expect(0, request(1), cache) { $0.decoders = self.configuration().decoders }
        XCTAssertEqual(cache.statistics.stored, 0)
        try await expect(0, request(1), cache)
        // What another program has made is not what this one's decoder would.
        try await expect(0, request(1), cache) { $0.decoders = self.configuration().decoders }
        XCTAssertEqual(decodings.withLock { $0 }, 2)
    }

    func testAPictureOfOneInMemoryIsNotKept() async throws {
        let cache = cache()
        let pipeline = pipeline(cache)
        _ = try await value(from: pipeline, request(1, filter: "invert(1)"))
        for amount in 1...5 { _ = try await value(from: pipeline, request(1, filter: "sepia(0.\(amount))")) }
        eventuallyEmpty(pipeline)
        await cache.flush()
        XCTAssertEqual(cache.statistics.stored, 1)
    }

    func testMetadataStaysWithItsPicture() async throws {
        let cache = cache()
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:source="a dune"/></rdf:RDF></x:xmpmeta>
            """
        let metadata = ImageMetadata(xmp: Data(packet.utf8))
        let file = try ImageEncoder(format: .jpeg).encode(Self.noise(20, 20, seed: 3), metadata: metadata)
        server.serve(file, at: "/xmp.jpg")
        let request = ImageRequest(address: server.url("/xmp.jpg"))
        try await expect(0, request, cache)
        var seen: [ImageMetadata?] = []
        for _ in 0..<2 {
            let pipeline = pipeline(cache) { $0.keepsMetadata = true }
            let over = expectation(description: "over")
            let task = pipeline.task(for: request, of: Photo.ID(0)) { _ in }
            task.start { over.fulfill() }
            await fulfillment(of: [over], timeout: 60)
            seen.append(try task.takeImage()?.get().metadata)
            await cache.flush()
        }
        XCTAssertEqual(cache.statistics.found, 1)
        XCTAssertNotNil(seen[0])
        XCTAssertEqual(seen[0], seen[1])
    }

    // MARK: Age and room

    func testPicturesGrowOld() async throws {
        let cache = cache(maxAge: .seconds(100))
        try await expect(0, request(1), cache)
        try await expect(0, request(2), cache)
        time.withLock { $0 += 60 }
        try await expect(1, request(1), cache)
        // From when it was made, however often it was used.
        time.withLock { $0 += 40 }
        try await expect(0, request(1), cache)
        try await expect(1, request(1), cache)
        // What nobody asks for any more goes with what is stored.
        XCTAssertEqual(try entries(), 2)
        time.withLock { $0 += 61 }
        try await expect(0, request(3), cache)
        XCTAssertEqual(try entries(), 2)
    }

    private func entries() throws -> Int {
        let database = folder.appending(path: "images-v\(CacheFolder.schema)-1.sqlite")
        return try XCTUnwrap(SQLiteConnection(path: database.path).number("SELECT count(*) FROM entry"))
    }

    func testTheLimitHoldsAndWhatWasUsedLastStays() async throws {
        let limit = 5_000_000
        let cache = cache(limit: limit)
        for number in 0..<40 {
            let noise = Self.noise(256, 256, seed: UInt64(number) * 77 + 5)
            server.serve(try ImageEncoder(format: .png).encode(noise), at: "/noise\(number).png")
        }
        let kept = request(1)
        try await expect(0, kept, cache)
        for number in 0..<40 {
            time.withLock { $0 += 1 }
            try await expect(0, ImageRequest(address: server.url("/noise\(number).png")), cache)
            XCTAssertLessThanOrEqual(bytesOnDisk, limit)
            try await expect(1, kept, cache)
        }
        try await expect(1, ImageRequest(address: server.url("/noise39.png")), cache)
        try await expect(0, ImageRequest(address: server.url("/noise0.png")), cache)
    }

    // MARK: Together with others

    func testTwoThatWantDifferentThingsOfOneFile() async throws {
        let (one, other) = (request(1, filter: "invert(1) blur(1px)"), request(1, filter: "invert(1) blur(2px)"))
        let expected = [try await make(one, cache()).pixels, try await make(other, cache()).pixels]
        // Both are there, one is there, none is, in one program.
        for round in 0..<3 {
            let cache = cache()
            let pipeline = pipeline(cache)
            let third = request(1, filter: "invert(1) blur(\(round + 3)px)")
            let requests = round == 0 ? [one, other] : [one, third, other]
            pipeline.pending.isSuspended = true
            let tasks = requests.map { pipeline.imageTask(for: $0) }
            pipeline.pending.isSuspended = false
            var images: [PixelBuffer] = []
            for task in tasks { images.append(try await value(of: task)) }
            XCTAssertEqual(images[0], expected[0])
            XCTAssertEqual(images.last, expected[1])
            XCTAssertEqual(cache.statistics.found, 2)
            eventuallyEmpty(pipeline)
            await cache.flush()
            XCTAssertEqual(cache.statistics.stored, round == 0 ? 0 : 1)
        }
    }

    func testWhoComesWhenItIsDecidedThatNothingIsDecoded() async throws {
        let one = request(1, filter: "invert(1) blur(1px)")
        _ = try await make(one, cache())
        let pipeline = pipeline(cache())
        pipeline.pending.decodeQueue.isSuspended = true
        let first = pipeline.imageTask(for: one)
        eventually("the look-up is done") { pipeline.pending.decodeQueue.operations.contains { $0.isReady } }
        // Its beginning, and another one that begins as it does: neither was found.
        let others = [request(1, filter: "invert(1)"), request(1, filter: "invert(1) blur(2px)")].map {
            pipeline.imageTask(for: $0)
        }
        let same = pipeline.imageTask(for: one)
        pipeline.pending.decodeQueue.isSuspended = false
        let images = [try await value(of: first), try await value(of: same)]
        XCTAssertEqual(images[0], images[1])
        for other in others {
            let made = try await value(of: other)
            XCTAssertEqual(made.size, PixelSize(width: 40, height: 30))
        }
        eventuallyEmpty(pipeline)
    }

    func testCancellingAtAnyStage() async throws {
        let one = request(1, filter: "invert(1)")
        _ = try await make(one, cache())
        let queues: [(PhotoPipeline) -> OperationQueue] = [
            { $0.pending.downloadQueue }, { $0.pending.memoryQueue }, { $0.pending.decodeQueue },
            { $0.pending.filtrationQueue },
        ]
        for queue in queues {
            let pipeline = pipeline(cache())
            queue(pipeline).isSuspended = true
            let task = pipeline.imageTask(for: one)
            eventually("it has come to the queue") { queue(pipeline).operations.contains { $0.isReady } }
            task.cancel()
            queue(pipeline).isSuspended = false
            let result = try await outcome(of: task)
            XCTAssertEqual(Self.reason(result), .cancelled)
            eventuallyEmpty(pipeline)
        }
    }

    func testManyAtOnceInLittleMemory() async throws {
        let cache = cache()
        for round in 0..<2 {
            let pipeline = pipeline(cache) { configuration in
                configuration.memoryLimit = 40 * 30 * 4 * 3
                configuration.cacheLimit = 0
            }
            let tasks = (0..<64).map { pipeline.imageTask(for: request($0 % 8, filter: "sepia(0.\($0 / 8))")) }
            for task in tasks { _ = try await value(of: task) }
            eventuallyEmpty(pipeline)
            await cache.flush()
            // Not all: who comes when a file was looked up already joins what is made of it.
            if round == 1 { XCTAssertGreaterThan(cache.statistics.found, 0) }
        }
    }
}
