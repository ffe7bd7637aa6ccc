/// Reads a filter chain: `none | function+`.
struct FilterParser {
    var scanner: CSSScanner
    /// How many parentheses of computed values and colours are open.
    var depth = 0
    /// The channels of the colour that another is made from, by their names.
    var channels: [String: Double] = [:]

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
        guard let argument = try parseArgument(orElse: .expectedAmount) else { return 1 }
        let amount: Double
        switch argument.quantity.measure {
        case .number: amount = argument.quantity.value
        case .percentage: amount = argument.quantity.value / 100
        default:
            guard let literal = argument.literal, let unit = literal.unit else {
                throw scanner.error(.expectedAmount, at: argument.start)
            }
            throw scanner.error(.unknownUnit(unit), at: literal.unitStart)
        }
        return try notNegative(amount, argument)
    }

    /// A literal that is negative is refused, and a computed value cut.
    func notNegative(_ value: Double, _ argument: Argument) throws(FilterSyntaxError) -> Double {
        guard value < 0 else { return value }
        guard argument.literal == nil else { throw scanner.error(.negative, at: argument.start) }
        return 0
    }

    /// Reads an optional angle in degrees, by default 0.
    private mutating func parseAngle() throws(FilterSyntaxError) -> Double {
        guard let argument = try parseArgument(orElse: .expectedAngle) else { return 0 }
        return try value(of: argument, measuring: .angle, orElse: .expectedAngle)
    }

    private static let functionNames: Set = [
        "sepia", "grayscale", "saturate", "brightness", "contrast", "invert", "opacity", "sepia-tone", "hue-rotate",
        "blur", "drop-shadow", "look", "url",
    ]
}
