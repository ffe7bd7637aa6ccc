extension FilterParser {
    /// Reads an optional length that is not negative, in pixels.
    mutating func parseDeviation() throws(FilterSyntaxError) -> Double? {
        guard let argument = try parseArgument(orElse: .expectedLength) else { return nil }
        return try notNegative(try value(of: argument, measuring: .length, orElse: .expectedLength), argument)
    }

    /// Reads two or three lengths, and a colour before or after them.
    mutating func parseDropShadow() throws(FilterSyntaxError) -> FilterFunction {
        var color = try parseColor()
        let x = try parseOffset()
        let y = try parseOffset()
        let deviation = try isAtArgument() ? try parseDeviation() : nil
        if color == nil { color = try parseColor() }
        return .dropShadow(x: x, y: y, deviation: deviation ?? 0, color: color ?? .black)
    }

    private mutating func parseOffset() throws(FilterSyntaxError) -> Double {
        guard let argument = try parseArgument(orElse: .expectedLength) else { throw scanner.error(.expectedLength) }
        return try value(of: argument, measuring: .length, orElse: .expectedLength)
    }

    mutating func parseLook() throws(FilterSyntaxError) -> Look {
        try scanner.skipSpace()
        let start = scanner.position
        guard let name = scanner.takeName() else { throw scanner.error(.expectedLook) }
        guard let look = Look(rawValue: name) else { throw scanner.error(.unknownLook(name), at: start) }
        return look
    }
}
