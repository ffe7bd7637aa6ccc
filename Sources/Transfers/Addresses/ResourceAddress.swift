public import struct FoundationEssentials.URL

/// Where something lies that can be fetched: on the web, or in a file of this machine.
public enum ResourceAddress: Hashable, Sendable {
    /// An http or https address.
    case web(WebAddress)
    /// A `file` address.
    case file(URL)
    /// What is none of these, and why. Whoever asks for it hears that.
    case unusable(URL, WebAddress.ParsingError)

    /// Reads an address.
    public init(_ url: URL) {
        if url.isFileURL {
            self = .file(url)
            return
        }
        do throws(WebAddress.ParsingError) {
            self = .web(try WebAddress(url.absoluteString))
        } catch {
            self = .unusable(url, error)
        }
    }

    /// The absolute address as text, with user and password if it has them.
    public var text: String {
        switch self {
        case .web(let address): address.text
        case .file(let url), .unusable(let url, _): url.absoluteString
        }
    }

    /// The same as Foundation has it.
    public var url: URL {
        switch self {
        case .web(let address): address.url
        case .file(let url), .unusable(let url, _): url
        }
    }
}

extension ResourceAddress {
    /// The address as it may be written down: without user and password, and without its query where that lets whoever has it in.
    package var textWithoutSecrets: String {
        switch self {
        case .web(let address): SecretParameters.hidden(in: address.withoutCredentials.text)
        case .file(let url): url.absoluteString
        case .unusable(let url, _): SecretParameters.hidden(in: Self.withoutUser(url.absoluteString))
        }
    }

    /// The address as it may be written down where it has answered a request for another one: what one has asked for stays as it is, and what
    /// a redirect has led to loses user and password, and its query where that lets whoever has it in.
    package func text(answering asked: ResourceAddress) -> String {
        switch (self, asked) {
        case (.web(let answered), .web(let asked)) where answered.withoutCredentials == asked.withoutCredentials: text
        case (.web(let answered), _): SecretParameters.removed(from: answered.withoutCredentials.text)
        case (.file, _), (.unusable, _): text
        }
    }

    /// Leaves out what stands before the last `@` of what might be a host. It is not known what the address means.
    private static func withoutUser(_ text: String) -> String {
        guard let colon = text.firstIndex(of: ":") else { return text }
        let rest = text[text.index(after: colon)...]
        let host = rest.drop { $0 == "/" || $0 == "\\" }.prefix { !"/\\?#".contains($0) }
        guard let mark = host.lastIndex(of: "@") else { return text }
        return String(text[..<host.startIndex] + text[text.index(after: mark)...])
    }
}

extension ResourceAddress: CustomStringConvertible {
    /// The address, without user and password where it is one of the web.
    public var description: String {
        if case .web(let address) = self { "\(address)" } else { text }
    }
}
