import Wording

/// A command line that cannot be understood, with a sentence that says why, in the language of the user.
struct UsageError: Error {
    let message: String

    init(_ message: Message) {
        self.message = message.translated
    }

    /// That a format is not there.
    init(noFormat name: String, among names: [String]) {
        let list = names.joined(separator: ", ")
        if let nearest = Suggestion.nearest(to: name, among: names) {
            self.init("there is no format \(name.printable); did you mean \(nearest)? There are \(list)")
        } else {
            self.init("there is no format \(name.printable); there are \(list)")
        }
    }

    /// What a library says, as it stands.
    init(verbatim message: String) {
        self.message = message
    }
}
