/// Which way round the circle of hues a mixture goes.
enum HueInterpolation: String, CaseIterable {
    case shorter, longer, increasing, decreasing

    /// Moves the second hue by a whole turn if need be, so that the way to it from the first is the one that is wanted.
    ///
    /// Both are from 0 to 360.
    func turn(_ second: Double, after first: Double) -> Double {
        let way = second - first
        switch self {
        case .shorter: return way > 180 ? second - 360 : way < -180 ? second + 360 : second
        case .longer:
            if way > 0, way < 180 { return second - 360 }
            return way > -180 && way <= 0 ? second + 360 : second
        case .increasing: return way < 0 ? second + 360 : second
        case .decreasing: return way > 0 ? second - 360 : second
        }
    }
}

extension ColorValue {
    /// Mixes two colours as `color-mix()` does.
    ///
    /// - Parameter share: How much of the second, from 0 to 1.
    func mixed(
        with other: ColorValue, share: Double, in space: ColorSpace, hue: HueInterpolation
    ) -> ColorValue {
        var first = forMixing(in: space)
        var second = other.forMixing(in: space)
        first.complete(from: second)
        second.complete(from: first)
        let alpha: Double? = first.alpha.map { $0 * (1 - share) + (second.alpha ?? $0) * share }
        let channels = (0..<3).map { index -> Double? in
            guard let start = first.channels[index], let end = second.channels[index] else { return nil }
            if index == space.hueIndex {
                let (first, second) = (start.wholeTurnsRemoved, end.wholeTurnsRemoved)
                return first + (hue.turn(second, after: first) - first) * share
            }
            // Multiplied by alpha, so that what is transparent gives no colour.
            let weights = (start: (first.alpha ?? 1) * (1 - share), end: (second.alpha ?? 1) * share)
            let sum = weights.start + weights.end
            return sum > 0 ? (start * weights.start + end * weights.end) / sum : 0
        }
        return ColorValue(space, channels, alpha: alpha)
    }

    /// In the space of a mixture; what was missing stays so where both spaces have it, and so does the hue of a grey.
    private func forMixing(in other: ColorSpace) -> ColorValue {
        var result = converted(to: other)
        guard other != space else { return result }
        for index in 0..<3 where channels[index] == nil {
            if let analogue = space.analogue(of: index, in: other) { result.channels[analogue] = nil }
        }
        if let hue = other.hueIndex, result.isGrey { result.channels[hue] = nil }
        return result
    }

    /// Whether the hue says nothing; the limits are those of Chromium, in units of the channels.
    private var isGrey: Bool {
        switch space {
        case .hsl: vector.y < 0.000_001
        case .hwb: vector.y + vector.z > 99.999_999
        case .lch, .oklch: vector.y <= 0.02
        default: false
        }
    }

    private mutating func complete(from other: ColorValue) {
        for index in 0..<3 where channels[index] == nil { channels[index] = other.channels[index] }
        alpha = alpha ?? other.alpha
    }
}

extension Double {
    /// The angle in degrees from 0 up to 360.
    fileprivate var wholeTurnsRemoved: Double {
        let rest = truncatingRemainder(dividingBy: 360)
        return rest < 0 ? rest + 360 : rest
    }
}
