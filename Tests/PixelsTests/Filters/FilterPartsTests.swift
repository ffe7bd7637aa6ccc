import Glibc
import OperationsTesting
import Testing

@testable import Pixels

/// Filtering in parts, for pictures that would need too much memory as a whole.
@Suite struct FilterPartsTests {
    private static let chains = [
        "blur(3px)", "blur(1.2px) blur(4px)", "blur(5px) invert(1) blur(2.5px)",
        "drop-shadow(-20px 3px 2px red) blur(1px)",
        "drop-shadow(-20px 0 red) drop-shadow(22px 1px 2px blue)", "drop-shadow(9px -9px) opacity(.5) blur(1px)",
        "look(earlybird) blur(3px) look(aden)", "blur(2px) drop-shadow(0 14px 3px green) look(lofi) blur(2px)",
        "drop-shadow(4px 5px 6px rgba(9, 99, 199, .7))",
    ]

    private func filtered(
        _ image: PixelBuffer, _ plan: FilterPlan, _ layout: FilterLayout
    ) -> PixelBuffer {
        var (result, meter) = (image, WorkMeter { false })
        #expect(plan.run(on: &result, layout, meter: &meter))
        return result
    }

    /// Parts of all lengths, of pictures of all shapes, opaque and not.
    @Test(arguments: chains)
    func partsGiveTheSamePicture(text: String) throws {
        var generator = SeededRandom(seed: 77)
        let plan = FilterPlan(try FilterChain(parsing: text).functions, scale: 1)
        for (width, height) in [(1, 150), (150, 1), (90, 20), (30, 41), (3, 200)] {
            var image = PixelBuffer.random(width: width, height: height, using: &generator)
            if width == 90 {
                image.withUnsafeMutableBytes { bytes in
                    for index in stride(from: 3, to: bytes.count, by: 4) { bytes[index] = 255 }
                }
            }
            let whole = filtered(image, plan, FilterLayout(plan, of: image.size, threads: 1, usualBytes: .max))
            for length in [1, 7, 40] {
                let layout = FilterLayout(plan, of: image.size, threads: 1, usualBytes: 0, shortestPart: length)
                #expect(filtered(image, plan, layout) == whole, "\(width) x \(height) in \(layout.parts.count)")
            }
        }
    }

    /// What the test above is about: there are parts.
    @Test func smallRoomMeansManyParts() throws {
        let plan = FilterPlan(try FilterChain(parsing: "blur(1.2px) blur(4px)").functions, scale: 1)
        for (width, height) in [(1, 300), (300, 1)] {
            let size = PixelSize(width: width, height: height)
            let layout = FilterLayout(plan, of: size, threads: 1, usualBytes: 0, shortestPart: 7)
            #expect(layout.parts.count > 3)
            #expect(layout.parts.reduce(0) { $0 + $1.size.width * $1.size.height } == 300)
        }
    }

    @Test func narrowPicturesTakeLittleMemory() throws {
        let chain = try FilterChain(parsing: "blur(400px) blur(400px)")
        for (width, height) in [(1, 65_535), (65_535, 1), (1, 2_000_000), (16, 6_250_000)] {
            let size = PixelSize(width: width, height: height)
            let bytes = chain.workingBytes(for: size, scale: 1, threads: 1)
            #expect(bytes < 48 << 20 + 8 * width * height, "\(size): \(bytes)")
        }
        // One blur, one shadow.
        for text in ["blur(400px)", "drop-shadow(1000px 0 400px red)"] {
            let size = PixelSize(width: 1, height: 100_000_000)
            let bytes = try FilterChain(parsing: text).workingBytes(for: size, scale: 1, threads: 4)
            #expect(bytes <= 2 * 4 * size.height, "\(text): \(bytes)")
        }
    }

    /// Usual pictures are filtered as a whole, which is faster.
    @Test(arguments: ["blur(3px)", "blur(20px) blur(20px)", "drop-shadow(9px 9px 9px) blur(2px)", "sepia(1)"])
    func usualPicturesAreFilteredAsAWhole(text: String) throws {
        let plan = FilterPlan(try FilterChain(parsing: text).functions, scale: 1)
        for (width, height) in [(256, 171), (1_024, 683), (4_000, 3_000), (12_000, 8_000)] {
            let layout = FilterLayout(plan, of: PixelSize(width: width, height: height), threads: 4)
            #expect(layout.parts.count == 1)
        }
    }

    @Test func whereMemoryIsLackingItIsSaid() {
        #expect(RawMemory.allocate(byteCount: 1 << 60) == nil)
        let size = PixelSize(width: 1 << 30, height: 1 << 28)
        #expect(PixelBuffer(allocating: size, isOpaque: true) { _ in } == nil)
        #expect(PixelBuffer(allocating: PixelSize(width: .max, height: .max), isOpaque: true) { _ in } == nil)
        // An alpha plane that no system has room for.
        let shadow = Shadow(x: 0, y: 0, deviation: 0, color: FilterColor(rgb: 0), scale: 1)
        #expect(shadow.scratchBytes(of: PixelSize(width: 7, height: 3), threads: 1) == 21)
        var meter = WorkMeter { false }
        #expect(!meter.stopForWantOfMemory() && meter.lacksMemory)
    }
}
