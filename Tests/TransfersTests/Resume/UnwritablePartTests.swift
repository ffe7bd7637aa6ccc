import Foundation
import Glibc
import XCTest

@testable import Transfers

/// Parts of downloads that cannot be written.
final class UnwritablePartTests: XCTestCase {
    func testNoRoomIsKeptForThem() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-parts-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let validator = StrongValidator(kept: "\"v\"")
        let store = PartialDownloads(folder: folder.path, maxBytes: 5_000_000)
        let file = withoutLargeFiles { store.make("http://a/1", validator: validator, total: 3_000_000) }
        XCTAssertNil(file)
        // Another process keeps a part of it, which is in the way later.
        do {
            let other = PartialDownloads(folder: folder.path, maxBytes: 5_000_000)
            let file = try XCTUnwrap(other.make("http://a/1", validator: validator, total: nil))
            try [UInt8](repeating: 1, count: 3_000_000).withUnsafeBytes { try file.append($0) }
        }
        XCTAssertNotNil(store.make("http://a/2", validator: validator, total: 4_000_000))
    }

    /// Does something while no file of this process may be longer than a few bytes.
    private func withoutLargeFiles<Result>(_ body: () -> Result) -> Result {
        let files = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        let handler = signal(SIGXFSZ, SIG_IGN)
        var before = rlimit()
        getrlimit(files, &before)
        var limit = before
        limit.rlim_cur = 8
        setrlimit(files, &limit)
        defer {
            setrlimit(files, &before)
            signal(SIGXFSZ, handler)
        }
        return body()
    }
}
