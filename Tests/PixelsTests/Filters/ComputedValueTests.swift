import Pixels
import Testing

/// `calc()` and the other math functions; `ChromiumTextsTests` has what browsers make of many more.
@Suite struct ComputedValueTests {
    @Test(
        arguments: [
            ("sepia(calc(1 / 4))", .sepia(0.25)),
            ("sepia(calc(20% + 5%))", .sepia(0.25)),
            ("sepia(calc(-1))", .sepia(0)),
            ("sepia(min(1, 3 / 4, .875))", .sepia(0.75)),
            ("hue-rotate(calc(90deg + .25turn))", .hueRotate(degrees: 180)),
            ("hue-rotate(calc(1deg * (10px / 2px)))", .hueRotate(degrees: 5)),
            ("blur(calc((1in - 90px) / 2))", .blur(deviation: 3)),
            ("blur(calc(2px - 4px))", .blur(deviation: 0)),
            ("blur(clamp(1px, 9px, none))", .blur(deviation: 9)),
            ("blur(round(2.5px, 1px))", .blur(deviation: 3)),
            ("brightness(round(2.5))", .brightness(3)),
            ("brightness(calc(4 + round(-2.5)))", .brightness(2)),
            ("brightness(calc(4 + round(down, -2.5)))", .brightness(1)),
            ("brightness(mod(5, 3))", .brightness(2)),
            ("brightness(calc(2 + mod(5, -3)))", .brightness(1)),
            ("brightness(calc(1 / 0))", .brightness(.greatestFiniteMagnitude)),
            ("brightness(calc(infinity))", .brightness(.greatestFiniteMagnitude)),
            ("brightness(calc(0 / 0))", .brightness(0)),
            ("brightness(max(1, NaN))", .brightness(0)),
            ("sepia(calc(1 - -infinity))", .sepia(1)),
            ("drop-shadow(calc(1px) calc(2px) calc(-3px))", .dropShadow(x: 1, y: 2, deviation: 0, color: .black)),
        ] as [(String, FilterFunction)])
    func computes(text: String, function: FilterFunction) throws {
        #expect(try FilterChain(parsing: text).functions == [function])
    }

    @Test(
        arguments: [
            ("sepia(calc(1 +2))", .expectedSpace, 13),
            ("sepia(calc(1- 2))", .expectedSpace, 12),
            ("sepia(calc(1/**/+ 2))", .expectedSpace, 16),
            ("sepia(calc(1 2))", .expectedClosingParenthesis, 13),
            ("sepia(calc())", .expectedOperand, 11),
            ("sepia(calc(1 * ))", .expectedOperand, 15),
            ("sepia(calc(tau))", .expectedOperand, 11),
            ("sepia(calc(1 + 50%))", .differentMeasures, 15),
            ("sepia(min(1, 2px))", .differentMeasures, 13),
            ("sepia(calc(1px))", .expectedAmount, 6),
            ("sepia(asin(1))", .expectedAmount, 6),
            ("hue-rotate(calc(0))", .expectedAngle, 11),
            ("blur(calc(1px * 1px))", .expectedLength, 5),
            ("drop-shadow(calc(0) 1px)", .expectedLength, 12),
            ("sepia(sin(1px))", .expectedAngle, 10),
            ("sepia(pow(1px, 2))", .differentMeasures, 15),
            ("sepia(sqrt(1px))", .expectedNumber, 11),
            ("sepia(pow(2))", .expectedComma, 11),
            ("sepia(abs(1, 2))", .expectedClosingParenthesis, 11),
            ("sepia(clamp(1, none, 2))", .expectedOperand, 15),
            ("sepia(round(2px))", .expectedComma, 15),
            ("sepia(calc(1em / 2em))", .unknownUnit("em"), 12),
            ("sepia(calc(var(--x)))", .computedValueNotSupported("var"), 11),
            ("sepia(calc(1 + sepia(1)))", .computedValueNotSupported("sepia"), 15),
            ("sepia((1))", .expectedAmount, 6),
            ("sepia(calc((1))", .expectedClosingParenthesis, 15),
        ] as [(String, FilterSyntaxError.Reason, Int)])
    func refuses(text: String, reason: FilterSyntaxError.Reason, offset: Int) {
        let error = #expect(throws: FilterSyntaxError.self) { try FilterChain(parsing: text) }
        #expect(error?.reason == reason)
        #expect(error?.offset == offset)
        #expect(error?.message.hasSuffix(".") == true)
    }

    @Test func aHundredParenthesesAreTheMost() throws {
        func nested(_ opening: String, _ count: Int, _ value: String) -> String {
            String(repeating: opening, count: count) + value + String(repeating: ")", count: count)
        }
        #expect(try FilterChain(parsing: "sepia(\(nested("calc(", 100, ".5")))").functions == [.sepia(0.5)])
        for (opening, count) in [("calc(", 101), ("calc((", 51), ("abs(", 100_000), ("calc(1 + (", 100_000)] {
            let error = #expect(throws: FilterSyntaxError.self) {
                try FilterChain(parsing: "sepia(\(nested(opening, count, "1")))")
            }
            #expect(error?.reason == .nestedTooDeeply)
        }
        let mixtures = nested("color-mix(in srgb, red, ", 100_000, "red")
        let error = #expect(throws: FilterSyntaxError.self) {
            try FilterChain(parsing: "drop-shadow(1px 1px \(mixtures))")
        }
        #expect(error?.reason == .nestedTooDeeply)
        #expect(error?.offset == 20 + 24 * 100)
        // What stands side by side is not nested.
        let sum = Array(repeating: "(0 * 1)", count: 1000).joined(separator: " + ")
        #expect(try FilterChain(parsing: "sepia(calc(\(sum)))").functions == [.sepia(0)])
    }
}
