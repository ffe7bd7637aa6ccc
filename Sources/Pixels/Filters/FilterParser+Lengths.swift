extension FilterParser {
    /// Reads an optional length that is not negative, in pixels.
    mutating func parseDeviation() throws(FilterSyntaxError) -> Double? {
        guard let length = try parseLength() else { return nil }
        guard length.pixels >= 0 else { throw scanner.error(.negative, at: length.start) }
        return length.pixels
    }

    /// Reads two or three lengths, and a colour before or after them.
    mutating func parseDropShadow() throws(FilterSyntaxError) -> FilterFunction {
        var color = try parseColor()
        guard let x = try parseLength(), let y = try parseLength() else { throw scanner.error(.expectedLength) }
        var deviation = 0.0
        if try scanner.isAtNumber() { deviation = try parseDeviation() ?? 0 }
        if color == nil { color = try parseColor() }
        return .dropShadow(x: x.pixels, y: y.pixels, deviation: deviation, color: color ?? .black)
    }

    mutating func parseLook() throws(FilterSyntaxError) -> Look {
        try scanner.skipSpace()
        let start = scanner.position
        guard let name = scanner.takeName() else { throw scanner.error(.expectedLook) }
        guard let look = Look(rawValue: name) else { throw scanner.error(.unknownLook(name), at: start) }
        return look
    }

    /// The length that comes next, in pixels, and where it starts, or nil if the arguments end before one.
    private mutating func parseLength() throws(FilterSyntaxError) -> (pixels: Double, start: Int)? {
        guard let number = try parseNumber(orElse: .expectedLength) else { return nil }
        let unitStart = scanner.position
        if scanner.take("%") { throw scanner.error(.unknownUnit("%"), at: unitStart) }
        guard let unit = scanner.takeIdentifier() else {
            guard number.value == 0 else { throw scanner.error(.missingUnit, at: unitStart) }
            return (0, number.start)
        }
        guard let pixels = Self.pixelsPerUnit[unit] else { throw scanner.error(.unknownUnit(unit), at: unitStart) }
        return (number.value * pixels, number.start)
    }

    /// CSS's absolute units: an inch is 96 pixels.
    private static let pixelsPerUnit = [
        "px": 1, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "pt": 96.0 / 72, "pc": 16,
    ]
}

extension CSSScanner {
    /// Whether a number comes next, after white space.
    mutating func isAtNumber() throws(FilterSyntaxError) -> Bool {
        try skipSpace()
        var ahead = self
        return ahead.takeNumber() != nil
    }
}
