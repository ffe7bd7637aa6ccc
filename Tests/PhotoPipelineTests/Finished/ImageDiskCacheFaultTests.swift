import FailingDisk
import Foundation
import ImageCodecs
import Operations
import OperationsTesting
import Synchronization
import TestServers
import Transfers
import XCTest

@testable import PhotoPipeline

/// Disks that fail, files that were changed, and processes that share a folder or are killed.
final class ImageDiskCacheFaultTests: FinishedTestCase {
    private let entries = Lock<[PhotoLogEntry]>([])

    private var faults: [String] {
        entries.withLock { entries in
            entries.compactMap { if case .imageDiskCacheFailed(let text) = $0.event { text } else { nil } }
        }
    }

    private func log(_ configuration: inout PhotoPipeline.Configuration) {
        configuration.log = { [entries] entry in entries.withLock { $0.append(entry) } }
    }

    func testWithoutAPlaceItIsSaidOnceAndPicturesAreMade() async throws {
        try Data("no folder".utf8).write(to: folder)
        let cache = cache(in: folder.path + "/cache")
        let pipeline = pipeline(cache, log)
        for number in 0..<8 { _ = try await value(from: pipeline, request(number)) }
        await cache.flush()
        eventually("it is said") { !faults.isEmpty }
        XCTAssertEqual(faults.count, 1)
        XCTAssert(faults[0].contains(folder.path), faults[0])
        XCTAssertEqual(entries.withLock { $0.first { "\($0.event)".hasPrefix("image") }?.level }, .warning)
        guard case .unavailable = cache.condition else { return XCTFail("\(cache.condition)") }
        // The place is there again; and goes again, which is said again.
        try FileManager.default.removeItem(at: folder)
        time.withLock { $0 += 30 }
        pipeline.cache.removeAll()
        for _ in 0..<2 {
            _ = try await value(from: pipeline, request(1))
            pipeline.cache.removeAll()
            await cache.flush()
        }
        XCTAssertEqual(cache.statistics.found, 1)
        XCTAssertEqual(faults.count, 1)
        eventuallyEmpty(pipeline)
    }

    func testAFailingDiskIsSaidOnceAndPicturesAreMade() async throws {
        XCTAssert(FailingDisk.install())
        defer { FailingDisk.uninstall() }
        let cache = cache()
        let pipeline = pipeline(cache, log)
        _ = try await value(from: pipeline, request(0))
        await cache.flush()
        FailingDisk.isFull.store(true, ordering: .relaxed)
        for number in 1..<8 { _ = try await value(from: pipeline, request(number)) }
        await cache.flush()
        XCTAssertEqual(cache.condition, .diskFull)
        eventually("it is said") { !faults.isEmpty }
        XCTAssertEqual(faults, ["The disk is full."])
        // What is there is found all the same.
        pipeline.cache.removeAll()
        _ = try await value(from: pipeline, request(0))
        XCTAssertEqual(cache.statistics.found, 1)
        eventuallyEmpty(pipeline)
    }

    private func database() throws -> SQLiteConnection {
        let database = try SQLiteConnection(
            path: folder.appending(path: "images-v\(CacheFolder.schema)-1.sqlite").path)
        // The cache before may be closing it.
        database.setPatience(milliseconds: 10_000)
        return database
    }

    func testRottenBitsMakeNoWrongPicture() async throws {
        let right = try await make(request(1), cache()).pixels
        try database().run("UPDATE body SET bytes = CAST(substr(bytes, 1, 20) || x'00' || substr(bytes, 22) AS BLOB)")
        let cache = cache()
        let again = try await make(request(1), cache)
        XCTAssertEqual(again.pixels, right)
        XCTAssertEqual(again.found, 0)
        XCTAssertEqual(cache.statistics.damaged, 1)
        // It went, and the right one is in its place.
        try await expect(1, request(1), cache)
    }

    func testACutBodyIsNotFound() async throws {
        let right = try await make(request(1), cache()).pixels
        try database().run("UPDATE body SET bytes = substr(bytes, 1, length(bytes) / 2)")
        let cache = cache()
        let again = try await make(request(1), cache)
        XCTAssertEqual(again.pixels, right)
        XCTAssertEqual(again.found, 0)
        try await expect(1, request(1), cache)
    }

    /// Stores a record in place of the only one there is, as one who knows how checksums are made.
    private func forge(_ record: StoredImage, _ body: Data) async throws {
        let keys = Lock<[String]>([])
        try database().run("SELECT key FROM entry") { row in
            let key = row.text(0)
            keys.withLock { $0.append(key) }
        }
        let key = try XCTUnwrap(keys.withLock { $0.first })
        let store = DiskStore<StoredImage>(
            folder: folder.path, limit: 8_000_000, clock: WallClock { [time] in time.withLock { $0 } },
            onCondition: { _ in })
        store.store(record, body, for: key)
        await store.flush()
    }

    func testBytesThatMakeNoPictureGo() async throws {
        let image = try await make(request(1), cache()).pixels
        let foreign = Data("no picture at all, and many words about it".utf8)
        let record = StoredImage(ScaledImage(pixels: image, scale: 1), packed: foreign, madeAt: time.withLock { $0 })
        try await forge(record, foreign)
        let cache = cache()
        let again = try await make(request(1), cache)
        XCTAssertEqual(again.pixels, image)
        XCTAssertEqual(cache.statistics.damaged, 1)
        // The right one is in its place.
        XCTAssertEqual(cache.statistics.stored, 1)
        try await expect(1, request(1), cache)
    }

