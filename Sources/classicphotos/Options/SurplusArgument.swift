import ImageCodecs
import Wording

/// An argument too many, which may be the value of an option that takes one behind `=` only.
enum SurplusArgument {
    /// What is said where several catalogs are named: which argument is too many, and the option that it may belong to.
    static func error(_ values: OptionValues) -> UsageError {
        for word in values.arguments where !word.isEmpty {
            guard let option = ["exif", "only-failed"].first(where: { values.text($0) == "" && takes($0, word) }) else {
                continue
            }
            return UsageError(
                "one catalog at a time; \(word.printable) is one too many; did you mean --\(option)=\(word.printable)?")
        }
        return UsageError("one catalog at a time; \(values.arguments[1].printable) is one too many")
    }

    private static func takes(_ option: String, _ word: String) -> Bool {
        option == "exif"
            ? EXIFFields.Selection(rawValue: word) != nil
            : (try? FailureReasons.failures(word, of: option)) != nil
    }
}
