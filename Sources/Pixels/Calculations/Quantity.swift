/// A number with what it measures, as CSS's math functions compute with it; each unit is turned into the first of its kind.
struct Quantity {
    /// In pixels, degrees, per cent, seconds, hertz and dots per pixel.
    var value: Double
    var measure: Measure

    init(_ value: Double, _ measure: Measure = .number) {
        self.value = value
        self.measure = measure
    }

    /// The quantity of a literal with a unit; nil for a unit that is not known, or relative to a font or a window.
    init?(_ value: Double, unit: String) {
        guard let (factor, measure) = Self.units[unit] else { return nil }
        self.init(value * factor, measure)
    }

    private static let units: [String: (Double, Measure)] = [
        "px": (1, .length), "in": (96, .length), "cm": (96 / 2.54, .length), "mm": (96 / 25.4, .length),
        "q": (96 / 101.6, .length), "pt": (96.0 / 72, .length), "pc": (16, .length),
        "deg": (1, .angle), "grad": (0.9, .angle), "rad": (180 / .pi, .angle), "turn": (360, .angle),
        "%": (1, .percentage),
        "s": (1, .time), "ms": (0.001, .time), "hz": (1, .frequency), "khz": (1000, .frequency),
        "dppx": (1, .resolution), "x": (1, .resolution), "dpi": (1.0 / 96, .resolution),
        "dpcm": (2.54 / 96, .resolution),
    ]
}

/// What a quantity measures: the power of each kind of unit in it, so that an area is 2 of length.
struct Measure: Equatable {
    private var powers = SIMD8<Int>()

    private init(_ index: Int) { powers[index] = 1 }
    private init() {}

    static let number = Measure()
    static let length = Measure(0)
    static let angle = Measure(1)
    static let percentage = Measure(2)
    static let time = Measure(3)
    static let frequency = Measure(4)
    static let resolution = Measure(5)

    static func * (left: Measure, right: Measure) -> Measure {
        var product = left
        product.powers &+= right.powers
        return product
    }

    static func / (left: Measure, right: Measure) -> Measure {
        var quotient = left
        quotient.powers &-= right.powers
        return quotient
    }
}
