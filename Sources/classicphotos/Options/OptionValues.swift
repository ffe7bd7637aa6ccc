import Wording

/// What a command line says: options that are there, options with a value, and arguments.
struct OptionValues {
    var flags: Set<String> = []
    var texts: [String: String] = [:]
    var lists: [String: [String]] = [:]
    var arguments: [String] = []

    func has(_ flag: String) -> Bool { flags.contains(flag) }

    func text(_ name: String) -> String? { texts[name] }

    /// The values of an option that may be there several times.
    func list(_ name: String) -> [String] { lists[name] ?? [] }

    /// A whole number within bounds; nil where the option is not given.
    func number(_ name: String, in bounds: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = texts[name] else { return nil }
        guard let number = Int(text), bounds.contains(number) else {
            throw UsageError("--\(name) takes a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
        }
        return number
    }

    /// A time in seconds, with a fraction if need be; nil where the option is not given.
    func seconds(_ name: String, in bounds: ClosedRange<Double>) throws(UsageError) -> Duration? {
        guard let text = texts[name] else { return nil }
        guard let seconds = Double(text), bounds.contains(seconds) else {
            throw UsageError("--\(name) takes seconds, from \(bounds.lowerBound) to \(Int(bounds.upperBound))")
        }
        return .seconds(seconds)
    }

    /// A number of bytes, plain or with one of the units kB, MB and GB; nil where the option is not given.
    func bytes(_ name: String, in bounds: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = texts[name] else { return nil }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit =
            switch text.dropFirst(digits.count).lowercased() {
            case "", "b": 1
            case "k", "kb": 1_000
            case "m", "mb": 1_000_000
            case "g", "gb": 1_000_000_000
            default: 0
            }
        let (bytes, overflow) = (Int(digits) ?? 0).multipliedReportingOverflow(by: unit)
        guard !overflow, bounds.contains(bytes) else {
            throw UsageError(
                "--\(name) takes a number of bytes such as 64MB, from \(bounds.lowerBound) to \(bounds.upperBound)")
        }
        return bytes
    }
}
