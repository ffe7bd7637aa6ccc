import Foundation
import Pixels
import Testing

/// All looks and random chains on photographs, as Chromium itself painted them.
///
/// `Scripts/chromium-photographs` recorded a few small ones for every run; `Scripts/check-chromium` has several hundred
/// painted anew, and names their file in `CLASSICPHOTOS_CHROMIUM`.
@Suite struct ChromiumPhotographsTests {
    private let recorded: [RecordedImage]
    private let sources: [String: PixelBuffer]

    init() throws {
        if let path = ProcessInfo.processInfo.environment["CLASSICPHOTOS_CHROMIUM"] {
            recorded = try RecordedImage.all(in: URL(filePath: path))
        } else {
            recorded = try RecordedImage.all("chromium-photographs")
        }
        sources = Dictionary(
            recorded.filter { $0.kind == "source" }.map { ($0.name, $0.image) }, uniquingKeysWith: { $1 })
    }

    @Test func chainsOfPointsAreWithinOneLevel() throws {
        try expect("points", greatest: 1, mean: 1)
    }

    @Test func looksAreWithinFiveLevels() throws {
        let looks = try expect("look", greatest: 5, mean: 1)
        #expect(Set(looks.map { $0.split(separator: " ")[1] }).count == Look.allCases.count)
    }

    /// The nearer of Chromium's two ways to blur counts.
    @Test func chainsWithABlurAreNearIt() throws {
        try expect("blurs", or: "blurs-graphics", greatest: 255, mean: 0.6)
    }

    /// Compares all of a kind, says how near the worst is, and gives the names.
    @discardableResult
    private func expect(
        _ kind: String, or other: String? = nil, greatest: Double, mean: Double
    ) throws -> [String] {
        let others = Dictionary(
            recorded.filter { $0.kind == other }.map { ($0.name, $0.image) }, uniquingKeysWith: { $1 })
        var names: [String] = []
        var worst: (greatest: Double, mean: Double, name: String) = (0, 0, "")
        for expected in recorded where expected.kind == kind {
            let parts = expected.name.split(separator: " ", maxSplits: 1).map(String.init)
            var image = try #require(sources[parts[0]])
            try FilterChain(parsing: parts[1]).apply(to: &image)
            var difference = ImageDifference(image, expected.image)
            if let other = others[expected.name] {
                let second = ImageDifference(image, other)
                if second.mean < difference.mean { difference = second }
            }
            #expect(difference.greatest <= greatest && difference.mean <= mean, "\(expected.name): \(difference)")
            names.append(expected.name)
            worst.greatest = max(worst.greatest, difference.greatest)
            if difference.mean >= worst.mean { (worst.mean, worst.name) = (difference.mean, expected.name) }
        }
        #expect(names.count >= 8)
        print(
            "\(kind): \(names.count) pictures, at most \(Int(worst.greatest)) levels apart, on average at most "
                + String(format: "%.3f", worst.mean) + " (\(worst.name))")
        return names
    }
}
