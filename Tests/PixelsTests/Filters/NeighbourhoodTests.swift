import OperationsTesting
import Testing

@testable import Pixels

/// Functions that look at neighbours, and looks: scale, borders, cancellation.
@Suite struct NeighbourhoodTests {
    private func filtered(_ image: PixelBuffer, _ text: String, scale: Double = 1) throws -> PixelBuffer {
        var result = image
        try FilterChain(parsing: text).apply(to: &result, scale: scale)
        return result
    }

    private func randomImage(_ seed: UInt64) -> PixelBuffer {
        var generator = SeededRandom(seed: seed)
        return .random(width: 30, height: 20, using: &generator)
    }

    @Test func lengthsScaleWithTheImage() throws {
        let image = randomImage(41)
        for (full, shown) in [
            ("blur(8px)", "blur(2px)"), ("blur(3px)", "blur(.75px)"),
            ("drop-shadow(9px -9px 12px red)", "drop-shadow(2px -3px 3px red)"), ("look(aden)", "look(aden)"),
        ] {
            #expect(try filtered(image, full, scale: 0.25) == filtered(image, shown), "\(full)")
        }
        #expect(try filtered(image, "blur(8px)", scale: 0) == image)
        #expect(try filtered(image, "blur(8px)", scale: -1) == image)
        #expect(try filtered(image, "blur(8px)", scale: .nan) == image)
    }

    /// Around a box of even width two boxes lean to either side; only together are they in the middle.
    @Test(arguments: ["1px", "2px", "2.5px", "3px", "4px", "5px", "7px"])
    func blurIsSymmetricAndKeepsTheSum(length: String) throws {
        var pixels = [[UInt8]](repeating: [0, 0, 0, 255], count: 61 * 61)
        for row in 26..<35 { for column in 26..<35 { pixels[row * 61 + column] = [255, 128, 7, 255] } }
        let blurred = try filtered(PixelBuffer(width: 61, pixels: pixels), "blur(\(length))").pixels
        let rows = stride(from: 0, to: blurred.count, by: 61).map { Array(blurred[$0..<$0 + 61]) }
        #expect(rows == rows.reversed())
        #expect(rows == rows.map { $0.reversed() })
        // Tails below half a level are lost.
        let sum = blurred.reduce(0) { $0 + Int($1[0]) * Int($1[3]) / 255 }
        #expect(abs(sum - 81 * 255) < 81 * 255 / 25)
    }

    /// Squares of such lengths are 0.
    @Test(arguments: ["1e-200px", "1e-162px", "0.001px"])
    func tinyLengthsChangeNothing(length: String) throws {
        let image = randomImage(44)
        #expect(try filtered(image, "blur(\(length))") == image)
        let shadow = try filtered(image, "drop-shadow(3px 2px \(length) red)")
        #expect(shadow == (try filtered(image, "drop-shadow(3px 2px red)")))
        #expect(shadow != image)
    }

    /// The widest boxes fit the kernel's sums: two thirds of three boxes lie in the middle third of their reach.
    @Test func hugeLengthsAreBounded() throws {
        let image = PixelBuffer(width: 40, pixels: [[UInt8]](repeating: [255, 255, 255, 255], count: 400))
        #expect(try filtered(image, "blur(1e300px)") == filtered(image, "blur(532px)"))
        let far = "drop-shadow(1e300px -1e300px 1e300px red) drop-shadow(-1e300px 0 red) blur(1px)"
        #expect(try filtered(image, far) == filtered(image, "blur(1px)"))

        var plane = [UInt8](repeating: 255, count: 1001 * 1001)
        let blur = try #require(Blur(deviation: 1e9))
        var meter = WorkMeter { false }
        let isComplete = plane.withUnsafeMutableBytes { bytes in
            blur.run(on: bytes, size: PixelSize(width: 1001, height: 1001), channels: 1, .none, meter: &meter)
        }
        #expect(isComplete)
        #expect(abs(Int(plane[500 * 1001 + 500]) - 255 * 4 / 9) <= 1)
    }

    /// What spreads beyond the border comes back: two blurs in a row are one of a picture with room around it.
    @Test func nothingIsCutAtTheBordersBetweenFunctions() throws {
        let image = randomImage(42)
        for text in [
            "blur(3px) blur(2px)", "drop-shadow(-20px 0 red) drop-shadow(22px 1px 2px blue)",
            "drop-shadow(9px -9px) opacity(.5) blur(1px)",
        ] {
            var room = PixelBuffer(size: PixelSize(width: 130, height: 120))
            room.draw(image, at: (50, 50))
            let around = try filtered(room, text)
            var expected = PixelBuffer(size: image.size)
            expected.draw(around, at: (-50, -50))
            #expect(try filtered(image, text) == expected, "\(text)")
        }
    }

    @Test func pointwiseRunsAreOnePass() throws {
        func stages(_ text: String) throws -> Int {
            FilterPlan(try FilterChain(parsing: text).functions, scale: 1).stages.count
        }
        #expect(try stages("sepia(.2) contrast(2) hue-rotate(9deg)") == 1)
        #expect(try stages("sepia(.2) contrast(2) blur(1px) invert(1) opacity(.5)") == 3)
        #expect(try stages("sepia(.2) blur(0) contrast(2)") == 1)
        #expect(try stages("look(inkwell) sepia(.2)") == 1)
        #expect(try stages("look(moon) sepia(.2)") == 2)
        #expect(try stages("none") == 0)
    }

    @Test(arguments: [
        "sepia(1) sepia(1)", "blur(3px)", "drop-shadow(1px 1px 3px)", "drop-shadow(1px 1px red)", "look(lofi)",
    ])
    func cancellationStopsEveryPass(text: String) throws {
        let plan = FilterPlan(try FilterChain(parsing: text).functions, scale: 1)
        for limit in 1...2 {
            var image = randomImage(43)
            var asked = 0
            let isComplete = withoutActuallyEscaping({ () -> Bool in
                asked += 1
                return asked == limit
            }) { isCancelled in
                var meter = WorkMeter(every: 1, isCancelled: isCancelled)
                return plan.run(on: &image, meter: &meter)
            }
            let isOnePass = text.hasPrefix("sepia")
            #expect(isComplete == (isOnePass && limit == 2))
            #expect(asked == (isOnePass ? 1 : limit))
        }
        var image = PixelBuffer(size: PixelSize(width: 1100, height: 1000))
        #expect(FilterChain.classic.apply(to: &image))
        #expect(!FilterChain.classic.apply(to: &image, isCancelled: { true }))
    }
}
