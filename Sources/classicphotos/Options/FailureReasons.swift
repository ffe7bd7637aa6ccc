import PhotoDevelopment
import PhotoPipeline
import Wording

/// Why photos failed, as a person names it who wants to have these again.
enum FailureReasons {
    /// Words for some of the answers with an error, with the first digit of their statuses.
    private static let statusClasses = ["http-4xx": 4, "http-5xx": 5]

    /// The failures that an option has, by the words of a report with commas between them; all for no word.
    ///
    /// - Parameter option: The name of the option.
    static func failures(_ text: String, of option: String) throws(UsageError) -> FailureSelection {
        // A report has no others: the program has neither loaders nor processors of its own.
        let known = PhotoError.Reason.allCases.filter { ![.cancelled, .loaderFailed, .processorFailed].contains($0) }
        if text.isEmpty { return FailureSelection(Set(known)) }
        var failures: FailureSelection = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            if let reason = known.first(where: { $0.rawValue == word }) {
                failures.reasons.insert(reason)
            } else if let digit = statusClasses[word] {
                failures.statusClasses.insert(digit)
            } else {
                let words = known.map(\.rawValue) + statusClasses.keys.sorted()
                let hint = Suggestion.text(for: word, among: words)
                throw hint.isEmpty
                    ? UsageError("--\(option) takes reasons as a report has them: \(words.joined(separator: ", "))")
                    : UsageError(
                        "--\(option) takes reasons as a report has them: there is no \(word.printable)\(hint)")
            }
        }
        return failures
    }
}
