import OperationsTesting
import Pixels
import Testing

@Suite struct FilterParserTests {
    @Test(
        arguments: [
            ("none", []),
            ("  NoNe\t", []),
            ("sepia()", [.sepia(1)]),
            ("sepia( )", [.sepia(1)]),
            ("sepia(0.8)", [.sepia(0.8)]),
            ("sepia(80%)", [.sepia(0.8)]),
            ("SEPIA( 80% )", [.sepia(0.8)]),
            ("sepia(3)", [.sepia(1)]),
            ("grayscale(250%)", [.grayscale(1)]),
            ("invert(1.01)", [.invert(1)]),
            ("opacity(7)", [.opacity(1)]),
            ("sepia-tone(2)", [.sepiaTone(1)]),
            ("Sepia-Tone()", [.sepiaTone(1)]),
            ("brightness(3)", [.brightness(3)]),
            ("contrast(250%)", [.contrast(2.5)]),
            ("saturate(.5)", [.saturate(0.5)]),
            ("saturate(+.5e1)", [.saturate(5)]),
            ("saturate(5E-1%)", [.saturate(0.005)]),
            ("sepia(-0)", [.sepia(0)]),
            ("opacity()", [.opacity(1)]),
            ("hue-rotate()", [.hueRotate(degrees: 0)]),
            ("hue-rotate(0)", [.hueRotate(degrees: 0)]),
            ("hue-rotate(-0)", [.hueRotate(degrees: 0)]),
            ("hue-rotate(-90DEG)", [.hueRotate(degrees: -90)]),
            ("hue-rotate(.25turn)", [.hueRotate(degrees: 90)]),
            ("hue-rotate(100grad)", [.hueRotate(degrees: 90)]),
            ("hue-rotate(3.141592653589793rad)", [.hueRotate(degrees: 180)]),
            ("hue-rotate(1e2deg)", [.hueRotate(degrees: 100)]),
            ("sepia(.2)contrast(1.1)", [.sepia(0.2), .contrast(1.1)]),
            ("\n sepia(1)\r\n\tinvert(0) \u{0C}", [.sepia(1), .invert(0)]),
            ("/* a */sepia(/**/20%/* * / */)/*b*/invert(0)", [.sepia(0.2), .invert(0)]),
            ("\\73 epia(1)", [.sepia(1)]),
            ("s\\65pia(1)", [.sepia(1)]),
            ("hue-rotate(1\\64 eg)", [.hueRotate(degrees: 1)]),
            ("brightness(1e999)", [.brightness(.greatestFiniteMagnitude)]),
            ("blur()", [.blur(deviation: 0)]),
            ("blur(0)", [.blur(deviation: 0)]),
            ("blur( 2.5PX )", [.blur(deviation: 2.5)]),
            ("blur(1in)", [.blur(deviation: 96)]),
            ("blur(3pt)", [.blur(deviation: 4)]),
            ("blur(2pc)", [.blur(deviation: 32)]),
            ("drop-shadow(1px -2px)", [.dropShadow(x: 1, y: -2, deviation: 0, color: .black)]),
            ("drop-shadow(0 0 3px)", [.dropShadow(x: 0, y: 0, deviation: 3, color: .black)]),
            ("drop-shadow(1px 2px 3px #f80)", [.shadow(255, 136, 0)]),
            ("drop-shadow(#FF8800 1px 2px 3px)", [.shadow(255, 136, 0)]),
            ("drop-shadow(#ff880033 1px 2px 3px)", [.shadow(255, 136, 0, 0.2)]),
            ("drop-shadow(1px 2px 3px#f803)", [.shadow(255, 136, 0, 0.2)]),
            ("drop-shadow(RebeccaPurple 1px 2px 3px)", [.shadow(102, 51, 153)]),
            ("drop-shadow(transparent 1px 2px 3px)", [.shadow(0, 0, 0, 0)]),
            ("drop-shadow(1px 2px 3px rgb(10,20,30))", [.shadow(10, 20, 30)]),
            ("drop-shadow(rgba( 10 , 20 , 30 , 50% ) 1px 2px 3px)", [.shadow(10, 20, 30, 0.5)]),
            ("drop-shadow(rgb(10 20 30 / .25) 1px 2px 3px)", [.shadow(10, 20, 30, 0.25)]),
            ("drop-shadow(rgb(100% 20 none/7) 1px 2px 3px)", [.shadow(255, 20, 0)]),
            ("drop-shadow(rgb(300,-5,19.6) 1px 2px 3px)", [.shadow(255, 0, 20)]),
            ("look(1977)sepia(1)", [.look(.nineteenSeventySeven), .sepia(1)]),
            ("LOOK( Moon )", [.look(.moon)]),
            ("sepia(1) /* never closed", [.sepia(1)]), ("sepia(1)/*", [.sepia(1)]), ("sepia(1) /**", [.sepia(1)]),
        ] as [(String, [FilterFunction])])
    func reads(text: String, functions: [FilterFunction]) throws {
        #expect(try FilterChain(parsing: text).functions == functions)
    }

