extension CatalogText {
    /// Checks that a row would be read again as it is.
    ///
    /// - Parameters:
    ///   - name: The photo's name, which a list of addresses leaves out.
    ///   - address: Its address.
    ///   - isFirst: Whether no row stands before it; its beginning tells the format of a list.
    /// - Throws: ``CatalogTextError``, which says what the format has no words for.
    public func check(name: String, address: String, isFirst: Bool) throws(CatalogTextError) {
        let reason: String? =
            switch format {
            case .json, .jsonl: nil
            case .csv, .tsv: reasonAgainstTable(name, address)
            case .plist: Self.reasonAgainstXML(name) ?? Self.reasonAgainstXML(address)
            case .txt: Self.reasonAgainstList(address) ?? (isFirst ? Self.reasonAgainstFirst(address) : nil)
            }
        if let reason { throw CatalogTextError(format: format, name: name, reason: reason) }
    }

    /// Whether a catalog with this address in it is known for one, as lists are by lines that look like addresses.
    ///
    /// A list of nothing but other lines is taken for prose.
    ///
    /// - Parameter address: The address of one row.
    public func isKnown(by address: String) -> Bool {
        format != .txt || Self.withBytes(of: address) { ListReader.looksLikeAddress($0[...]) }
    }

    static let noNull = "a table has no way to write U+0000"

    private func reasonAgainstTable(_ name: String, _ address: String) -> String? {
        if let reason = [name, address].lazy.compactMap({ Self.withBytes(of: $0, reasonAgainstField) }).first {
            return reason
        }
        if name.isEmpty, !address.isEmpty {
            return "a table takes an empty name for none, and makes one of the address"
        }
        return nil
    }

    /// What keeps a text from being a field of a table.
    func reasonAgainstField(_ text: UnsafeBufferPointer<UInt8>) -> String? {
        if text.contains(0) { return Self.noNull }
        let isRead = format != .tsv || TabQuotation.canHold(text)
        return isRead ? nil : "a table that is parted by tabs has no texts of more than 512 KiB with line ends in them"
    }

    /// XML 1.0, section 2.2.
    private static func reasonAgainstXML(_ text: String) -> String? {
        let forbidden = text.unicodeScalars.first { scalar in
            switch scalar.value {
            case 0x9, 0xA, 0xD: false
            case ..<0x20, 0xFFFE, 0xFFFF: true
            default: false
            }
        }
        guard let forbidden else { return nil }
        let hex = String(forbidden.value, radix: 16, uppercase: true)
        return "XML has no way to write U+" + String(repeating: "0", count: 4 - hex.count) + hex
    }

    private static func reasonAgainstList(_ address: String) -> String? {
        let bytes = address.utf8
        guard let first = bytes.first, let last = bytes.last else { return "a list has no empty addresses" }
        if first == Byte.hash { return "a list takes a line that begins with “#” for a comment" }
        if Byte.isSpace(first) || Byte.isSpace(last) { return "a list takes white space around an address away" }
        if bytes.contains(where: { $0 == Byte.lineFeed || $0 == Byte.carriageReturn }) {
            return "a list takes a line end for the end of the address"
        }
        return bytes.contains(0) ? "a list has no way to write U+0000" : nil
    }

    /// What the first line of a list must not be, as it tells which format follows.
    private static func reasonAgainstFirst(_ address: String) -> String? {
        let isList = withBytes(of: address) { bytes in
            guard (try? CatalogDetection.refuseOthers(bytes)) != nil, !bytes.starts(with: "//".utf8),
                !opensField(bytes), !TableColumns.mayBeNames(bytes),
                !bytes.starts(with: [0xEF, 0xBB, 0xBF]), !bytes.starts(with: BinaryPropertyListTrailer.magic.utf8),
                case .list = try? CatalogDetection.kind(of: bytes, start: 0)
            else { return false }
            return true
        }
        return isList ? nil : "as the first line of a list it would be read as the beginning of another format"
    }

    /// Whether a quotation mark stands where the field of a table may begin, which then goes on in the lines that follow.
    private static func opensField(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.indices.contains { place in
            bytes[place] == Byte.quote && (place == 0 || TableReader.Header.delimiters.contains(bytes[place - 1]))
        }
    }

    static func withBytes<Result>(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var text = text
        return text.withUTF8(body)
    }
}
