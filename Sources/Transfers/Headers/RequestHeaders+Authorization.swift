import struct FoundationEssentials.Data

extension RequestHeaders {
    /// `Authorization` with a token (RFC 6750).
    /// - Parameter token: The token, without spaces.
    /// - Throws: ``FieldError/credentials`` for one that is empty or has a space or a control character.
    public static func authorization(bearer token: String) throws(FieldError) -> RequestHeaders {
        guard !token.isEmpty, token.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw .credentials }
        return try RequestHeaders(["Authorization": "Bearer \(token)"])
    }

    /// `Authorization` with user and password (RFC 7617), in UTF-8. Answers to such requests are not stored by a ``DiskCache``.
    /// - Parameters:
    ///   - user: The user's name, without a colon.
    ///   - password: The password.
    /// - Throws: ``FieldError/credentials`` for a name with a colon, and for control characters in either.
    public static func authorization(user: String, password: String) throws(FieldError) -> RequestHeaders {
        guard !user.utf8.contains(UInt8(ascii: ":")), (user + password).utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { throw .credentials }
        let pair = Data("\(user):\(password)".utf8).base64EncodedString()
        return try RequestHeaders(["Authorization": "Basic \(pair)"])
    }
}
