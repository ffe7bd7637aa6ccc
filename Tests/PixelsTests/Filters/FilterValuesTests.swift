import Pixels
import Testing

/// The check values that the specification names.
@Suite struct FilterValuesTests {
    @Test(
        arguments: [
            ("sepia(1)", [[100, 89, 69], [255, 238, 186], [131, 117, 91]]),
            ("sepia(.8)", [[131, 71, 55], [254, 230, 188], [129, 105, 113]]),
            ("grayscale(1)", [[54, 54, 54], [198, 198, 198], [83, 83, 83]]),
            ("saturate(.5)", [[155, 27, 27], [198, 198, 198], [101, 71, 141]]),
            ("hue-rotate(90deg)", [[0, 91, 0], [198, 198, 198], [200, 52, 46]]),
            ("sepia-tone(0.8)", [[177, 107, 55], [207, 194, 162], [120, 82, 100]]),
        ] as [(String, [[UInt8]])])
    func checkValues(text: String, expected: [[UInt8]]) throws {
        let chain = try FilterChain(parsing: text)
        for (color, result) in zip([[255, 0, 0], [198, 198, 198], [120, 60, 200]] as [[UInt8]], expected) {
            #expect(chain.applied(to: color) == result + [255])
        }
    }

    @Test func classicAtTheEnds() {
        #expect(FilterChain.classic.applied(to: [255, 255, 255]) == [255, 254, 248, 255])
        #expect(FilterChain.classic.applied(to: [0, 0, 0]) == [2, 0, 0, 255])
    }

    @Test func opacityRoundsToNearestAndKeepsColor() throws {
        #expect(try FilterChain(parsing: "opacity(.5)").applied(to: [9, 8, 7]) == [9, 8, 7, 128])
        #expect(try FilterChain(parsing: "opacity(.5) opacity(50%)").applied(to: [9, 8, 7]) == [9, 8, 7, 64])
        #expect(try FilterChain(parsing: "opacity(0)").applied(to: [9, 8, 7]) == [9, 8, 7, 0])
    }

    /// Without the clamp after the first function red and green would come out as 255.
    @Test func everyFunctionClamps() throws {
        let chain = try FilterChain(parsing: "brightness(4) brightness(.5)")
        #expect(chain.applied(to: [255, 128, 20]) == [128, 128, 40, 255])
    }

    /// Rounding in between would leave nothing but black.
    @Test func roundsOnceAtTheEnd() throws {
        let chain = try FilterChain(parsing: "brightness(.001) brightness(1000)")
        for value in [UInt8(1), 100, 201] {
            #expect(chain.applied(to: [value, value, value]) == [value, value, value, 255])
        }
    }

    @Test func hugeAmountsSaturateAndGraysStayGray() throws {
        let huge = try FilterChain(parsing: "brightness(1e300)")
        #expect(huge.applied(to: [0, 1, 255]) == [0, 255, 255, 255])
        let vivid = try FilterChain(parsing: "saturate(1e300)")
        #expect(vivid.applied(to: [77, 77, 77]) == [77, 77, 77, 255])
        #expect(vivid.applied(to: [255, 0, 0]) == [255, 0, 0, 255])
        #expect(try FilterChain(parsing: "contrast(1e9)").applied(to: [127, 128, 0]) == [0, 255, 0, 255])
    }
}
