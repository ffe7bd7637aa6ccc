/// The three channels of a colour and its alpha.
extension FilterParser {
    private struct Component {
        /// nil is `none`.
        let quantity: Quantity?
        let start: Int
    }

    /// Reads `r, g, b, a` with commas, where that is allowed, or `r g b / a` without.
    ///
    /// - Parameter origin: The colour that this one is made from, whose channels can be named.
    mutating func parseChannels(
        _ notation: ColorNotation, from origin: ColorValue?
    ) throws(FilterSyntaxError) -> ColorValue {
        let outer = channels
        channels = origin.map { names(of: $0, in: notation) } ?? [:]
        defer { channels = outer }
        var components = [try parseComponent()]
        var hasCommas = false
        if notation.oldForm != nil, origin == nil { hasCommas = try takeComma() }
        components.append(try parseComponent())
        if hasCommas, try !takeComma() { throw scanner.error(.expectedColorComponent) }
        components.append(try parseComponent())
        if hasCommas { try checkOldForm(components, notation) }
        var result = ColorValue(notation.space, [], alpha: origin.map { $0.alpha } ?? 1)
        for (channel, component) in zip(notation.channels, components) {
            var value = try value(of: component, channel)
            if origin == nil || notation.cutsRelative { value = value.map(channel.cut) }
            result.channels.append(value.map { $0 / notation.scale })
        }
        try scanner.skipSpace()
        if scanner.take(hasCommas ? "," : "/") {
            try scanner.skipSpace()
            let start = scanner.position
            result.alpha = try parseAlpha()
            if hasCommas, result.alpha == nil { throw scanner.error(.expectedColorComponent, at: start) }
        }
        return result
    }

    /// Reads a number or percentage from 0 to 1; nil for `none`.
    mutating func parseAlpha() throws(FilterSyntaxError) -> Double? {
        let component = try parseComponent()
        guard let quantity = component.quantity else { return nil }
        let alpha: Double
        switch quantity.measure {
        case .number: alpha = quantity.value
        case .percentage: alpha = quantity.value / 100
        default: throw scanner.error(.expectedColorComponent, at: component.start)
        }
        return alpha.isNaN ? 0 : min(1, max(0, alpha))
    }

    /// The form with commas does not mix numbers and percentages, and leaves nothing out.
    private func checkOldForm(_ components: [Component], _ notation: ColorNotation) throws(FilterSyntaxError) {
        var wanted = notation.oldForm == .percentages ? Measure.percentage : nil
        for (channel, component) in zip(notation.channels, components) {
            guard let measure = component.quantity?.measure else {
                throw scanner.error(.expectedColorComponent, at: component.start)
            }
            guard channel.full != nil else { continue }
            guard wanted == nil || measure == wanted else {
                throw scanner.error(.expectedColorComponent, at: component.start)
            }
            wanted = measure
        }
    }

    private func names(of origin: ColorValue, in notation: ColorNotation) -> [String: Double] {
        let vector = origin.converted(to: notation.space).vector * notation.scale
        var names = ["alpha": origin.alpha ?? 0]
        for (index, channel) in notation.channels.enumerated() { names[channel.name] = vector[index] }
        return names
    }

    private func value(
        of component: Component, _ channel: ColorNotation.Channel
    ) throws(FilterSyntaxError) -> Double? {
        guard let quantity = component.quantity else { return nil }
        switch (quantity.measure, channel.full) {
        case (.number, nil), (.angle, nil):
            return quantity.value.isFinite ? quantity.value.truncatingRemainder(dividingBy: 360) : 0
        case (.number, .some): return Self.finite(quantity.value)
        case (.percentage, .some(let full)): return Self.finite(quantity.value / 100 * full)
        default: throw scanner.error(.expectedColorComponent, at: component.start)
        }
    }

    /// Far beyond any colour, and near enough to compute with.
    private static func finite(_ value: Double) -> Double {
        value.isNaN ? 0 : min(1e6, max(-1e6, value))
    }

    private mutating func parseComponent() throws(FilterSyntaxError) -> Component {
        try scanner.skipSpace()
        let start = scanner.position
        if try isAtArgument(), let argument = try parseArgument(orElse: .expectedColorComponent) {
            return Component(quantity: argument.quantity, start: start)
        }
        guard let name = scanner.takeIdentifier() else { throw scanner.error(.expectedColorComponent) }
        if scanner.isAt("(") { throw scanner.error(.computedValueNotSupported(name), at: start) }
        if name == "none" { return Component(quantity: nil, start: start) }
        guard let value = channels[name] else { throw scanner.error(.expectedColorComponent, at: start) }
        return Component(quantity: Quantity(value), start: start)
    }
}
