extension FilterParser {
    /// Reads a colour: a name, `#` and hexadecimal digits, `rgb()` or `rgba()`; nil if none begins here.
    mutating func parseColor() throws(FilterSyntaxError) -> FilterColor? {
        try scanner.skipSpace()
        let start = scanner.position
        if try scanner.isAtNumber() { return nil }
        if scanner.take("#") {
            let digits = scanner.takeName() ?? ""
            guard let color = FilterColor(hexadecimalDigits: digits) else {
                throw scanner.error(.unknownColor("#" + digits), at: start)
            }
            return color
        }
        guard let name = scanner.takeIdentifier() else { return nil }
        if scanner.take("(") {
            if name == "rgb" || name == "rgba" { return try parseComponents() }
            let isColor = Self.otherColorFunctions.contains(name)
            throw scanner.error(isColor ? .unknownColor(name + "()") : .computedValueNotSupported(name), at: start)
        }
        guard let color = FilterColor.named(name) else { throw scanner.error(.unknownColor(name), at: start) }
        return color
    }

    /// Reads what follows `rgb(`: `r, g, b, a` with commas, or `r g b / a` without.
    private mutating func parseComponents() throws(FilterSyntaxError) -> FilterColor {
        let red = try parseComponent()
        try scanner.skipSpace()
        let hasCommas = scanner.take(",")
        let green = try parseComponent()
        try scanner.skipSpace()
        if hasCommas, !scanner.take(",") { throw scanner.error(.expectedColorComponent) }
        let blue = try parseComponent()
        // Only the notation without commas may mix numbers and percentages, or leave one out.
        if hasCommas, Set([red, green, blue].map(\.kind)).count > 1 || red.kind == .none {
            throw scanner.error(.expectedColorComponent, at: green.kind == red.kind ? blue.start : green.start)
        }
        try scanner.skipSpace()
        var alpha = 1.0
        if scanner.take(hasCommas ? "," : "/") {
            let component = try parseComponent()
            if hasCommas, component.kind == .none { throw scanner.error(.expectedColorComponent, at: component.start) }
            alpha = component.kind == .percentage ? component.value / 100 : component.value
            try scanner.skipSpace()
        }
        guard scanner.take(")") else { throw scanner.error(.expectedClosingParenthesis) }
        return FilterColor(red: red.channel, green: green.channel, blue: blue.channel, alpha: alpha)
    }

    private mutating func parseComponent() throws(FilterSyntaxError) -> Component {
        try scanner.skipSpace()
        let start = scanner.position
        if let value = scanner.takeNumber() {
            let kind: Component.Kind = scanner.take("%") ? .percentage : .number
            let unitStart = scanner.position
            if let unit = scanner.takeIdentifier() { throw scanner.error(.unknownUnit(unit), at: unitStart) }
            return Component(kind: kind, value: value, start: start)
        }
        guard let name = scanner.takeIdentifier() else { throw scanner.error(.expectedColorComponent) }
        if scanner.take("(") { throw scanner.error(.computedValueNotSupported(name), at: start) }
        guard name == "none" else { throw scanner.error(.expectedColorComponent, at: start) }
        return Component(kind: .none, value: 0, start: start)
    }

    private struct Component {
        enum Kind { case number, percentage, none }

        let kind: Kind
        let value: Double
        let start: Int

        /// The value as a channel, in 0...255.
        var channel: UInt8 {
            let level = kind == .percentage ? value * 2.55 : value
            return UInt8(min(255, max(0, level)).rounded())
        }
    }

    private static let otherColorFunctions: Set = [
        "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color", "color-mix", "light-dark", "device-cmyk",
    ]
}
