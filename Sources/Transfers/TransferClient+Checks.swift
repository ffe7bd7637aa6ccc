import Glibc

extension TransferClient {
    /// Why a configuration cannot work.
    public enum ConfigurationError: Error, Hashable, Sendable {
        /// The file with the authorities to trust cannot be read, or has no certificate in it; the text says which.
        case certificateAuthorities(path: String, reason: String)
        /// What is to be sent as `User-Agent` has a line break or another control character.
        case userAgent
    }
}

extension TransferClient.ConfigurationError: CustomStringConvertible {
    /// A sentence for a person.
    public var description: String {
        switch self {
        case .certificateAuthorities(let path, let reason):
            "The file \(path) with the authorities to trust cannot be used: \(reason)."
        case .userAgent: "What a program calls itself has no line breaks and other control characters."
        }
    }
}

extension TransferClient.Configuration {
    /// The most bytes of a file with authorities that are looked at.
    private static let largestAuthorities = 4_000_000

    /// Looks for what would make transfers fail one by one, so that it is known before the first one: a client with such a
    /// configuration fails with ``TransferError/untrusted(_:)``. It reads the file with the authorities to trust.
    /// - Throws: What cannot work.
    public func check() throws(TransferClient.ConfigurationError) {
        guard sentUserAgent == userAgent else { throw .userAgent }
        guard let path = certificateAuthorities else { return }
        if let reason = Self.fault(ofAuthorities: path) {
            throw .certificateAuthorities(path: path, reason: reason)
        }
    }

    /// ``userAgent`` with spaces in place of what would end the field.
    var sentUserAgent: String {
        String(decoding: userAgent.utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
    }

    private static func fault(ofAuthorities path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return String(cString: strerror(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { return "it is no regular file" }
        var text: [UInt8] = []
        var slice = [UInt8](repeating: 0, count: 65_536)
        while text.count < largestAuthorities {
            let count = read(descriptor, &slice, slice.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return String(cString: strerror(errno)) }
            if count == 0 { break }
            text += slice[..<count]
        }
        let hasOne = ["", "TRUSTED ", "X509 "].contains {
            text.firstRange(of: Array("-----BEGIN \($0)CERTIFICATE-----".utf8)) != nil
        }
        return hasOne ? nil : "it has no certificate in PEM form"
    }
}
