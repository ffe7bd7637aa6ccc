/// Colours, as CSS Color Modules Level 4 and 5 write them.
extension FilterParser {
    /// Reads a colour; nil if none begins here.
    mutating func parseColor() throws(FilterSyntaxError) -> FilterColor? {
        try parseColorValue()?.color
    }

    mutating func parseColorValue() throws(FilterSyntaxError) -> ColorValue? {
        try scanner.skipSpace()
        let start = scanner.position
        if try isAtArgument() { return nil }
        if scanner.take("#") {
            let digits = scanner.takeName() ?? ""
            guard let color = FilterColor(hexadecimalDigits: digits) else {
                throw scanner.error(.unknownColor("#" + digits), at: start)
            }
            return ColorValue(color)
        }
        guard let name = scanner.takeIdentifier() else { return nil }
        if scanner.take("(") { return try parseColorFunction(named: name, at: start) }
        // The text colour of a page that says nothing about it.
        if name == "currentcolor" { return ColorValue(.black) }
        guard let color = FilterColor.named(name) else { throw scanner.error(.unknownColor(name), at: start) }
        return ColorValue(color)
    }

    mutating func parseRequiredColor() throws(FilterSyntaxError) -> ColorValue {
        guard let color = try parseColorValue() else { throw scanner.error(.expectedColor) }
        return color
    }

    private mutating func parseColorFunction(
        named name: String, at start: Int
    ) throws(FilterSyntaxError) -> ColorValue {
        try nest(at: start)
        let color: ColorValue
        switch name {
        case "color": color = try parseColorInSpace()
        case "color-mix": color = try parseMix()
        case "light-dark":
            color = try parseRequiredColor()
            try expectComma()
            // Pages are light unless they say otherwise.
            _ = try parseRequiredColor()
        case "contrast-color": color = ColorValue(try parseRequiredColor().contrasting)
        case "alpha": color = try parseOtherAlpha()
        case "device-cmyk": throw scanner.error(.unknownColor(name + "()"), at: start)
        default:
            guard let notation = ColorNotation.named[name] else {
                throw scanner.error(.computedValueNotSupported(name), at: start)
            }
            color = try parseChannels(notation, from: try parseOrigin())
        }
        try endNesting()
        return color
    }

    /// Reads `from COLOR`.
    private mutating func parseOrigin() throws(FilterSyntaxError) -> ColorValue? {
        try takeWord(from: ["from"]) == nil ? nil : try parseRequiredColor()
    }

    private mutating func parseColorInSpace() throws(FilterSyntaxError) -> ColorValue {
        let origin = try parseOrigin()
        return try parseChannels(.predefined(try parseSpace { $0.isPredefined }), from: origin)
    }

    /// Reads the name of a space that can stand here.
    mutating func parseSpace(where isAllowed: (ColorSpace) -> Bool) throws(FilterSyntaxError) -> ColorSpace {
        try scanner.skipSpace()
        let start = scanner.position
        guard let name = scanner.takeIdentifier() else { throw scanner.error(.expectedColorSpace) }
        guard let space = ColorSpace(name: name), isAllowed(space) else {
            throw scanner.error(.unknownColorSpace(name), at: start)
        }
        return space
    }

    /// Reads what follows `alpha(`: `from COLOR / ALPHA`.
    private mutating func parseOtherAlpha() throws(FilterSyntaxError) -> ColorValue {
        guard let color = try parseOrigin() else { throw scanner.error(.expectedColor) }
        let outer = channels
        channels = ["alpha": color.alpha ?? 0]
        defer { channels = outer }
        try scanner.skipSpace()
        guard scanner.take("/") else { throw scanner.error(.expectedColorComponent) }
        return ColorValue(
            color.space, [color.vector.x, color.vector.y, color.vector.z], alpha: try parseAlpha())
    }
}
