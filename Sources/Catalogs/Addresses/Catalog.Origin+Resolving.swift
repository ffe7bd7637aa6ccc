import FoundationEssentials
import Transfers

extension Catalog.Origin {
    /// Makes an absolute address from one as written in a catalog from here.
    ///
    /// - Parameters:
    ///   - address: The address as written.
    ///   - base: The catalog's own address, read once for all of its rows, where it has one.
    func resolve(_ address: String, base: WebAddress?) -> Result<ResourceAddress, CatalogEntryError> {
        // A folder's addresses are its files' names, whatever they look like.
        if case .folder(let path, _) = self { return file((path == "/" ? "" : path) + "/" + address, address) }
        let text = address.utf8.trimmed
        guard !text.isEmpty else { return .failure(.invalidAddress(address, reason: "it is empty")) }
        let scheme = AddressScheme.length(text).map { String(decoding: text.prefix($0), as: UTF8.self).lowercased() }
        if scheme == "file", !isRemote { return fileURL(text.dropFirst(5), address) }
        if scheme == nil {
            switch self {
            case .remote: break
            case .file(let path):
                return local(text, folder: path[..<(path.lastSlash ?? path.startIndex)], address)
            case .folder(let path, _), .standardInput(let path): return local(text, folder: path[...], address)
            }
        }
        do throws(WebAddress.ParsingError) {
            return .success(.web(try WebAddress(address, relativeTo: base)))
        } catch .scheme(let scheme) {
            return .failure(.forbiddenAddress(scheme: scheme))
        } catch {
            return .failure(.invalidAddress(address, reason: "\(error)"))
        }
    }

    /// The path in an address that begins with `file:`, with U+FFFD for bytes that are not UTF-8; nil where it has none.
    static func repairedPath(inFileAddress address: String) -> String? {
        guard case .success(let path) = path(address.utf8.trimmed.dropFirst(5), address), !path.contains(0) else {
            return nil
        }
        return String(decoding: path, as: UTF8.self)
    }

    /// What follows `file:`.
    private func fileURL(
        _ rest: Substring.UTF8View, _ address: String
    ) -> Result<ResourceAddress, CatalogEntryError> {
        Self.path(rest, address).flatMap { path in
            guard let text = String(validating: path, as: UTF8.self) else {
                return .failure(.invalidAddress(address, reason: "its path is not UTF-8"))
            }
            return file(text, address)
        }
    }

    /// The bytes of the path in what follows `file:`.
    private static func path(
        _ rest: Substring.UTF8View, _ address: String
    ) -> Result<[UInt8], CatalogEntryError> {
        var path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != Byte.hash }
        if path.starts(with: "//".utf8) {
            let host = path.dropFirst(2).prefix { $0 != Byte.slash }
            guard host.isEmpty || String(decoding: host, as: UTF8.self).lowercased() == "localhost" else {
                return .failure(.invalidAddress(address, reason: "it names a file of another machine"))
            }
            path = path[host.endIndex...]
        }
        guard path.first == Byte.slash else {
            return .failure(.invalidAddress(address, reason: "a file's address needs a path from the root"))
        }
        return .success(PercentEscapes.decoded(path))
    }

    /// A path as it is, without escapes: `a%20b.jpg` is a file of that name.
    private func local(
        _ path: Substring.UTF8View, folder: Substring, _ address: String
    ) -> Result<ResourceAddress, CatalogEntryError> {
        if path.holdsWebAddress {
            // Of a table whose first line names no columns, every row would be a file that is not there.
            return .failure(
                .invalidAddress(address, reason: "it has more than an address; a table begins with its columns' names"))
        }
        let text = String(decoding: path, as: UTF8.self)
        return file(path.first == Byte.slash ? text : "\(folder)/\(text)", address)
    }

    private func file(_ path: String, _ address: String) -> Result<ResourceAddress, CatalogEntryError> {
        // A path ends at a zero for the system: the file would be another one.
        guard !path.utf8.contains(0) else { return .failure(.invalidAddress(address, reason: "it is no path")) }
        return .success(.file(URL(filePath: path, directoryHint: .notDirectory)))
    }
}

extension Substring.UTF8View {
    /// Whether `http://` or `https://` stands in it.
    fileprivate var holdsWebAddress: Bool {
        var rest = self
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            if rest[colon...].starts(with: "://".utf8) {
                let scheme = rest[..<colon].suffix(5).map { $0 | 0x20 }
                if scheme.elementsEqual("https".utf8) || scheme.suffix(4).elementsEqual("http".utf8) { return true }
            }
            rest = rest[rest.index(after: colon)...]
        }
        return false
    }
}

extension String.UTF8View {
    /// Without the white space around it.
    fileprivate var trimmed: Substring.UTF8View {
        var text = self[...]
        while let first = text.first, Byte.isSpace(first) { text.removeFirst() }
        while let last = text.last, Byte.isSpace(last) { text.removeLast() }
        return text
    }
}
