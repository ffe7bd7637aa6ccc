/// A command line that cannot be understood, with a sentence that says why.
struct UsageError: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
