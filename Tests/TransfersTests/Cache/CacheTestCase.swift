import Foundation
import Operations
import OperationsCore
import TestServers
import XCTest

@testable import Transfers

/// A folder for a disk cache, a clock that stands still, and downloads through both.
class CacheTestCase: DownloadTestCase {
    private(set) var folder = URL(filePath: "/")
    /// The time of day; ahead of all dates that servers put in their answers.
    let time = Lock(1_000_000_000)

    override func setUpWithError() throws {
        try super.setUpWithError()
        folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-cache-\(UUID())")
        time.withLock { $0 = Int(Date().timeIntervalSince1970) }
    }

    override func tearDown() {
        super.tearDown()
        try? FileManager.default.removeItem(at: folder)
    }

    func makeCache(limit: Int = 64_000_000, in path: String? = nil) -> DiskCache {
        DiskCache(folder: path ?? folder.path, limit: limit, clock: WallClock { [time] in time.withLock { $0 } })
    }

    func pass(seconds: Int) { time.withLock { $0 += seconds } }

    func cached(
        _ url: URL, _ cache: DiskCache, _ policy: CachePolicy = .standard, flow: (any TransferFlow)? = nil,
        addressGuard: AddressGuard = .open
    ) -> CachedDownloadOperation {
        var request = DownloadRequest(url: url, limits: .test, flow: flow)
        request.addressGuard = addressGuard
        return CachedDownloadOperation(request, client: client, cache: cache, policy: policy)
    }

    /// Downloads through the cache and waits until the disk has it.
    func fetch(
        _ url: URL, _ cache: DiskCache, _ policy: CachePolicy = .standard, addressGuard: AddressGuard = .open
    ) -> Result<DownloadResponse, TransferError> {
        let operation = cached(url, cache, policy, addressGuard: addressGuard)
        run([operation])
        flush(cache)
        return operation.result ?? .failure(.cancelled)
    }

    func source(_ url: URL, _ cache: DiskCache, _ policy: CachePolicy = .standard) -> DownloadResponse.Source? {
        switch fetch(url, cache, policy) {
        case .success(let response): response.source
        case .failure: nil
        }
    }

    /// The file of a cache's database.
    func databaseFile() throws -> URL {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return folder.appending(path: try XCTUnwrap(names.first { $0.hasSuffix(".sqlite") }))
    }

    /// The bytes of all files of the cache, now.
    func bytesOnDisk() -> Int { Self.bytesOnDisk(in: folder) }

    static func bytesOnDisk(in folder: URL) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.reduce(0) { sum, name in
            var status = stat()
            return stat("\(folder.path)/\(name)", &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }

    /// Bytes that do not compress and differ for each number.
    static func body(_ number: Int, count: Int) -> Data {
        var random = UInt64(bitPattern: Int64(number)) &* 0x9E37_79B9_7F4A_7C15 | 1
        var words: [UInt64] = []
        while words.count * 8 < count {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            words.append(random)
        }
        return words.withUnsafeBytes { Data($0.prefix(count)) }
    }
}
