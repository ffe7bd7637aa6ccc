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

extension ResourceAddress: CustomStringConvertible {
    /// The address, without user and password where it is one of the web.
    public var description: String {
        if case .web(let address) = self { "\(address)" } else { text }
    }
}
