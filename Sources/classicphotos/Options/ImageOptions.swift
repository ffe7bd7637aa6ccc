import PhotoPipeline
import Wording

/// The options that say what is made of a picture, which several commands share.
enum ImageOptions {
    static func add(to parser: inout OptionParser) {
        parser.value("filter", short: "f", "CHAIN", "Filter functions, as listed below (default: sepia-tone(0.8))")
        parser.value("look", short: "l", "NAME", "A named look, short for --filter \"look(NAME)\"")
        parser.value("intensity", "AMOUNT", "How much of the filter shows, from 0% to 100% (default: 100%)")
        parser.flag("list-looks", "List the names that --look takes")
    }

    /// What a chain is made of, for the help; every example can be typed as it stands.
    static let filterHelp = """
        Filter functions are those of CSS and two more, one after the other, in quotes for the shell:
          sepia(80%)  grayscale(1)  saturate(1.5)  brightness(1.2)  contrast(120%)  invert(1)  opacity(0.5)
          hue-rotate(90deg)  blur(4px)  drop-shadow(2px 2px 6px black)
          sepia-tone(0.8)  the classic sepia of these programs     look(moon)  a look; --list-looks lists them
        none leaves the picture as it is.
        """

    /// Writes the looks' names, one a line.
    static func listLooks() {
        Console.output(Look.allCases.map { $0.rawValue + "\n" }.joined())
    }

    /// The chain that `--filter` or `--look` names; the classic sepia where neither is given.
    static func filter(_ values: OptionValues) throws(UsageError) -> FilterChain {
        switch (values.text("filter"), values.text("look")) {
        case (nil, nil): return .classic
        case (let chain?, nil): return try filter(parsing: chain)
        case (nil, let name?): return FilterChain([.look(try look(named: name))])
        case (_?, _?): throw UsageError("--filter and --look cannot be given together; a chain may hold look(NAME)")
        }
    }

    /// How much of the filter shows, from 0 to 1.
    static func intensity(_ values: OptionValues) throws(UsageError) -> Double {
        guard let text = values.text("intensity") else { return 1 }
        let isPercentage = text.hasSuffix("%")
        let amount = Double(isPercentage ? text.dropLast() : text[...]).map { isPercentage ? $0 / 100 : $0 }
        if let amount, (0...1).contains(amount) { return amount }
        let isOutOf100 = !isPercentage && amount.map { (1...100).contains($0) } == true
        let hint = isOutOf100 ? tr("; did you mean \(text.printable)%?") : ""
        throw UsageError("--intensity takes 0% to 100%, or 0 to 1, not \(text.printable)\(hint)")
    }

    private static func look(named name: String) throws(UsageError) -> Look {
        if let look = Look(rawValue: name.lowercased()) { return look }
        let hint = Suggestion.text(for: name, among: Look.allCases.map(\.rawValue))
        throw UsageError("there is no look \(name.printable)\(hint.isEmpty ? tr("; --list-looks lists them") : hint)")
    }

    /// The chain that a text describes.
    ///
    /// - Parameter option: What an error begins with, where the text is not that of `--filter`.
    static func filter(parsing text: String, of option: String = "") throws(UsageError) -> FilterChain {
        do {
            return try FilterChain(parsing: text)
        } catch {
            let place = "\n  \(text.printable)\n  " + String(repeating: " ", count: max(0, error.column - 1)) + "^"
            throw UsageError(verbatim: option + tr("column \(error.column): \(message(error))") + place)
        }
    }

    private static func message(_ error: FilterSyntaxError) -> String {
        let sentence = error.filled(in: Translation.text(error.template))
        switch error.reason {
        case .unknownFunction(let name):
            // CSS's own keywords are no slips of the finger.
            let hint = keywords.contains(name) ? "" : Suggestion.text(for: name, among: functions)
            return hint.isEmpty ? sentence : tr("There is no filter function \(name.printable)\(hint)")
        case .unknownLook(let name):
            let hint = Suggestion.text(for: name, among: Look.allCases.map(\.rawValue))
            return hint.isEmpty ? sentence : tr("There is no look \(name.printable)\(hint)")
        default: return sentence
        }
    }

    private static let keywords: Set = ["initial", "inherit", "unset", "revert", "revert-layer"]

    private static let functions = [
        "sepia", "grayscale", "saturate", "brightness", "contrast", "invert", "opacity", "hue-rotate", "blur",
        "drop-shadow", "sepia-tone", "look",
    ]
}
