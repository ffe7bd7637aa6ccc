import Foundation
import TestServers
import XCTest

@testable import Catalogs

/// Lines of files that may be compressed, also of files that are not what they should be.
final class CompressedLinesTests: XCTestCase {
    private let path = FileManager.default.temporaryDirectory.appending(path: "lines-\(UUID())").path

    override func tearDown() {
        try? FileManager.default.removeItem(atPath: path)
    }

    private func error(_ body: () throws -> Void) -> CatalogError? {
        do { try body() } catch { return error as? CatalogError }
        return nil
    }

    func testLinesComeSoManyAtATime() throws {
        for compression in [Packing?.none, .gzip, .zstd] {
            let data = Data("one\n\nthree\nfour".utf8)
            try (compression?.packed(data) ?? data).write(to: URL(filePath: path))
            let lines = try CompressedLines(path: path)
            let pieces = try (0..<4).map { _ in String(decoding: try lines.lines(2), as: UTF8.self) }
            XCTAssertEqual(pieces, ["one\n\n", "three\nfour", "", ""])
        }
    }

    func testALineThatUnpacksToMillionsIsTooLarge() throws {
        try Packing.zstd.packed(Data(repeating: 0x20, count: 4 << 20)).write(to: URL(filePath: path))
        let lines = try CompressedLines(path: path, limits: CatalogLimits(maximumBytes: 1 << 20))
        guard case .tooLarge(1 << 20)? = error({ _ = try lines.lines(1) }) else { return XCTFail("it is read") }
    }

    func testAPipeIsNotWaitedFor() {
        XCTAssertEqual(mkfifo(path, 0o600), 0)
        guard case .isDevice(path)? = error({ _ = try CompressedLines(path: path) }) else {
            return XCTFail("it is read")
        }
    }
}
