import CVips
import Foundation
import ImageCodecs
import Pixels
import XCTest

/// The JPEG fast path on real photographs (Debian's `mate-backgrounds`) beside libvips' own reduction of the whole
/// picture, which takes no short cut through scaled decoding.
final class PhotographTests: XCTestCase {
    private static let folder = "/usr/share/backgrounds/mate/nature"

    func testTheFastPathLooksLikeAFullDecode() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { $0.hasSuffix(".jpg") }
        XCTAssertGreaterThan(names.count, 5)
        for name in names.sorted().prefix(3) {
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/\(name)"))
            let full = try ImageDecoder.decode(data, longestSide: nil)
            for side in [256, 700] {
                let ours = try ImageDecoder.decode(data, longestSide: side)
                let scale = Double(ours.size.width) / Double(full.size.width)
                let reduced = try TestVipsImage(full, bands: 3).with(
                    "resize", ["scale": "\(scale)", "vscale": "\(Double(ours.size.height) / Double(full.size.height))"])
                let file = try reduced.file("pngsave_buffer")
                let theirs = try ImageDecoder.decode(file, longestSide: nil)
                XCTAssertEqual(theirs.size, ours.size)
                let difference = TestImages.difference(ours, theirs)
                print("\(name) at \(side): mean difference \(difference)")
                XCTAssertLessThan(difference, 2.5, "\(name) at \(side)")
            }
        }
    }
}
