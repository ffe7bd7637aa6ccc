/// Filter functions that are applied one after the other, as in CSS's `filter` property.
///
/// The same text in a browser gives the same picture. Every function clamps its result; rounding to 8 bits
/// happens once, after the last, and around `blur()`, `drop-shadow()` and the layers of looks. Beside CSS's functions
/// there are `sepia-tone()`, see `FilterFunction.sepiaTone`, and `look()`, see `Look`.
public struct FilterChain: Hashable, Sendable {
    /// The functions in the order in which they are applied, with their amounts within bounds.
    public let functions: [FilterFunction]

    /// Makes a chain; amounts out of range are cut to what CSS allows (see `FilterFunction`).
    public init(_ functions: [FilterFunction]) {
        self.functions = functions.map(\.normalized)
    }

    /// Reads a chain as CSS's `filter` property writes it, for example `sepia(80%) contrast(1.1)`, or `none`.
    ///
    /// Names and units ignore case, an amount is a number or a percentage and may be left out, white space between
    /// functions is optional, comments and escapes are as in CSS. Amounts, angles and lengths can be computed
    /// (`calc()` and the other math functions), and colours be written in every notation of CSS Color 4; see
    /// <doc:FilterTexts>. Unlike in a browser's style sheet, a missing last parenthesis is an error.
    ///
    /// - Throws: `FilterSyntaxError`, which says what is wrong and where.
    public init(parsing text: String) throws(FilterSyntaxError) {
        var parser = FilterParser(text)
        functions = try parser.parseChain()
    }

    /// The chain that changes nothing, `none` in CSS.
    public static let none = FilterChain([])

    /// The look of the classic photo apps, `sepia-tone(0.8)`; what is used where nothing else is asked for.
    public static let classic = FilterChain([.sepiaTone(0.8)])
}

extension FilterChain: CustomStringConvertible {
    /// The chain as CSS text; parsing it gives an equal chain.
    public var description: String {
        functions.isEmpty ? "none" : functions.map(\.description).joined(separator: " ")
    }
}
