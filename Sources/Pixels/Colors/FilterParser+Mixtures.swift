/// `color-mix()`.
extension FilterParser {
    /// Reads a space, by default Oklab, and two colours with their shares.
    mutating func parseMix() throws(FilterSyntaxError) -> ColorValue {
        var space = ColorSpace.oklab
        var hue = HueInterpolation.shorter
        if try takeWord(from: ["in"]) != nil {
            space = try parseSpace { _ in true }
            if space.hueIndex != nil, let name = try takeWord(from: HueInterpolation.allCases.map(\.rawValue)) {
                hue = HueInterpolation(rawValue: name) ?? .shorter
                guard try takeWord(from: ["hue"]) != nil else { throw scanner.error(.expectedHue) }
            }
            try expectComma()
        }
        let (first, firstShare) = try parseShare()
        try expectComma()
        let (second, secondShare) = try parseShare()
        let shares = [
            firstShare ?? secondShare.map { 100 - $0 } ?? 50, secondShare ?? firstShare.map { 100 - $0 } ?? 50,
        ]
        let sum = shares[0] + shares[1]
        guard sum > 0 else { return ColorValue(space, [0, 0, 0], alpha: 0) }
        var mixture = first.mixed(with: second, share: shares[1] / sum, in: space, hue: hue)
        // What is missing to the whole is transparent.
        mixture.alpha = mixture.alpha.map { $0 * min(1, sum / 100) }
        return mixture
    }

    /// Reads a colour, and before or after it how much of it, in per cent.
    private mutating func parseShare() throws(FilterSyntaxError) -> (ColorValue, Double?) {
        var share = try parsePercentage()
        let color = try parseRequiredColor()
        if share == nil { share = try parsePercentage() }
        return (color, share)
    }

    private mutating func parsePercentage() throws(FilterSyntaxError) -> Double? {
        guard try isAtArgument(), let argument = try parseArgument(orElse: .expectedPercentage) else { return nil }
        let value = argument.quantity.value
        let isAllowed = argument.literal == nil || (0...100).contains(value)
        guard argument.quantity.measure == .percentage, isAllowed else {
            throw scanner.error(.expectedPercentage, at: argument.start)
        }
        return value.isNaN ? 0 : min(100, max(0, value))
    }
}