    @Test(
        arguments: [
            ("", .empty, 0),
            ("   ", .empty, 0),
            ("/* only this */", .empty, 0),
            ("sepia", .expectedOpeningParenthesis(after: "sepia"), 5),
            ("sepia (1)", .expectedOpeningParenthesis(after: "sepia"), 5),
            ("sepia/**/(1)", .expectedOpeningParenthesis(after: "sepia"), 5),
            ("  sepla(1)", .unknownFunction("sepla"), 2),
            ("inherit", .unknownFunction("inherit"), 0),
            ("sepia(1), invert(1)", .expectedFunction, 8),
            ("sepia(1);", .expectedFunction, 8),
            ("sepia(1)) ", .expectedFunction, 8),
            ("80%", .expectedFunction, 0),
            ("(1)", .expectedFunction, 0),
            ("sepia(1", .expectedClosingParenthesis, 7),
            ("sepia(", .expectedClosingParenthesis, 6),
            ("sepia(1.)", .expectedClosingParenthesis, 7),
            ("sepia(80 %)", .expectedClosingParenthesis, 9),
            ("sepia(80%%)", .expectedClosingParenthesis, 9),
            ("sepia(1 2)", .expectedClosingParenthesis, 8),
            ("sepia(1,2)", .expectedClosingParenthesis, 7),
            ("sepia(--1)", .expectedAmount, 6),
            ("sepia(half)", .expectedAmount, 6),
            ("sepia(.)", .expectedAmount, 6),
            ("sepia(+)", .expectedAmount, 6),
            ("sepia(%)", .expectedAmount, 6),
            ("sepia( -0.1)", .negative, 7),
            ("brightness(-5%)", .negative, 11),
            ("invert(1) contrast(-1e-9)", .negative, 19),
            ("sepia(1deg)", .unknownUnit("deg"), 7),
            ("sepia(1px)", .unknownUnit("px"), 7),
            ("sepia(1e)", .unknownUnit("e"), 7),
            ("hue-rotate(90)", .missingUnit, 13),
            ("hue-rotate(90 deg)", .missingUnit, 13),
            ("hue-rotate(50%)", .unknownUnit("%"), 13),
            ("hue-rotate(5px)", .unknownUnit("px"), 12),
            ("hue-rotate(left)", .expectedAngle, 11),
            ("none sepia(1)", .noneIsNotAlone, 5),
            ("sepia(1) none", .noneIsNotAlone, 9),
            ("none none", .noneIsNotAlone, 5),
            ("sepia(1) blur(-2px)", .negative, 14),
            ("blur(2)", .missingUnit, 6),
            ("blur(2em)", .unknownUnit("em"), 6),
            ("blur(50%)", .unknownUnit("%"), 7),
            ("blur(wide)", .expectedLength, 5),
            ("blur(1px 2px)", .expectedClosingParenthesis, 9),
            ("drop-shadow()", .expectedLength, 12),
            ("drop-shadow(1px)", .expectedLength, 15),
            ("drop-shadow(red)", .expectedLength, 15),
            ("drop-shadow(1px 1px -1px)", .negative, 20),
            ("drop-shadow(1px 1px 1px 1px)", .expectedClosingParenthesis, 24),
            ("drop-shadow(1px red 1px)", .expectedLength, 16),
            ("drop-shadow(red 1px 1px blue)", .expectedClosingParenthesis, 24),
            ("drop-shadow(1px 1px reddish)", .unknownColor("reddish"), 20),
            ("drop-shadow(1px 1px #12345)", .unknownColor("#12345"), 20),
            ("drop-shadow(1px 1px #12g)", .unknownColor("#12g"), 20),
            ("drop-shadow(1px 1px rgb(1, 2 3))", .expectedColorComponent, 29),
            ("drop-shadow(1px 1px rgb(1 2))", .expectedColorComponent, 27),
            ("drop-shadow(1px 1px rgb(1, 2%, 3))", .expectedColorComponent, 27),
            ("drop-shadow(1px 1px rgb(1, 2, 3%))", .expectedColorComponent, 30),
            ("drop-shadow(1px 1px rgb(1 2 3 4))", .expectedClosingParenthesis, 30),
            ("drop-shadow(1px, 1px)", .expectedLength, 15),
            ("look()", .expectedLook, 5),
            ("look(1978)", .unknownLook("1978"), 5),
            ("look(moon sun)", .expectedClosingParenthesis, 10),
            ("blur", .expectedOpeningParenthesis(after: "blur"), 4),
            ("none()", .unknownFunction("none"), 0),
            ("url(#blur)", .urlNotSupported, 0),
            ("sepia(1) URL('a.svg#b')", .urlNotSupported, 9),
            ("brightness(var(--x))", .computedValueNotSupported("var"), 11),
            ("sepia(/* )", .expectedClosingParenthesis, 10),
            ("/* sepia(1)", .empty, 0),
            ("sepia\u{301}(1)", .unknownFunction("sepia\u{301}"), 0),
        ] as [(String, FilterSyntaxError.Reason, Int)])
    func refuses(text: String, reason: FilterSyntaxError.Reason, offset: Int) {
        let error = #expect(throws: FilterSyntaxError.self) { try FilterChain(parsing: text) }
        #expect(error?.reason == reason)
        #expect(error?.offset == offset)
        #expect(error?.message.hasSuffix(".") == true)
    }

