/// Host names in letters beyond ASCII, as the name system has them (RFC 3492).
enum Punycode {
    /// A host with each label that has other than ASCII letters in its `xn--` form; nil if a label is too long.
    static func host(_ host: String) -> String? {
        if host.utf8.allSatisfy({ $0 < 0x80 }) { return host }
        // The full stops of East Asian keyboards part labels too (RFC 3490, section 3.1).
        let labels = host.lowercased().split(
            omittingEmptySubsequences: false, whereSeparator: { ".\u{3002}\u{FF0E}\u{FF61}".contains($0) })
        var encoded: [String] = []
        for label in labels {
            if label.utf8.allSatisfy({ $0 < 0x80 }) {
                encoded.append(String(label))
            } else {
                guard let ascii = Punycode.label(Array(label.unicodeScalars)), ascii.count <= 59 else { return nil }
                encoded.append("xn--" + ascii)
            }
        }
        return encoded.joined(separator: ".")
    }

    // The parameters of RFC 3492, section 5.
    private static let base = 36
    private static let firstThreshold = 1
    private static let lastThreshold = 26
    private static let skew = 38
    private static let damping = 700

    private static func label(_ scalars: [Unicode.Scalar]) -> String? {
        // Longer ones are no labels, and their cost grows with the square.
        guard scalars.count < 64 else { return nil }
        var output = ""
        for scalar in scalars where scalar.isASCII { output.unicodeScalars.append(scalar) }
        let basicCount = output.count
        if basicCount > 0 { output += "-" }
        var handled = basicCount
        var next = 128
        var delta = 0
        var bias = 72
        while handled < scalars.count {
            let smallest = scalars.lazy.map { Int($0.value) }.filter { $0 >= next }.min() ?? next
            delta += (smallest - next) * (handled + 1)
            next = smallest
            for scalar in scalars {
                if Int(scalar.value) < next { delta += 1 }
                guard Int(scalar.value) == next else { continue }
                output += variableLength(delta, bias: bias)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return output
    }

    private static func variableLength(_ number: Int, bias: Int) -> String {
        var output = ""
        var rest = number
        var position = base
        while true {
            let threshold = min(max(position - bias, firstThreshold), lastThreshold)
            if rest < threshold { return output + digit(rest) }
            output += digit(threshold + (rest - threshold) % (base - threshold))
            rest = (rest - threshold) / (base - threshold)
            position += base
        }
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damping : delta / 2
        delta += delta / count
        var steps = 0
        while delta > (base - firstThreshold) * lastThreshold / 2 {
            delta /= base - firstThreshold
            steps += base
        }
        return steps + (base - firstThreshold + 1) * delta / (delta + skew)
    }

    private static func digit(_ value: Int) -> String {
        String(Unicode.Scalar(UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30)))
    }
}
