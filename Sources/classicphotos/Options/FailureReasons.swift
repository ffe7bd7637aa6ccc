import PhotoPipeline
import Wording

/// Why photos failed, as a person names it who wants to have these again.
enum FailureReasons {
    /// The reasons that an option has, by the words of a report with commas between them; all reasons for no word.
    ///
    /// - Parameter option: The name of the option.
    static func reasons(_ text: String, of option: String) throws(UsageError) -> Set<PhotoError.Reason> {
        // A report has no others: the program has neither loaders nor processors of its own.
        let known = PhotoError.Reason.allCases.filter { ![.cancelled, .loaderFailed, .processorFailed].contains($0) }
        if text.isEmpty { return Set(known) }
        var reasons: Set<PhotoError.Reason> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            guard let reason = known.first(where: { $0.rawValue == word }) else {
                let hint = Suggestion.text(for: word, among: known.map(\.rawValue))
                let names = known.map(\.rawValue).joined(separator: ", ")
                throw hint.isEmpty
                    ? UsageError("--\(option) takes reasons as a report has them: \(names)")
                    : UsageError(
                        "--\(option) takes reasons as a report has them: there is no \(word.printable)\(hint)")
            }
            reasons.insert(reason)
        }
        return reasons
    }
}
