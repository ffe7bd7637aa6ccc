import CAtspi
import Foundation
import ImageCodecs
import Pixels
import XCTest

/// Animated pictures in the large view.
final class AnimationTests: GtkTestCase {
    private static let red: [UInt8] = [220, 40, 40]
    private static let blue: [UInt8] = [30, 60, 210]

    func testAnAnimationIsPlayedRoundAndRoundWithTheLook() throws {
        try MainActor.assumeIsolated {
            try Self.withAnimation { file, _ in
                let person = try Self.start(file)
                for _ in 0..<2 { try Self.waitForBoth(person) }
                try person.press("Look", isLarge: true) { person.sees("Black and White") }
                try person.keys("Right")
                try person.keys("Escape")
                let grey = [Self.red, Self.blue].map(Self.grey)
                for colour in grey + grey { try person.waitForPixels(colour, atLeast: 40_000) }
                // Weaker, it is played as well.
                try person.press("Look", isLarge: true) { person.sees("Black and White") }
                try person.wait("the slider") { person.set("Intensity", to: 50) }
                try person.keys("Escape")
                for colour in [Self.red, Self.blue] {
                    let half = FilterChain([.grayscale(1)]).applied(to: Self.image(of: colour), intensity: 0.5)
                    let pixel = try XCTUnwrap(half).withUnsafeBytes { Array($0.prefix(3)) }
                    try person.waitForPixels(pixel, atLeast: 40_000)
                }
                try person.close()
            }
        }
    }

    /// A GIF without a word on loops is played once; its last frame stays until the photo is shown anew.
    func testAnAnimationEndsWhereItsFileSays() throws {
        try MainActor.assumeIsolated {
            try Self.withAnimation(hundredths: 80, repetitions: nil) { file, _ in
                let person = try Self.start(file)
                try person.waitForPixels(Self.blue, atLeast: 40_000)
                // Longer than its two frames are shown together.
                let end = ContinuousClock.now + .milliseconds(2_500)
                while ContinuousClock.now < end {
                    XCTAssertEqual(try Screen.pixelCounts(of: [Self.red])[0], 0)
                }
                // Who looks at the screen later than its first frame is there shows it once more.
                try person.wait("its first frame again") {
                    try person.keys("Page_Down")
                    try person.wait("the still one") { person.sees("still.png, Done", role: ATSPI_ROLE_IMAGE) }
                    try person.keys("Page_Up")
                    try person.wait("the moving one") { person.sees("moving.gif, Done", role: ATSPI_ROLE_IMAGE) }
                    return try (0..<3).contains { _ in try Screen.pixelCounts(of: [Self.red])[0] >= 40_000 }
                }
                try person.waitForPixels(Self.blue, atLeast: 40_000)
                try person.close()
            }
        }
    }

    func testItKeepsStillWhileItIsComparedAndGoesOnAfterwards() throws {
        try MainActor.assumeIsolated {
            try Self.withAnimation { file, _ in
                let person = try Self.start(file)
                try Self.waitForBoth(person)
                try person.keys("c")
                try person.wait("the divider") { person.sees("Before") }
                try person.waitForPixels(Self.red, atLeast: 40_000)
                // Longer than its two frames are shown together.
                let end = ContinuousClock.now + .milliseconds(1_500)
                while ContinuousClock.now < end {
                    XCTAssertEqual(try Screen.pixelCounts(of: [Self.blue])[0], 0)
                }
                try person.keys("c")
                try Self.waitForBoth(person)
                // Another photo, and back.
                try person.keys("Page_Down")
                try person.wait("the still one") { person.sees("still.png, Done", role: ATSPI_ROLE_IMAGE) }
                try person.keys("Page_Up")
                try Self.waitForBoth(person)
                try person.keys("Escape")
                try person.waitForRow("moving.gif, Done")
                try person.close()
            }
        }
    }

