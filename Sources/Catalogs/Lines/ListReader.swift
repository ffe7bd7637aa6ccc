import Transfers

/// Reads a catalog from lines of one address each. Blank lines and lines that begin with `#` say nothing; white space
/// around an address is not part of it. A list that is cut off cannot be told from a whole one.
///
/// A web address with a tab in it is a row of a table, and a broken one here.
struct ListReader {
    let builder: CatalogBuilder
    let start: Int
    /// Whether nothing follows, so that some line has to look like an address.
    var isLast = true

    func read(origin: Catalog.Origin) throws(CatalogError) -> Catalog {
        let bytes = builder.source.bytes
        var position = start
        while let line = ListReader.nextLine(bytes, &position) {
            builder.looksLikeList = builder.looksLikeList || ListReader.looksLikeAddress(bytes[line])
            let first = builder.arena.count
            let text = UnsafeBufferPointer(rebasing: bytes[line])
            builder.arena.append(text)
            let flaw = ListReader.tab(in: text).map { FoundFlaw(kind: .tabInAddress, offset: line.lowerBound + $0) }
            builder.add(
                name: nil, address: builder.arena.range(from: first), start: line.lowerBound, flaw: flaw,
                nameOffset: line.lowerBound, addressOffset: line.lowerBound)
        }
        // Any text would do as a list of relative paths; one without a single thing that looks like one is prose.
        guard !isLast || builder.looksLikeList || builder.rowCount == 0 else {
            throw .notACatalog(reason: "none of its lines looks like an address")
        }
        return try builder.finish(origin: origin, format: .list, shape: .lines(columns: 1))
    }

    /// The next line that says something, without the white space around it.
    static func nextLine(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> Range<Int>? {
        while true {
            while position < bytes.count, Byte.isSpace(bytes[position]) { position += 1 }
            guard position < bytes.count else { return nil }
            let start = position
            while position < bytes.count, bytes[position] != Byte.lineFeed, bytes[position] != Byte.carriageReturn {
                position += 1
            }
            if bytes[start] == Byte.hash { continue }
            var end = position
            while end > start, Byte.isSpace(bytes[end - 1]) { end -= 1 }
            return start..<end
        }
    }

    /// Where a line that begins with a web address has a tab, which would be left out of the address.
    private static func tab(in line: UnsafeBufferPointer<UInt8>) -> Int? {
        let tab = ByteSearch.first(in: line, from: 0) { $0.has(Byte.tab) }
        return tab < line.count && line.beginsAsWebAddress ? tab : nil
    }

    /// Whether a line has a scheme, a slash, or a file name's ending.
    static func looksLikeAddress(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        if line.contains(Byte.slash) { return true }
        // A scheme, but not a word before a colon and a space.
        if let length = AddressScheme.length(line), let next = line.dropFirst(length + 1).first {
            return !Byte.isSpace(next)
        }
        guard let dot = line.lastIndex(of: UInt8(ascii: ".")), dot > line.startIndex else { return false }
        let ending = line[(dot + 1)...]
        return (1...5).contains(ending.count) && ending.allSatisfy { Byte.isLetter($0) || Byte.isDigit($0) }
    }
}
