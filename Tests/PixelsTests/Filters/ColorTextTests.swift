import Pixels
import Testing

/// The notations of colours, by values of CSS Color Module Level 4; `ChromiumTextsTests` has many more.
@Suite struct ColorTextTests {
    @Test(
        arguments: [
            ("rgb(50%, 50%, 50%)", 0x80_8080, 1),
            ("rgb(20% 40% 60%)", 0x33_6699, 1),
            ("rgb(10% 30% 70% / calc(1 / 4))", 0x1A_4DB3, 0.25),
            ("rgb(calc(infinity) calc(NaN) 3)", 0xFF_0003, 1),
            ("hsl(120 100% 25%)", 0x00_8000, 1),
            ("hsl(480deg, 100%, 25%, .5)", 0x00_8000, 0.5),
            ("hwb(90 20% 20%)", 0x80_CC33, 1),
            ("hwb(90 80% 80%)", 0x80_8080, 1),
            ("lab(46.2775 -47.5621 48.5837)", 0x00_8000, 1),
            ("lch(46.2775 67.9892 134.3912)", 0x00_8000, 1),
            ("oklab(.51975 -.1403 .10768)", 0x00_8000, 1),
            ("oklch(51.975% .17686 142.495)", 0x00_8000, 1),
            ("color(display-p3 .21604 .49418 .13151)", 0x00_8000, 1),
            ("color(xyz .07719 .15438 .02573)", 0x00_8000, 1),
            ("color(srgb 2 -1 .5)", 0xFF_0080, 1),
            ("currentColor", 0x00_0000, 1),
            ("color-mix(in srgb, red 25%, blue)", 0x40_00BF, 1),
            ("color-mix(in srgb, red 20%, blue 20%)", 0x80_0080, 0.4),
            ("color-mix(in srgb, red 0%, blue 0%)", 0x00_0000, 0),
            ("rgb(from #102030 b g r / 50%)", 0x30_2010, 0.5),
            ("hsl(from red calc(h + 120) s l)", 0x00_FF00, 1),
            ("contrast-color(navy)", 0xFF_FFFF, 1),
            ("light-dark(teal, red)", 0x00_8080, 1),
            ("alpha(from teal / .25)", 0x00_8080, 0.25),
            ("#12\\33", 0x11_2233, 1),
        ] as [(String, UInt32, Double)])
    func reads(text: String, rgb: UInt32, alpha: Double) throws {
        let color = FilterColor(
            red: UInt8(rgb >> 16), green: UInt8(rgb >> 8 & 255), blue: UInt8(rgb & 255), alpha: alpha)
        #expect(
            try FilterChain(parsing: "drop-shadow(1px 2px 3px \(text))").functions
                == [.dropShadow(x: 1, y: 2, deviation: 3, color: color)])
    }

    @Test(
        arguments: [
            ("hsl(120, 100, 50)", .expectedColorComponent, 9),
            ("hwb(120, 10%, 20%)", .expectedColorComponent, 7),
            ("lab(50 10deg 10)", .expectedColorComponent, 7),
            ("rgb(calc(50%), 10, 3)", .expectedColorComponent, 15),
            ("rgb(1 2 3 / 4deg)", .expectedColorComponent, 12),
            ("rgb(1, 2, 3, none)", .expectedColorComponent, 13),
            ("rgb(r g b)", .expectedColorComponent, 4),
            ("rgb(from red h s l)", .expectedColorComponent, 13),
            ("rgb(from 3 r g b)", .expectedColor, 9),
            ("color(lab 50 0 0)", .unknownColorSpace("lab"), 6),
            ("color(1 0 0)", .expectedColorSpace, 6),
            ("color-mix(in foo, red, blue)", .unknownColorSpace("foo"), 13),
            ("color-mix(in lch longer, red, blue)", .expectedHue, 23),
            ("color-mix(in srgb longer hue, red, blue)", .expectedComma, 18),
            ("color-mix(in srgb, red 120%, blue)", .expectedPercentage, 23),
            ("color-mix(in srgb, red 20, blue)", .expectedPercentage, 23),
            ("color-mix(in srgb, red)", .expectedComma, 22),
            ("color-mix(in srgb, red, )", .expectedColor, 24),
            ("alpha(red / .5)", .expectedColor, 6),
            ("device-cmyk(0 1 0 0)", .unknownColor("device-cmyk()"), 0),
            ("canvastext", .unknownColor("canvastext"), 0),
            ("rgb(var(--r) 0 0)", .computedValueNotSupported("var"), 4),
        ] as [(String, FilterSyntaxError.Reason, Int)])
    func refuses(text: String, reason: FilterSyntaxError.Reason, offset: Int) {
        let error = #expect(throws: FilterSyntaxError.self) {
            try FilterChain(parsing: "drop-shadow(1px 1px \(text))")
        }
        #expect(error?.reason == reason)
        #expect(error?.offset == 20 + offset)
        #expect(error?.message.hasSuffix(".") == true)
    }
}