    func testNothingMovesForWhoWantsNoAnimations() throws {
        try MainActor.assumeIsolated {
            try Self.withAnimation { file, settings in
                let gtk = settings.appending(path: "gtk-4.0")
                try FileManager.default.createDirectory(at: gtk, withIntermediateDirectories: true)
                try Data("[Settings]\ngtk-enable-animations=false\n".utf8).write(
                    to: gtk.appending(path: "settings.ini"))
                let person = try Self.start(file, settings)
                try person.waitForPixels(Self.red, atLeast: 40_000)
                let end = ContinuousClock.now + .milliseconds(1_500)
                while ContinuousClock.now < end {
                    XCTAssertEqual(try Screen.pixelCounts(of: [Self.blue])[0], 0)
                }
                try person.close()
            }
        }
    }

    // MARK: Helpers

    @MainActor private static func waitForBoth(_ person: Person) throws {
        for colour in [red, blue] { try person.waitForPixels(colour, atLeast: 40_000) }
    }

    /// Opens an animation and a picture that does not move, both one's own, and shows the first.
    @MainActor private static func start(_ file: URL, _ settings: URL? = nil) throws -> Person {
        let app = try AppRun([file.path], settings: settings, isReadable: true)
        let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
        try person.wait("the picture in large") { person.sees("moving.gif, Done", role: ATSPI_ROLE_IMAGE) }
        try person.focus()
        return person
    }

    @MainActor private static func withAnimation(
        hundredths: Int = 40, repetitions: Int? = 0, _ body: (_ file: URL, _ settings: URL) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-moving-\(UUID())")
        let photos = folder.appending(path: "photos")
        try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = photos.appending(path: "moving.gif")
        try animation([red, blue], width: 400, height: 300, hundredths: hundredths, repetitions: repetitions).write(
            to: file)
        try ImageEncoder(format: .png).encode(image(of: [40, 200, 60])).write(to: photos.appending(path: "still.png"))
        try body(file, folder.appending(path: "settings"))
    }

    private static func image(of colour: [UInt8]) -> PixelBuffer {
        let pixels = Array(repeatElement(colour + [255], count: 40 * 30).joined())
        return PixelBuffer(uninitialized: PixelSize(width: 40, height: 30), isOpaque: true) {
            $0.copyBytes(from: pixels)
        }
    }

    private static func grey(_ colour: [UInt8]) -> [UInt8] {
        var image = image(of: colour)
        FilterChain([.grayscale(1)]).apply(to: &image)
        return image.withUnsafeBytes { Array($0.prefix(3)) }
    }

    /// A GIF with a frame of each colour. Repetitions of 0 are without end; nil has the file say nothing of them.
    private static func animation(
        _ colours: [[UInt8]], width: Int, height: Int, hundredths: Int, repetitions: Int?
    ) -> Data {
        func two(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
        var bytes = Array("GIF89a".utf8) + two(width) + two(height) + [0x80, 0, 0, 0, 0, 0, 0, 0, 0]
        if let repetitions { bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1] + two(repetitions) + [0] }
        for colour in colours {
            bytes += [0x21, 0xF9, 4, 4] + two(hundredths) + [0, 0, 0x2C] + two(0) + two(0) + two(width) + two(height)
            // A table of two colours for this frame alone.
            bytes += [0x80] + colour + [0, 0, 0, 2]
            // Codes of three bits, and a clear code before every second pixel, so that they never become longer.
            let codes = (0..<width * height).flatMap { $0 % 2 == 0 ? [4, 0] : [0] } + [5]
            var data: [UInt8] = []
            var (bits, count) = (0, 0)
            for code in codes {
                bits |= code << count
                count += 3
                while count >= 8 {
                    data.append(UInt8(bits & 255))
                    bits >>= 8
                    count -= 8
                }
            }
            if count > 0 { data.append(UInt8(bits)) }
            for start in stride(from: 0, to: data.count, by: 255) {
                let block = data[start..<min(start + 255, data.count)]
                bytes += [UInt8(block.count)] + block
            }
            bytes.append(0)
        }
        return Data(bytes + [0x3B])
    }
}