    func testARecordOfMorePixelsThanTheLimitIsNotFound() async throws {
        // A plain area takes few bytes however large it is.
        let large = PixelBuffer(uninitialized: PixelSize(width: 40, height: 1_000), isOpaque: true) { bytes in
            for index in bytes.indices { bytes[index] = 255 }
        }
        let packed = try XCTUnwrap(PackedPixels.pack(large, limit: .max))
        let record = StoredImage(ScaledImage(pixels: large, scale: 1), packed: packed, madeAt: time.withLock { $0 })
        let limits: (inout PhotoPipeline.Configuration) -> Void = { $0.decodeLimits.maxPixels = 40 * 30 }
        let image = try await make(request(1), cache(), limits).pixels
        try await forge(record, packed)
        let cache = cache()
        let again = try await make(request(1), cache, limits)
        XCTAssertEqual(again.pixels, image)
        XCTAssertEqual(again.found, 0)
        try await expect(1, request(1), cache, limits)
    }

    func testRottenBitsInARecordAreFound() async throws {
        let right = try await make(request(1), cache()).pixels
        try database().run(
            "UPDATE entry SET record = CAST(replace(CAST(record AS TEXT), '\"width\":40', '\"width\":48') AS BLOB)")
        try database().run("SELECT record FROM entry") { row in
            XCTAssert(String(decoding: row.blob(0), as: UTF8.self).contains("\"width\":48"))
        }
        let cache = cache()
        let again = try await make(request(1), cache)
        XCTAssertEqual(again.pixels, right)
        XCTAssertEqual(again.found, 0)
        try await expect(1, request(1), cache)
    }

    func testTheFolderMayGoAtAnyTime() async throws {
        let cache = cache()
        try await expect(0, request(1), cache)
        try FileManager.default.removeItem(at: folder)
        for _ in 0..<3 { _ = try await make(request(1), cache) }
        try await expect(1, request(1), cache)
    }

    func testOnlyTheOwnerCanReadTheFilesAndNoAddressIsInThem() async throws {
        server.serve(try Self.image(1), at: "/secret-place.png")
        let cache = cache()
        _ = try await make(ImageRequest(address: server.url("/secret-place.png")), cache)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        XCTAssertFalse(names.isEmpty)
        for name in names {
            let path = folder.appending(path: name)
            var status = stat()
            XCTAssertEqual(stat(path.path, &status), 0)
            XCTAssertEqual(status.st_mode & 0o077, 0, name)
            XCTAssertNil(try Data(contentsOf: path).firstRange(of: Data("secret-place".utf8)))
        }
        // Until here it keeps its files open, of which some go with it.
        XCTAssertEqual(cache.statistics.stored, 1)
    }

    // MARK: Processes

    private static let limit = 5_000_000

    private func photos() throws -> URL {
        let photos = folder.appending(path: "photos")
        try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
        for number in 0..<8 {
            let noise = Self.noise(160 + number * 16, 120, seed: UInt64(number) &* 0x9E37_79B9 &+ 3)
            try ImageEncoder(format: .jpeg, quality: 90).encode(noise)
                .write(to: photos.appending(path: "\(number).jpg"))
        }
        return photos
    }

    private func startChild(_ photos: URL, seed: UInt64) throws -> ChildProcess {
        try ChildProcess(
            "cache-child", ["images", folder.path + "/cache", "\(Self.limit)", photos.path, "8", "\(seed)"])
    }

    private var bytesInCache: Int {
        let cache = folder.appending(path: "cache")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: cache.path)) ?? []
        return names.reduce(0) { sum, name in
            var status = stat()
            return stat(cache.appending(path: name).path, &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }

    /// Makes each picture with the cache and without; how many were in it.
    private func verify(_ photos: URL) async throws -> Int {
        let cache = cache(limit: Self.limit, in: folder.path + "/cache")
        time.withLock { $0 = Int(Date().timeIntervalSince1970) }
        let (with, without) = (pipeline(cache), pipeline(nil))
        for number in 0..<8 {
            for side in [200, 100, 50] {
                let request = ImageRequest(
                    address: photos.appending(path: "\(number).jpg"), longestSide: side,
                    filter: try FilterChain(parsing: "sepia(0.5)"), allowsLocalFiles: true)
                let (one, other) = (try await value(from: with, request), try await value(from: without, request))
                XCTAssertEqual(one, other)
            }
        }
        XCTAssertEqual(cache.statistics.damaged, 0)
        XCTAssertLessThanOrEqual(bytesInCache, Self.limit)
        return cache.statistics.found
    }

    func testProcessesThatAreKilledLeaveOnlyWhatIsRight() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        let photos = try photos()
        var found = 0
        for _ in 0..<6 {
            let child = try startChild(photos, seed: .random(in: 0...UInt64.max, using: &random))
            XCTAssert(child.waitForLine(), "the child stores nothing")
            // Nothing is waited for: this chooses the moment at which the child is killed.
            usleep(.random(in: 0...30_000, using: &random))
            child.kill()
            found += try await verify(photos)
        }
        XCTAssertGreaterThan(found, 6)
    }

    func testTwoProcessesKeepToOneLimit() async throws {
        let photos = try photos()
        let children = try [startChild(photos, seed: 1), startChild(photos, seed: 2)]
        for child in children { XCTAssert(child.waitForLine(), "a child stores nothing") }
        for _ in 0..<3 { _ = try await verify(photos) }
        for child in children { child.kill() }
        let found = try await verify(photos)
        XCTAssertGreaterThan(found, 0)
    }
}
