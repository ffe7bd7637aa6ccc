import Foundation
import Pixels
import Testing

/// What Chromium itself painted, recorded by `Scripts/chromium-oracle`.
@Suite struct ChromiumOracleTests {
    @Test func matricesAndChainsAreWithinOneLevel() throws {
        let url = try #require(Bundle.module.url(forResource: "Resources/chromium-matrices", withExtension: "tsv"))
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst()
        #expect(lines.count > 2000)
        for line in lines {
            let fields = line.split(separator: "\t")
            let color = fields[0].split(separator: " ").compactMap { UInt8($0) }
            let painted = fields[2].split(separator: " ").compactMap { UInt8($0) }
            let ours = try FilterChain(parsing: String(fields[1])).applied(to: color)
            #expect(distance(ours, painted) <= 1, "\(line) but ours is \(ours)")
        }
    }

    /// The largest difference in levels, as painted: a translucent pixel's colour counts by its alpha.
    private func distance(_ ours: [UInt8], _ theirs: [UInt8]) -> Int {
        func painted(_ pixel: [UInt8]) -> [Int] {
            let alpha = Double(pixel[3]) / 255
            return pixel[0..<3].map { Int((Double($0) * alpha).rounded()) } + [Int(pixel[3])]
        }
        return zip(painted(ours), painted(theirs)).map { abs($0 - $1) }.max() ?? 0
    }
}
