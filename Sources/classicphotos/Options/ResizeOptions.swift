import PhotoPipeline
import Wording

/// The options that say how large a picture becomes.
enum ResizeOptions {
    /// - Parameter usual: What the longest side is without `--size`.
    static func add(to parser: inout OptionParser, usual: String) {
        parser.value("size", short: "s", "PIXELS", "The longest side, or a box as in 300x200 (default: \(usual))")
        parser.value("resize", "MODE", "How the picture goes into the box of --size: fit, fill, crop or exact")
        parser.value("gravity", "PART", "What --resize crop keeps: centre or attention (default: centre)")
        parser.flag("enlarge", "Enlarge pictures that are smaller than --size, too")
    }

    /// What the modes mean, for the help.
    static let help = """
        --size 640 is a longest side in pixels; --size 300x200 is a box, wide by high, and --resize says how a picture goes into
        it: fit inside it (the default), fill covers it and cuts nothing, crop covers it and cuts what is over, exact
        stretches. Smaller pictures stay as they are, unless --enlarge is given.
        """

    private static let sides = 1...65_535

    /// The resize that the options name; nil where none of them is given.
    ///
    /// - Parameters:
    ///   - size: What stands in the place of the value of `--size`; nil, the default, for that value.
    ///   - option: What errors call it.
    static func resize(
        _ values: OptionValues, size: String? = nil, of option: String = "--size"
    ) throws(UsageError) -> Resize? {
        let mode = try mode(values)
        let gravity = try gravity(values)
        if gravity != nil, mode != .crop {
            throw UsageError("--gravity says what --resize crop keeps; without --resize crop nothing is cut")
        }
        guard let size = size ?? values.text("size") else {
            if let mode { throw UsageError("--resize \(mode.rawValue) needs a box to go into: --size 300x200") }
            if values.has("enlarge") { throw UsageError("--enlarge needs --size, which says how large") }
            return nil
        }
        guard let box = box(size) else {
            throw UsageError(
                "\(option) takes a longest side in pixels or a box as in 300x200, of whole numbers "
                    + "from \(sides.lowerBound) to \(sides.upperBound), not \(size.printable)")
        }
        if let mode, mode != .fit, box.isLongestSide {
            throw UsageError("--resize \(mode.rawValue) needs a box: \(option) \(box.width)x\(box.height), say")
        }
        return Resize(
            mode ?? .fit, width: box.width, height: box.height, gravity: gravity ?? .centre,
            enlarges: values.has("enlarge"))
    }

    private static func mode(_ values: OptionValues) throws(UsageError) -> Resize.Mode? {
        guard let text = values.text("resize") else { return nil }
        if let mode = Resize.Mode(rawValue: text.lowercased()) { return mode }
        let hint = Suggestion.text(for: text, among: Resize.Mode.allCases.map(\.rawValue))
        throw UsageError("--resize takes fit, fill, crop or exact, not \(text.printable)\(hint)")
    }

    private static func gravity(_ values: OptionValues) throws(UsageError) -> Resize.Gravity? {
        guard let text = values.text("gravity") else { return nil }
        if text.lowercased() == "center" { return .centre }
        if let gravity = Resize.Gravity(rawValue: text.lowercased()) { return gravity }
        throw UsageError("--gravity takes centre or attention, not \(text.printable)")
    }

    /// A number, or two with an x between them.
    static func box(_ text: String) -> (width: Int, height: Int, isLongestSide: Bool)? {
        let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part).flatMap { sides.contains($0) ? $0 : nil } : nil
        }
        guard numbers.count == parts.count, let width = numbers.first, numbers.count <= 2 else { return nil }
        return (width, numbers.last ?? width, numbers.count == 1)
    }
}
