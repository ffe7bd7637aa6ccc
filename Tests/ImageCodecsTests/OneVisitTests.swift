import Foundation
import ImageCodecs
import Pixels
import XCTest

/// A drawing whose loading takes long and whose drawing takes nothing: how often it is loaded shows in its helper's time.
final class OneVisitTests: XCTestCase {
    /// Each element is held against each rule.
    static func slowDrawing(_ rules: Int) -> Data {
        let style = (0..<rules).map { ".a\($0) .b\($0) .c\($0){fill:#\(100 + $0 % 900)}" }.joined()
        let shapes = (0..<rules).map { "<rect class='c\($0) b\($0)' x='\($0 % 40)' width='1' height='1'/>" }.joined()
        return Data(
            "<svg xmlns='http://www.w3.org/2000/svg' width='900' height='300'><style>\(style)</style>\(shapes)</svg>"
                .utf8)
    }

    /// Seconds that the helpers have computed for so far.
    static func computed() -> Double {
        HelperProcessTests.helpers().reduce(0) { sum, helper in
            let text = (try? String(contentsOfFile: "/proc/\(helper)/stat", encoding: .utf8)) ?? ""
            let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
            return sum + (fields.count > 13 ? Double(fields[11]) ?? 0 : 0) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
    }

    func testADrawingIsLoadedOnce() throws {
        try XCTSkipIf(ProcessStatus.isSanitized, "a sanitizer's time is not the decoder's")
        let file = Self.slowDrawing(2_500)
        let limits = DecodeLimits(timeLimit: .seconds(300))
        // Starts the helper.
        _ = try ImageDecoder.probe(FormatTests.file(.svg))
        // The middle of several, because what else runs on a processor costs time, too.
        var ratios: [Double] = []
        for _ in 0..<5 {
            let start = Self.computed()
            let info = try ImageDecoder.probe(file, limits: limits)
            let between = Self.computed()
            let image = try ImageDecoder.decodeWithInfo(file, longestSide: 300, limits: limits)
            ratios.append((Self.computed() - between) / max(0.01, between - start))
            XCTAssertEqual(image.info, info)
            XCTAssertEqual(image.pixels.size.width, 300)
        }
        XCTAssertLessThan(ratios.sorted()[2], 1.6, "it was loaded twice: \(ratios)")
    }

    func testReadingAHeaderObeysItsLimitsAndTheCaller() throws {
        try XCTSkipIf(ProcessStatus.isSanitized, "a sanitizer's time is not the decoder's")
        let file = Self.slowDrawing(40_000)
        XCTAssertThrowsError(try ImageDecoder.probe(file, limits: DecodeLimits(timeLimit: .seconds(1)))) {
            XCTAssertEqual($0 as? ImageCodecError, .timeout)
        }
        let asked = Counter()
        XCTAssertThrowsError(
            try ImageDecoder.probe(file, limits: DecodeLimits(timeLimit: .seconds(600))) { asked.next() > 50 }
        ) { XCTAssertEqual($0 as? ImageCodecError, .cancelled) }
    }
}
