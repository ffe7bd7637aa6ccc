/// What lets somebody into an object store. Its description tells nothing of it.
package struct StoreCredentials: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    let accessKey: String
    let secretKey: String
    /// Beside temporary keys.
    let sessionToken: String?

    package init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        (self.accessKey, self.secretKey, self.sessionToken) = (accessKey, secretKey, sessionToken)
    }

    package var description: String { "credentials" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
