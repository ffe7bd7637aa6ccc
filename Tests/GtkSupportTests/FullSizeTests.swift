import CAtspi
import CGtk
import Foundation
import GtkSupport
import ImageCodecs
import Pixels
import XCTest

@testable import PhotoApp

/// Photos with more pixels than the large view shows at first.
final class FullSizeTests: GtkTestCase {
    private static let red: [UInt8] = [230, 0, 0]
    private static let blue: [UInt8] = [0, 0, 230]

    func testAtItsActualSizeAPhotoShowsItsOwnPixelsAndIsCopiedWithThem() throws {
        try MainActor.assumeIsolated {
            let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-full-\(UUID())")
            let settings = folder.appending(path: "settings/classicphotos")
            try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try Data("[window]\nlook=original\n".utf8).write(to: settings.appending(path: "app.ini"))
            let photos = folder.appending(path: "photos")
            try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
            let size = PixelSize(width: 4_000, height: 1_000)
            let stripes = try ImageEncoder(format: .png).encode(Self.stripes(size))
            for name in ["one.png", "two.png"] { try stripes.write(to: photos.appending(path: name)) }
            let app = try AppRun(
                [photos.appending(path: "one.png").path], settings: settings.deletingLastPathComponent(),
                isReadable: true)
            let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
            try person.wait("the picture") { person.sees("one.png, Done", role: ATSPI_ROLE_IMAGE) }
            try person.focus()
            // Of fewer pixels, none has the colour of a stripe.
            XCTAssertLessThan(try Screen.pixelCounts(of: [Self.red])[0], 100)
            try person.keys("1")
            try person.wait("the stripes") {
                let counts = try Screen.pixelCounts(of: [Self.red, Self.blue])
                return counts.allSatisfy { $0 > 100_000 } && abs(counts[0] - counts[1]) < counts[0] / 20
            }
            // All pixels of the next one come because it is copied.
            try person.keys("Page_Down")
            try person.wait("the next one") { person.sees("two.png, Done", role: ATSPI_ROLE_IMAGE) }
            XCTAssertLessThan(try Screen.pixelCounts(of: [Self.red])[0], 100)
            try person.keys("ctrl+c")
            try person.wait("a copy of all pixels") { try Clipboard.pictureSize() == size }
            try person.close()
        }
    }

    /// A picture that comes late does not take the place of what was copied since.
    func testWhatWasCopiedIsKnownUntilSomethingElseIs() throws {
        try MainActor.assumeIsolated {
            let window = try XCTUnwrap(gtk_window_new())
            let (first, second) = (OfferedFiles(["/first.jpg"]), OfferedFiles(["/second.jpg"]))
            XCTAssertFalse(first.isCopied(from: window))
            first.copy(from: window)
            XCTAssertTrue(first.isCopied(from: window))
            second.copy(from: window)
            XCTAssertFalse(first.isCopied(from: window))
            XCTAssertTrue(second.isCopied(from: window))
            gtk_window_destroy(cast(window))
        }
    }

    func testAVeryLargePhotoIsMadeSmaller() {
        XCTAssertNil(FullSizePhoto.longestSide(of: PixelSize(width: 8_000, height: 8_000)))
        XCTAssertEqual(FullSizePhoto.longestSide(of: PixelSize(width: 32_000, height: 8_000)), 16_000)
        XCTAssertEqual(FullSizePhoto.longestSide(of: PixelSize(width: 1_000_000_000, height: 1)), 252_982_212)
    }

    /// Stripes of a pixel each.
    private static func stripes(_ size: PixelSize) -> PixelBuffer {
        let row = Array(repeatElement(red + [255] + blue + [255], count: size.width / 2).joined())
        return PixelBuffer(uninitialized: size, isOpaque: true) { bytes in
            for y in 0..<size.height {
                UnsafeMutableRawBufferPointer(rebasing: bytes[(y * row.count)...]).copyBytes(from: row)
            }
        }
    }
}
