/// A number as it is written, with its unit.
struct Literal {
    let value: Double
    /// The unit, `%` too, in lower case.
    let unit: String?
    let start: Int
    let unitStart: Int

    /// - Parameter scanner: Where the literal stands.
    func quantity(in scanner: CSSScanner) throws(FilterSyntaxError) -> Quantity {
        guard let unit else { return Quantity(value) }
        guard let quantity = Quantity(value, unit: unit) else {
            throw scanner.error(.unknownUnit(unit), at: unitStart)
        }
        return quantity
    }
}

/// A number, percentage or dimension, or a math function, among the arguments of a function.
struct Argument {
    let quantity: Quantity
    let start: Int
    /// As it is written, unless it is computed.
    let literal: Literal?
}

extension FilterParser {
    /// The number that comes next, with its unit.
    mutating func parseLiteral() throws(FilterSyntaxError) -> Literal? {
        let start = scanner.position
        guard let value = scanner.takeNumber() else { return nil }
        let unitStart = scanner.position
        let unit = scanner.take("%") ? "%" : scanner.takeIdentifier()
        return Literal(value: value, unit: unit, start: start, unitStart: unitStart)
    }

    /// Whether a number or a math function comes next, after white space.
    func isAtArgument() throws(FilterSyntaxError) -> Bool {
        var ahead = scanner
        try ahead.skipSpace()
        if ahead.takeNumber() != nil { return true }
        guard let name = ahead.takeIdentifier() else { return false }
        return ahead.isAt("(") && Self.mathFunctions.contains(name)
    }

    /// The number or math function that comes next; nil if the arguments end before one.
    ///
    /// - Parameter reason: What is thrown if something else comes.
    mutating func parseArgument(
        orElse reason: FilterSyntaxError.Reason
    ) throws(FilterSyntaxError) -> Argument? {
        try scanner.skipSpace()
        let start = scanner.position
        if let literal = try parseLiteral() {
            return Argument(quantity: try literal.quantity(in: scanner), start: start, literal: literal)
        }
        if scanner.isAtEnd { throw scanner.error(.expectedClosingParenthesis) }
        if let name = scanner.takeIdentifier() {
            guard scanner.take("(") else { throw scanner.error(reason, at: start) }
            return Argument(quantity: try parseMathFunction(named: name, at: start), start: start, literal: nil)
        }
        guard scanner.isAt(")") else { throw scanner.error(reason) }
        return nil
    }

    /// The value of an argument that must measure an angle or a length.
    ///
    /// A bare 0 will do, but not one that is computed.
    func value(
        of argument: Argument, measuring measure: Measure, orElse reason: FilterSyntaxError.Reason
    ) throws(FilterSyntaxError) -> Double {
        if argument.quantity.measure == measure { return argument.quantity.value }
        guard let literal = argument.literal else { throw scanner.error(reason, at: argument.start) }
        if let unit = literal.unit { throw scanner.error(.unknownUnit(unit), at: literal.unitStart) }
        guard literal.value == 0 else { throw scanner.error(.missingUnit, at: literal.unitStart) }
        return 0
    }
}
