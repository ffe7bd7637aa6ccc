/// Addresses that let whoever has them in.
///
/// Object stores and services sign addresses for one person and a while: `X-Amz-Signature`, `sig`, `token` and the like.
enum SecretParameters {
    /// What such a parameter is called, in lower case.
    private static let names: Set<String> = [
        "sig", "sign", "key", "auth", "authorization", "hmac", "jwt", "pwd", "pass", "policy", "session", "sessionid",
        "sid", "hdnts", "hdnea", "hdntl", "__gda__", "oh", "hm", "md5", "verify", "ticket", "auth_key", "authkey",
        "key-pair-id",
        "subscription-key",
    ]
    /// What is in the name of such a parameter.
    private static let parts = [
        "signature", "token", "secret", "passw", "credential", "apikey", "api_key", "api-key", "accesskey",
        "access_key", "access-key",
    ]

    /// The address without its query, if that has a parameter that looks like one.
    static func removed(from address: String) -> String {
        areIn(address) ? String(address.prefix { $0 != "?" }) : address
    }

    /// The address with an ellipsis in place of such a query, for people.
    static func hidden(in address: String) -> String {
        areIn(address) ? removed(from: address) + "?…" : address
    }

    /// Whether the query of an address has a parameter that looks like one.
    static func areIn(_ address: String) -> Bool {
        // By bytes: every address that is kept or told of is looked through.
        let bytes = address.utf8
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else { return false }
        let parameters = bytes[mark...].dropFirst().split { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: ";") }
        return parameters.contains { parameter in
            let name = Substring(parameter.prefix { $0 != UInt8(ascii: "=") }).lowercased()
            return names.contains(name) || parts.contains { name.contains($0) }
        }
    }
}
