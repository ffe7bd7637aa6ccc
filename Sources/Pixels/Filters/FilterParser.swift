/// Reads a filter chain: `none | function+`.
struct FilterParser {
    var scanner: CSSScanner

    init(_ text: String) {
        scanner = CSSScanner(text)
    }

    mutating func parseChain() throws(FilterSyntaxError) -> [FilterFunction] {
        var functions: [FilterFunction] = []
        try scanner.skipSpace()
        guard !scanner.isAtEnd else { throw scanner.error(.empty, at: 0) }
        while !scanner.isAtEnd {
            let start = scanner.position
            guard let name = scanner.takeIdentifier() else { throw scanner.error(.expectedFunction) }
            if scanner.take("(") {
                functions.append(try parseFunction(named: name, at: start))
                try scanner.skipSpace()
            } else if name == "none" {
                try scanner.skipSpace()
                guard functions.isEmpty else { throw scanner.error(.noneIsNotAlone, at: start) }
                guard scanner.isAtEnd else { throw scanner.error(.noneIsNotAlone) }
            } else if Self.functionNames.contains(name) {
                throw scanner.error(.expectedOpeningParenthesis(after: name))
            } else {
                throw scanner.error(.unknownFunction(name), at: start)
            }
        }
        return functions
    }

    /// Reads what follows the opening parenthesis, and the closing one.
    private mutating func parseFunction(
        named name: String, at start: Int
    ) throws(FilterSyntaxError) -> FilterFunction {
        let function: FilterFunction
        switch name {
        case "sepia": function = .sepia(try parseAmount())
        case "grayscale": function = .grayscale(try parseAmount())
        case "saturate": function = .saturate(try parseAmount())
        case "brightness": function = .brightness(try parseAmount())
        case "contrast": function = .contrast(try parseAmount())
        case "invert": function = .invert(try parseAmount())
        case "opacity": function = .opacity(try parseAmount())
        case "sepia-tone": function = .sepiaTone(try parseAmount())
        case "hue-rotate": function = .hueRotate(degrees: try parseAngle())
        case "blur": function = .blur(deviation: try parseDeviation() ?? 0)
        case "drop-shadow": function = try parseDropShadow()
        case "look": function = .look(try parseLook())
        case "url", "src": throw scanner.error(.urlNotSupported, at: start)
        default: throw scanner.error(.unknownFunction(name), at: start)
        }
        try scanner.skipSpace()
        guard scanner.take(")") else { throw scanner.error(.expectedClosingParenthesis) }
        return function.normalized
    }

    /// Reads an optional number or percentage, by default 1.
    private mutating func parseAmount() throws(FilterSyntaxError) -> Double {
        guard let number = try parseNumber(orElse: .expectedAmount) else { return 1 }
        if scanner.take("%") {
            guard number.value >= 0 else { throw scanner.error(.negative, at: number.start) }
            return number.value / 100
        }
        let unitStart = scanner.position
        if let unit = scanner.takeIdentifier() { throw scanner.error(.unknownUnit(unit), at: unitStart) }
        guard number.value >= 0 else { throw scanner.error(.negative, at: number.start) }
        return number.value
    }

    /// Reads an optional angle in degrees, by default 0.
    private mutating func parseAngle() throws(FilterSyntaxError) -> Double {
        guard let number = try parseNumber(orElse: .expectedAngle) else { return 0 }
        let unitStart = scanner.position
        if scanner.take("%") { throw scanner.error(.unknownUnit("%"), at: unitStart) }
        switch scanner.takeIdentifier() {
        case nil:
            guard number.value == 0 else { throw scanner.error(.missingUnit, at: unitStart) }
            return 0
        case "deg": return number.value
        case "grad": return number.value * 0.9
        case "rad": return number.value * 180 / .pi
        case "turn": return number.value * 360
        case .some(let unit): throw scanner.error(.unknownUnit(unit), at: unitStart)
        }
    }

    /// The number that comes next and where it starts, or nil if the arguments end before one.
    mutating func parseNumber(
        orElse reason: FilterSyntaxError.Reason
    ) throws(FilterSyntaxError) -> (value: Double, start: Int)? {
        try scanner.skipSpace()
        let start = scanner.position
        if let value = scanner.takeNumber() { return (value, start) }
        if scanner.isAtEnd { throw scanner.error(.expectedClosingParenthesis) }
        if let name = scanner.takeIdentifier() {
            throw scanner.error(scanner.take("(") ? .computedValueNotSupported(name) : reason, at: start)
        }
        var ahead = scanner
        guard ahead.take(")") else { throw scanner.error(reason) }
        return nil
    }

    private static let functionNames: Set = [
        "sepia", "grayscale", "saturate", "brightness", "contrast", "invert", "opacity", "sepia-tone", "hue-rotate",
        "blur", "drop-shadow", "look", "url",
    ]
}
