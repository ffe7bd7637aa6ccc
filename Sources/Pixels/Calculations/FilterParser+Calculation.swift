/// Sums and products, as CSS Values and Units Module Level 4 writes them in `calc()` and the other math functions.
extension FilterParser {
    /// Reads what follows the parenthesis of `calc(`, or of a group, up to its end.
    mutating func parseSum() throws(FilterSyntaxError) -> Quantity {
        var sum = try parseProduct()
        while true {
            let hasSpaceBefore = try scanner.skipSpace()
            let start = scanner.position
            let sign: Double
            if scanner.take("+") { sign = 1 } else if scanner.take("-") { sign = -1 } else { return sum }
            // `1 -2` is two numbers, and `1- 2` a number with the unit `-`.
            guard try scanner.skipSpace(), hasSpaceBefore else { throw scanner.error(.expectedSpace, at: start) }
            let operand = scanner.position
            let term = try parseProduct()
            guard term.measure == sum.measure else { throw scanner.error(.differentMeasures, at: operand) }
            sum.value += sign * term.value
        }
    }

    private mutating func parseProduct() throws(FilterSyntaxError) -> Quantity {
        var product = try parseOperand()
        while true {
            // White space is left for the sum, which looks for it.
            var ahead = scanner
            try ahead.skipSpace()
            if ahead.take("*") {
                scanner = ahead
                let factor = try parseOperand()
                product = Quantity(product.value * factor.value, product.measure * factor.measure)
            } else if ahead.take("/") {
                scanner = ahead
                let divisor = try parseOperand()
                product = Quantity(product.value / divisor.value, product.measure / divisor.measure)
            } else {
                return product
            }
        }
    }

    private mutating func parseOperand() throws(FilterSyntaxError) -> Quantity {
        try scanner.skipSpace()
        let start = scanner.position
        if let literal = try parseLiteral() { return try literal.quantity(in: scanner) }
        if scanner.take("(") { return try parseGroup(at: start) }
        guard let name = scanner.takeIdentifier() else { throw scanner.error(.expectedOperand) }
        if scanner.take("(") { return try parseMathFunction(named: name, at: start) }
        if let value = channels[name] ?? Self.constants[name] { return Quantity(value) }
        throw scanner.error(.expectedOperand, at: start)
    }

    private mutating func parseGroup(at start: Int) throws(FilterSyntaxError) -> Quantity {
        try nest(at: start)
        let value = try parseSum()
        try endNesting()
        return value
    }

    /// Counts one more parenthesis that is open; each costs a place on the stack.
    mutating func nest(at start: Int) throws(FilterSyntaxError) {
        depth += 1
        // As deep as Chromium goes.
        guard depth <= 100 else { throw scanner.error(.nestedTooDeeply, at: start) }
    }

    /// Reads the parenthesis that closes what `nest` has counted.
    mutating func endNesting() throws(FilterSyntaxError) {
        try scanner.skipSpace()
        guard scanner.take(")") else { throw scanner.error(.expectedClosingParenthesis) }
        depth -= 1
    }

    /// Takes a comma if it is the next.
    mutating func takeComma() throws(FilterSyntaxError) -> Bool {
        try scanner.skipSpace()
        return scanner.take(",")
    }

    mutating func expectComma() throws(FilterSyntaxError) {
        guard try takeComma() else { throw scanner.error(.expectedComma) }
    }

    /// Takes one of some words if it is the next, and not the name of a function.
    mutating func takeWord(from words: [String]) throws(FilterSyntaxError) -> String? {
        try scanner.skipSpace()
        var ahead = scanner
        guard let word = ahead.takeIdentifier(), words.contains(word), !ahead.isAt("(") else { return nil }
        scanner = ahead
        return word
    }

    private static let constants: [String: Double] = [
        "pi": .pi, "e": 2.718281828459045, "infinity": .infinity, "-infinity": -.infinity, "nan": .nan,
    ]
}