    @Test func columnsCountCharactersAndOffsetsCountBytes() {
        let error = #expect(throws: FilterSyntaxError.self) { try FilterChain(parsing: "/* đẹp 📷 */ sepia(x)") }
        #expect(error?.offset == 24)
        #expect(error?.column == 19)
        #expect(error?.description.hasPrefix("column 19: ") == true)
    }

    @Test func printedChainsReadBackEqual() throws {
        #expect(FilterChain.none.description == "none")
        #expect(FilterChain.classic.description == "sepia-tone(0.8)")
        #expect(
            FilterChain([.sepia(2), .hueRotate(degrees: -90), .contrast(1)]).description
                == "sepia(1) hue-rotate(-90deg) contrast(1)")
        let extremes: [Double] = [
            0, -0.0, -1, .leastNonzeroMagnitude, 1e16, .greatestFiniteMagnitude, .infinity, -.infinity, .nan,
        ]
        for value in extremes {
            let color = FilterColor(red: 1, green: 2, blue: 3, alpha: value)
            let chain = FilterChain([
                .brightness(value), .hueRotate(degrees: value), .sepia(value), .blur(deviation: value),
                .dropShadow(x: value, y: -value, deviation: value, color: color),
            ])
            #expect(try FilterChain(parsing: chain.description) == chain)
        }
        let seed: UInt64 = 11
        var generator = SeededRandom(seed: seed)
        for _ in 0..<500 {
            let chain = FilterChain((0..<5).map { _ in .randomOfAny(using: &generator) })
            #expect(try FilterChain(parsing: chain.description) == chain, "seed \(seed)")
        }
    }

    /// Random bytes from the language's own alphabet: never a trap, and every error is inside the text.
    @Test func anyTextIsReadOrRefusedWithAPlaceInIt() {
        let pieces = [
            "sepia", "hue-rotate", "none", "url", "calc(", "(", ")", " ", "%", "-", "+", ".", "1", "0", "9e", "e-",
            "deg", "px", ",", "/*", "*/", "\\", "é", "\u{1F600}", "\r", "\n", "look", "blur",
            "drop-shadow(", "rgb(", "#", "fff", "red", "1px", "moon", "/", "hsl(", "lab(", "color(srgb",
            "color-mix(in lch", "from", " r ", "min(", "round(up", "infinity", " * ",
        ]
        let seed: UInt64 = 12
        var generator = SeededRandom(seed: seed)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...8, using: &generator)
            let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &generator)] }.joined()
            do {
                let chain = try FilterChain(parsing: text)
                let again = try FilterChain(parsing: chain.description)
                #expect(again == chain, "seed \(seed), “\(text)”")
            } catch {
                #expect((0...text.utf8.count).contains(error.offset), "seed \(seed), “\(text)”")
                #expect((1...text.count + 1).contains(error.column), "seed \(seed), “\(text)”")
            }
        }
    }
}

extension FilterFunction {
    /// A shadow at 1 and 2 pixels, blurred by 3.
    fileprivate static func shadow(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: Double = 1) -> Self {
        .dropShadow(x: 1, y: 2, deviation: 3, color: FilterColor(red: red, green: green, blue: blue, alpha: alpha))
    }
}
