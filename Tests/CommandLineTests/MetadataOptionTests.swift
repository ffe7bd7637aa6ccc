import Foundation
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// `--metadata`.
final class MetadataOptionTests: DevelopTestCase {
    /// A JPEG that says which camera made it, and that it is to be turned.
    private func photograph() throws -> Data {
        let plain = try Self.image(.jpeg)
        let exif =
            [UInt8]("Exif\0\0II".utf8) + [42, 0, 8, 0, 0, 0, 2, 0, 0x0F, 1, 2, 0, 5, 0, 0, 0, 38, 0, 0, 0]
            + [0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0] + [UInt8]("ACME\0".utf8)
        let length = exif.count + 2
        return plain.prefix(2) + Data([0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + exif) + plain.dropFirst(2)
    }

    func testItIsKeptOnRequestOnly() throws {
        server.serve(try photograph(), at: "/camera.jpg")
        let catalog = try catalog([("a", server.url("/camera.jpg").absoluteString)])
        for format in ImageEncoder.Format.allCases {
            for (options, isKept) in [([], false), (["--metadata", "drop"], false), (["--metadata", "keep"], true)] {
                let (status, rows, run) = try develop(
                    catalog, options + ["--fresh", "--format", format.rawValue, "--size", "50"])
                XCTAssertEqual(status, 0, run.error)
                let file = try Data(contentsOf: output.appending(path: rows[0][5]))
                XCTAssertEqual(file.range(of: Data("ACME".utf8)) != nil, isKept, "\(format) \(options)")
                XCTAssertEqual(ImageMetadata(of: file) != nil, isKept, "\(format) \(options)")
                // Upright, and not turned again by whoever reads it.
                let size = try ImageDecoder.probe(file).size
                XCTAssertEqual([size.width, size.height], [31, 50])
            }
        }
        let input = folder.appending(path: "in.jpg")
        try photograph().write(to: input)
        let result = folder.appending(path: "out.webp")
        let run = try ProgramRun(["filter", input.path, result.path, "--metadata", "keep"])
        XCTAssertEqual(run.wait(), 0, run.error)
        XCTAssertNotNil(ImageMetadata(of: try Data(contentsOf: result))?.exif)
        let wrong = try ProgramRun(["filter", input.path, result.path, "--metadata", "some"])
        XCTAssertEqual(wrong.wait(), 2)
        XCTAssert(wrong.error.contains("keep or drop"), wrong.error)
    }
}
