/// A failure of SQLite, by its result code.
package struct SQLiteError: Error, Hashable, CustomStringConvertible {
    /// The extended code.
    package let code: Int32
    package let text: String
    /// The statement that failed, or what else was to be done.
    package let action: String

    package init(code: Int32, text: String, action: String) {
        self.code = code
        self.text = text
        self.action = action
    }

    package var description: String { "\(text) (\(code)): \(action)" }

    /// The code without its details.
    package var primaryCode: Int32 { code & 0xFF }
}
