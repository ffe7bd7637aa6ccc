import FoundationEssentials
import Transfers

/// Makes an absolute address from one as written, by the place of the catalog that it stands in.
struct AddressResolver {
    let origin: Catalog.Origin

    func resolve(_ address: String) -> Result<URL, CatalogEntryError> {
        // A folder's addresses are its files' names, whatever they look like.
        if case .folder(let path) = origin { return file((path == "/" ? "" : path) + "/" + address, address) }
        var bytes = ArraySlice(address.utf8)
        while let first = bytes.first, Byte.isSpace(first) { bytes = bytes.dropFirst() }
        while let last = bytes.last, Byte.isSpace(last) { bytes = bytes.dropLast() }
        guard !bytes.isEmpty else { return .failure(.invalidAddress(address, reason: "it is empty")) }
        if let length = AddressScheme.length(bytes) {
            let scheme = String(decoding: bytes.prefix(length), as: UTF8.self).lowercased()
            let rest = bytes.dropFirst(length + 1)
            switch scheme {
            case "http", "https": return web(scheme, rest, address)
            case "file" where !origin.isRemote: return fileURL(rest, address)
            default: return .failure(.forbiddenAddress(scheme: scheme))
            }
        }
        switch origin {
        case .remote(let base): return relative(bytes, to: base, address)
        case .file(let path):
            return local(bytes, folder: path[..<(path.lastIndex(of: "/") ?? path.startIndex)], address)
        case .folder(let path), .standardInput(let path): return local(bytes, folder: path[...], address)
        }
    }

    // MARK: - The web

    private func web(
        _ scheme: String, _ rest: ArraySlice<UInt8>, _ address: String
    ) -> Result<URL, CatalogEntryError> {
        guard !rest.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return .failure(.invalidAddress(address, reason: "it has a control character"))
        }
        guard rest.starts(with: "//".utf8) else {
            return .failure(.invalidAddress(address, reason: "“//” is missing after “\(scheme):”"))
        }
        let authority = rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
        let host: String
        switch AddressHost.encoded(authority) {
        case .success(let encoded): host = encoded
        case .failure(let reason): return .failure(.invalidAddress(address, reason: reason.text))
        }
        let path = PercentCoding.encodedReference(rest[authority.endIndex...])
        guard let url = URL(string: "\(scheme)://\(host)\(path)", encodingInvalidCharacters: false) else {
            return .failure(.invalidAddress(address, reason: "its host is no host"))
        }
        return checked(url, address)
    }

    /// What the transfer would refuse as no address is none here either.
    private func checked(_ url: URL, _ address: String) -> Result<URL, CatalogEntryError> {
        do throws(TransferError) {
            _ = try CurlAddress(url)
            return .success(url)
        } catch {
            return .failure(.invalidAddress(address, reason: "its host is no host"))
        }
    }

    private func relative(
        _ bytes: ArraySlice<UInt8>, to base: URL, _ address: String
    ) -> Result<URL, CatalogEntryError> {
        if bytes.starts(with: "//".utf8) { return web(base.scheme ?? "http", bytes, address) }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return .failure(.invalidAddress(address, reason: "it has a control character"))
        }
        var reference = PercentCoding.encodedReference(bytes)
        // So that a colon in the first component is not a scheme's.
        if let first = bytes.first, !"/?#".utf8.contains(first) { reference = "./" + reference }
        guard let url = URL(string: reference, relativeTo: base)?.absoluteURL else {
            return .failure(.invalidAddress(address, reason: "it cannot be joined to the catalog's own address"))
        }
        return checked(url, address)
    }

    // MARK: - Files

    /// What follows `file:`.
    private func fileURL(_ rest: ArraySlice<UInt8>, _ address: String) -> Result<URL, CatalogEntryError> {
        var path = rest.prefix { !"?#".utf8.contains($0) }
        if path.starts(with: "//".utf8) {
            let host = path.dropFirst(2).prefix { $0 != Byte.slash }
            guard host.isEmpty || Byte.equal(host, ignoringCase: "localhost") else {
                return .failure(.invalidAddress(address, reason: "it names a file of another machine"))
            }
            path = path[host.endIndex...]
        }
        guard path.first == Byte.slash else {
            return .failure(.invalidAddress(address, reason: "a file's address needs a path from the root"))
        }
        guard let decoded = PercentCoding.decoded(path) else {
            return .failure(.invalidAddress(address, reason: "its path is not UTF-8"))
        }
        return file(decoded, address)
    }

    /// A path as it is, without escapes: `a%20b.jpg` is a file of that name.
    private func local(
        _ path: ArraySlice<UInt8>, folder: Substring, _ address: String
    ) -> Result<URL, CatalogEntryError> {
        let text = String(decoding: path, as: UTF8.self)
        return file(text.utf8.first == Byte.slash ? text : "\(folder)/\(text)", address)
    }

    private func file(_ path: String, _ address: String) -> Result<URL, CatalogEntryError> {
        // A path ends at a zero for the system: the file would be another one.
        guard !path.utf8.contains(0),
            let url = URL(string: "file://" + PercentCoding.encodedPath(path.utf8), encodingInvalidCharacters: false)
        else { return .failure(.invalidAddress(address, reason: "it is no path")) }
        return .success(url)
    }
}
