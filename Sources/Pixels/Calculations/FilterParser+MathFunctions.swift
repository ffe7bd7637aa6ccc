internal import Glibc

/// The math functions of CSS Values and Units Modules Level 4 and 5 that depend on nothing but their arguments.
extension FilterParser {
    static let mathFunctions: Set = [
        "calc", "-webkit-calc", "min", "max", "clamp", "round", "mod", "rem", "sin", "cos", "tan", "asin", "acos",
        "atan", "atan2", "pow", "sqrt", "hypot", "log", "exp", "abs", "sign", "progress",
    ]

    /// Reads what follows `NAME(`, and the closing parenthesis.
    mutating func parseMathFunction(named name: String, at start: Int) throws(FilterSyntaxError) -> Quantity {
        guard Self.mathFunctions.contains(name) else {
            throw scanner.error(.computedValueNotSupported(name), at: start)
        }
        try nest(at: start)
        let result = try parseBody(of: name)
        try endNesting()
        return result
    }

    private mutating func parseBody(of name: String) throws(FilterSyntaxError) -> Quantity {
        switch name {
        case "min": return try parseLike(1...Int.max) { $0.reduce(.infinity, Rounding.lesser) }
        case "max": return try parseLike(1...Int.max) { $0.reduce(-.infinity, Rounding.greater) }
        case "hypot": return try parseLike(1...Int.max) { $0.reduce(0, Glibc.hypot) }
        case "mod": return try parseLike(2...2) { Rounding.modulus($0[0], $0[1]) }
        case "rem": return try parseLike(2...2) { $0[0].truncatingRemainder(dividingBy: $0[1]) }
        case "abs": return try parseLike(1...1) { $0[0].magnitude }
        case "sign": return Quantity(Rounding.sign(of: try parseSum().value))
        case "progress":
            let progress = try parseLike(3...3) { Rounding.progress($0[0], from: $0[1], to: $0[2]) }
            return Quantity(progress.value)
        case "clamp": return try parseClamp()
        case "round": return try parseRound()
        case "pow": return try parseNumbers(2...2) { Glibc.pow($0[0], $0[1]) }
        case "sqrt": return try parseNumbers(1...1) { $0[0].squareRoot() }
        case "exp": return try parseNumbers(1...1) { Glibc.exp($0[0]) }
        case "log": return try parseNumbers(1...2) { Glibc.log($0[0]) / ($0.count > 1 ? Glibc.log($0[1]) : 1) }
        case "sin": return Quantity(Glibc.sin(try parseRadians()))
        case "cos": return Quantity(Glibc.cos(try parseRadians()))
        case "tan": return Quantity(Glibc.tan(try parseRadians()))
        case "asin": return Quantity(radians: try parseNumbers(1...1) { Glibc.asin($0[0]) }.value)
        case "acos": return Quantity(radians: try parseNumbers(1...1) { Glibc.acos($0[0]) }.value)
        case "atan": return Quantity(radians: try parseNumbers(1...1) { Glibc.atan($0[0]) }.value)
        case "atan2": return Quantity(radians: try parseLike(2...2) { Glibc.atan2($0[0], $0[1]) }.value)
        default: return try parseSum()
        }
    }

    /// Reads sums that measure the same, with commas between, and computes with their values.
    ///
    /// - Parameter first: The first of them, where it has been read.
    private mutating func parseLike(
        _ count: ClosedRange<Int>, after first: Quantity? = nil, _ compute: ([Double]) -> Double
    ) throws(FilterSyntaxError) -> Quantity {
        let first = if let first { first } else { try parseSum() }
        var values = [first.value]
        while values.count < count.upperBound, try takeComma() {
            values.append(try parseSum(like: first.measure).value)
        }
        guard values.count >= count.lowerBound else { throw scanner.error(.expectedComma) }
        return Quantity(compute(values), first.measure)
    }

    private mutating func parseSum(like measure: Measure?) throws(FilterSyntaxError) -> Quantity {
        try scanner.skipSpace()
        let start = scanner.position
        let sum = try parseSum()
        guard measure == nil || sum.measure == measure else { throw scanner.error(.differentMeasures, at: start) }
        return sum
    }

    private mutating func parseNumbers(
        _ count: ClosedRange<Int>, _ compute: ([Double]) -> Double
    ) throws(FilterSyntaxError) -> Quantity {
        try scanner.skipSpace()
        let start = scanner.position
        let result = try parseLike(count, compute)
        guard result.measure == .number else { throw scanner.error(.expectedNumber, at: start) }
        return result
    }

    /// Reads an angle, or a number of radians.
    private mutating func parseRadians() throws(FilterSyntaxError) -> Double {
        try scanner.skipSpace()
        let start = scanner.position
        let argument = try parseSum()
        switch argument.measure {
        case .number: return argument.value
        case .angle: return argument.value * .pi / 180
        default: throw scanner.error(.expectedAngle, at: start)
        }
    }

    /// Reads the lowest value, the value and the highest; `none` is no limit.
    private mutating func parseClamp() throws(FilterSyntaxError) -> Quantity {
        let lowest = try takeWord(from: ["none"]) == nil ? try parseSum() : nil
        try expectComma()
        let value = try parseSum(like: lowest?.measure)
        try expectComma()
        let highest = try takeWord(from: ["none"]) == nil ? try parseSum(like: value.measure) : nil
        // The lowest wins over the highest.
        let limited = Rounding.lesser(value.value, highest?.value ?? .infinity)
        return Quantity(Rounding.greater(lowest?.value ?? -.infinity, limited), value.measure)
    }

    /// Reads how to round (by default to the nearest), a value, and of what it shall be a multiple (by default of 1).
    private mutating func parseRound() throws(FilterSyntaxError) -> Quantity {
        var rounding = Rounding.nearest
        if let name = try takeWord(from: Rounding.allCases.map(\.rawValue)) {
            rounding = Rounding(rawValue: name) ?? .nearest
            try expectComma()
        }
        let value = try parseSum()
        return try parseLike(value.measure == .number ? 1...2 : 2...2, after: value) {
            rounding.round($0[0], toMultipleOf: $0.count > 1 ? $0[1] : 1)
        }
    }
}

extension Quantity {
    /// What the inverse of a trigonometric function gives.
    fileprivate init(radians: Double) {
        self.init(radians * 180 / .pi, .angle)
    }
}
