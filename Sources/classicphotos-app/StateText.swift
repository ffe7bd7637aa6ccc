import PhotoPipeline

extension Photo.State {
    /// What a row says about it.
    ///
    /// - Parameter isPaused: Whether the user has paused, so that what is new waits for that.
    func text(isPaused: Bool) -> String {
        switch self {
        case .new: isPaused ? "Paused" : "Waiting"
        case .downloading: "Downloading…"
        case .downloaded: "Downloaded"
        case .filtering: "Filtering…"
        case .filtered: "Done"
        case .failed(let error): error.sentence
        }
    }
}

extension PhotoError {
    /// What went wrong, as a line of its own, without a full stop.
    var sentence: String {
        // An HTTP error's detail begins with the number, which the sentence behind it has too.
        let text = reason == .http ? detail.drop { $0 != " " }.dropFirst() : detail[...]
        let sentence = text.hasSuffix(".") ? text.dropLast() : text
        return sentence.prefix(1).uppercased() + sentence.dropFirst()
    }
}
