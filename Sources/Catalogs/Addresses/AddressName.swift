import Transfers

/// The name of a row that has none of its own.
enum AddressName {
    /// The last component of the address's path, without percent escapes where it is a URL's; the whole address where
    /// there is no such component.
    static func name(of address: String, origin: Catalog.Origin) -> String {
        let bytes = Array(address.utf8)
        let scheme = AddressScheme.length(bytes)
        if scheme == nil, !origin.isRemote {
            let last = bytes.split(separator: Byte.slash, omittingEmptySubsequences: false).last ?? []
            return last.isEmpty ? address : String(decoding: last, as: UTF8.self)
        }
        var path = bytes[(scheme.map { $0 + 1 } ?? 0)...]
        path = path.prefix { $0 != Byte.hash && $0 != UInt8(ascii: "?") }
        if path.starts(with: "//".utf8) { path = path.dropFirst(2).drop { $0 != Byte.slash } }
        let last = path.split(separator: Byte.slash, omittingEmptySubsequences: false).last ?? []
        guard !last.isEmpty else { return address }
        return String(validating: PercentEscapes.decoded(last), as: UTF8.self) ?? String(decoding: last, as: UTF8.self)
    }
}
