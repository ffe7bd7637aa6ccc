import CAtspi
import Foundation
import ImageCodecs
import Pixels
import XCTest

/// Photos that are shown larger and smaller.
final class ThumbnailTests: GtkTestCase {
    private static let red: [UInt8] = [220, 40, 40]

    func testPhotosAreShownLargerAndSmallerAndTheNextStartKnows() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { photos, folder in
                for (layout, area) in [("list", 96 * 72), ("grid", 176 * 132)] {
                    let settings = folder.appending(path: "settings-\(layout)")
                    try Self.write("layout=\(layout)\n", to: settings)
                    let person = try Self.start(photos, settings)
                    try person.waitForRow("red 2.png, Done")
                    try person.focus()
                    func pixels() throws -> Double { try Double(Screen.pixelCounts(of: [Self.red])[0]) }
                    try person.wait("all three pictures") { try pixels() > Double(3 * area) * 0.9 }
                    let medium = try pixels()
                    try person.keys("Home", "ctrl+plus")
                    try person.wait("larger ones, \(layout)") { try abs(pixels() / medium - 2.25) < 0.1 }
                    XCTAssertTrue(person.isChosen("lines.png, Done"))
                    // There are no larger ones.
                    try person.keys("ctrl+plus", "ctrl+minus", "ctrl+minus")
                    let small = layout == "list" ? 0.44 : 0.46
                    try person.wait("smaller ones, \(layout)") { try abs(pixels() / medium - small) < 0.05 }
                    try person.close()
                    let next = try Self.start(photos, settings)
                    try next.wait("small ones at the next start") { try abs(pixels() / medium - small) < 0.05 }
                    try next.close()
                }
            }
        }
    }

    func testLargerOnesAreAsSharpAndThePersonStaysWhereTheyAre() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { photos, folder in
                let settings = folder.appending(path: "settings")
                try Self.write("layout=grid\n", to: settings)
                let person = try Self.start(photos, settings)
                try person.waitForRow("lines.png, Done")
                try person.search("l")
                try person.wait("what is found") { person.rows == ["lines.png, Done"] }
                try person.keys("ctrl+shift+p")
                try person.wait("the pause") { person.sees("Resume") }
                // Nothing is decoded meanwhile.
                try person.keys("ctrl+plus")
                try person.wait("the pause of the other size") { person.rows == ["lines.png, Paused"] }
                XCTAssertTrue(person.sees("Resume"))
                try person.keys("ctrl+shift+p")
                try person.wait("what is found") { person.rows == ["lines.png, Done"] }
                // A smaller picture that is drawn larger has greys in the place of its lines.
                try person.wait("sharp lines") {
                    let counts = try Screen.pixelCounts(of: [[0, 0, 0], [1, 1, 1]])
                    return counts[0] + counts[1] > 264 * 198 / 2 * 9 / 10
                }
                // In large it is the zoom.
                try person.press("lines.png, Done") { person.numberInLarge(of: 1) == 1 }
                try person.wait("the picture") { person.sees("lines.png, Done", role: ATSPI_ROLE_IMAGE) }
                try person.keys("ctrl+minus", "Escape")
                try person.wait("the same size") {
                    let counts = try Screen.pixelCounts(of: [[0, 0, 0], [1, 1, 1]])
                    return counts[0] + counts[1] > 264 * 198 / 2 * 9 / 10
                }
                try person.close()
            }
        }
    }

    // MARK: Helpers

    @MainActor private static func withPhotos(_ body: (_ photos: URL, _ folder: URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-thumbnails-\(UUID())")
        let photos = folder.appending(path: "photos")
        try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let size = PixelSize(width: 264, height: 198)
        let plain = PixelBuffer(uninitialized: size, isOpaque: true) {
            $0.copyBytes(from: Array(repeatElement(red + [255], count: size.width * size.height).joined()))
        }
        for number in 0..<3 {
            try ImageEncoder(format: .png).encode(plain).write(to: photos.appending(path: "red \(number).png"))
        }
        // Black and white lines, each as wide as a pixel.
        let lines = PixelBuffer(uninitialized: size, isOpaque: true) { bytes in
            for index in bytes.indices { bytes[index] = index % 4 == 3 || index / 4 % 2 == 0 ? 255 : 0 }
        }
        try ImageEncoder(format: .png).encode(lines).write(to: photos.appending(path: "lines.png"))
        try body(photos, folder)
    }

    private static func write(_ preferences: String, to settings: URL) throws {
        let folder = settings.appending(path: "classicphotos")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(("[window]\n" + preferences).utf8).write(to: folder.appending(path: "app.ini"))
    }

    @MainActor private static func start(_ photos: URL, _ settings: URL) throws -> Person {
        Person(
            reader: try Reader(program: "classicphotos-app"),
            app: try AppRun([photos.path], settings: settings, isReadable: true))
    }
}
