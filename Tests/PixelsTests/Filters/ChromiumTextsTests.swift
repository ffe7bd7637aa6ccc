import Foundation
import Pixels
import Testing

/// Which texts Chromium takes and what it painted for them, recorded by `Scripts/chromium-texts`.
@Suite struct ChromiumTextsTests {
    @Test func computedValuesAndColorsAreThoseOfChromium() throws {
        let url = try #require(Bundle.module.url(forResource: "Resources/chromium-texts", withExtension: "tsv"))
        let (lines, differences) = try compare(url)
        #expect(lines > 800)
        #expect(differences == [])
    }

    /// A record with other random texts. A few of those depend on hues of colours that are nearly grey, or lie outside of
    /// what hsl() and hwb() can say, about which nobody agrees.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["CLASSICPHOTOS_CHROMIUM_TEXTS"] != nil))
    func soAreNearlyAllOfAnotherRecord() throws {
        let path = try #require(ProcessInfo.processInfo.environment["CLASSICPHOTOS_CHROMIUM_TEXTS"])
        let (lines, differences) = try compare(URL(fileURLWithPath: path))
        print("texts: \(lines), \(differences.count) of them differ")
        differences.forEach { print($0) }
        #expect(differences.count <= lines / 200)
    }

    private func compare(_ record: URL) throws -> (lines: Int, differences: [String]) {
        let lines = try String(contentsOf: record, encoding: .utf8).split(separator: "\n").dropFirst()
        let differences = lines.compactMap { line -> String? in
            let fields = line.split(separator: "\t").map(String.init)
            let painted = fields.dropFirst().map { $0.split(separator: " ").compactMap { UInt8($0) } }
            return difference(of: fields[0], from: painted.count == 2 ? painted : nil)
        }
        return (lines.count, differences)
    }

    private func difference(of text: String, from painted: [[UInt8]]?) -> String? {
        let chain: FilterChain
        do {
            chain = try FilterChain(parsing: text)
        } catch {
            return painted.map { _ in "“\(text)” is refused: \(error)" }
        }
        guard let painted else { return "“\(text)” is taken, as \(chain)" }
        let size = PixelSize(width: 24, height: 16)
        var image = PixelBuffer(size: size)
        image.withUnsafeMutableBytes { bytes in
            for y in 4..<12 {
                for x in 4..<12 {
                    let pixel = UnsafeMutableRawBufferPointer(rebasing: bytes[((y * size.width + x) * 4)...])
                    pixel.copyBytes(from: [120, 60, 200, 255] as [UInt8])
                }
            }
        }
        chain.apply(to: &image)
        let ours = image.withUnsafeBytes { bytes in
            [8, 18].map { Array(bytes[((8 * size.width + $0) * 4)...].prefix(4)) }
        }
        let isSame = zip(ours, painted).allSatisfy { isNear($0, $1, within: text.hasPrefix("blur") ? 16 : 1) }
        return isSame ? nil : "“\(text)” as \(chain): \(ours), Chromium \(painted)"
    }

    /// As painted: a translucent pixel's colour counts by its alpha. Blurs are compared with other data.
    private func isNear(_ ours: [UInt8], _ theirs: [UInt8], within levels: Int) -> Bool {
        func painted(_ pixel: [UInt8]) -> [Int] {
            pixel[0..<3].map { Int((Double($0) * Double(pixel[3]) / 255).rounded()) } + [Int(pixel[3])]
        }
        return zip(painted(ours), painted(theirs)).allSatisfy { abs($0 - $1) <= levels }
    }
}
