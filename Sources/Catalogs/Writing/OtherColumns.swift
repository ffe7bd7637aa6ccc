/// The columns of a catalog beside name and address: which there are, in the order in which they first appear, and what each is called
/// where the catalog is written in another format.
///
/// Rows are passed over twice: first each is added, then each is written. A plain value, whose size is that of the columns.
package struct OtherColumns {
    /// How many there may be. A catalog in which each row has keys of its own would become a table whose size is the square of its.
    package static let most = 10_000

    private struct Column {
        /// What the catalog calls it.
        let key: [UInt8]
        /// Which one of that key it is in a row: an object of JSON may have one several times.
        let occurrence: Int
        /// The column of the next time.
        var next: Int?
        /// What the result calls it.
        var name: [UInt8]
        var isRenamed = false
        /// The row that had it last, and of the first column of a key how many of that key this row had.
        var row = 0
        var last = 0
    }

    /// What an added or written row is, so that columns know what they have of it.
    private var row = 0
    private var columns: [Column] = []
    /// How many rows were added.
    private var rows = 0
    /// The first column of each key.
    private var places: [[UInt8]: Int] = [:]
    /// The keys as the last row wrote them, with their columns: the next one mostly has the same.
    private var usual: [(key: [UInt8], column: Int)] = []
    private let ownColumns: OwnColumns?
    private let (addressWord, nameWord): ([UInt8], [UInt8])
    /// How many bytes the values of the added rows have.
    private var valueBytes = 0
    /// Whether it has to be known which columns there are before rows can be written.
    private let isCounted: Bool

    /// The columns that the result calls otherwise, as another one has their name.
    package private(set) var renamed: [(from: String, to: String)] = []

    /// - Parameters:
    ///   - catalog: The catalog that the rows are of, with its entries.
    ///   - format: What it is written in.
    package init(of catalog: Catalog, for format: CatalogText.Format) {
        ownColumns = catalog.storage.ownColumns
        let keys = catalog.storage.keys
        (addressWord, nameWord) = (keys.addressWord, keys.nameWord)
        let usual = CatalogKeys()
        // Objects of JSON whose address and name are called so already stay as they are.
        isCounted =
            !CatalogText(format).hasObjects || ownColumns != nil || addressWord != usual.addressWord
            || nameWord != usual.nameWord
    }

    /// Whether a table of them has its entries when it is read: where names are long these are bounded, see ``CatalogKeys/keepsEntries``.
    var areReadAgain: Bool {
        // Two quotation marks, a colon and a comma.
        let names = columns.reduce(0) { $0 + $1.name.count + 4 }
        if TableReader.Header.areShort(names, of: columns.count) { return true }
        return valueBytes + names * rows <= 16 * (valueBytes + rows * columns.count) + 1 << 24
    }

    /// How many there are.
    var count: Int { columns.count }

    /// What they are called, once ``settle()`` has said so.
    var names: some Sequence<[UInt8]> { columns.lazy.map(\.name) }

    /// Takes note of the columns of a row.
    ///
    /// - Returns: False where these are more than there may be.
    mutating func add(_ entry: UnsafeBufferPointer<UInt8>) -> Bool {
        guard isCounted else { return true }
        var bytes = 0
        each(entry) { bytes += $0.member.value.count }
        valueBytes += bytes
        rows += 1
        return columns.count <= Self.most
    }

    /// Says what each column is called in the result, after the last row was added.
    package mutating func settle() {
        var taken: Set<[UInt8]> = []
        let own = CatalogKeys()
        func isOwn(_ key: [UInt8]) -> Bool {
            key.withUnsafeBufferPointer { key in
                let word = TableReader.Header.trimmed(key[...])
                return [own.addressWord, own.nameWord].contains { Byte.equal(word, ignoringCase: $0) }
            }
        }
        let others = columns.indices.filter { columns[$0].occurrence > 1 || isOwn(columns[$0].key) }
        for column in columns { taken.insert(column.key) }
        /// The last number of each key.
        var numbers: [[UInt8]: Int] = [:]
        for place in others {
            let key = columns[place].key
            var number = numbers[key, default: 1]
            repeat {
                number += 1
                columns[place].name = key + Array(" \(number)".utf8)
            } while !taken.insert(columns[place].name).inserted
            numbers[key] = number
            columns[place].isRenamed = true
            let (from, to) = (
                String(decoding: key, as: UTF8.self), String(decoding: columns[place].name, as: UTF8.self)
            )
            renamed.append((from, to))
        }
    }

    /// What a row says in one of the columns.
    struct Field {
        /// The number of the column; nil where columns are not counted.
        let column: Int?
        /// What the result calls it; nil for what the catalog does.
        let newName: [UInt8]?
        let member: EntryMembers.Member
    }

    /// Goes through what a row says in the columns.
    mutating func each(_ entry: UnsafeBufferPointer<UInt8>, _ body: (Field) -> Void) {
        row += 1
        var members = EntryMembers(of: entry)
        var (place, number) = (0, 0)
        while let member = members.next() {
            defer { place += 1 }
            if isOwn(member, at: place) { continue }
            // Too many are refused.
            guard columns.count <= Self.most else { return }
            guard isCounted else {
                body(Field(column: nil, newName: nil, member: member))
                continue
            }
            let column = column(of: first(of: member.key, at: number))
            let newName = columns[column].isRenamed ? columns[column].name : nil
            body(Field(column: column, newName: newName, member: member))
            number += 1
        }
    }

    private func isOwn(_ member: EntryMembers.Member, at place: Int) -> Bool {
        if let ownColumns { return place == ownColumns.address || place == ownColumns.name }
        return EntryMembers.withText(of: member.key) {
            Byte.equal($0, ignoringCase: addressWord) || Byte.equal($0, ignoringCase: nameWord)
        }
    }

    /// The first column of a key.
    ///
    /// - Parameter number: Which of the row's other members it is.
    private mutating func first(of key: UnsafeBufferPointer<UInt8>, at number: Int) -> Int {
        if number < usual.count, key.elementsEqual(usual[number].key) { return usual[number].column }
        let text = EntryMembers.withText(of: key) { Array($0) }
        let column: Int
        if let known = places[text] {
            column = known
        } else {
            column = add(text, occurrence: 1)
            places[text] = column
        }
        // What a hostile catalog has more than is refused anyway.
        if number < usual.count {
            usual[number] = (Array(key), column)
        } else if number == usual.count, number < Self.most {
            usual.append((Array(key), column))
        }
        return column
    }

    /// The column of a key that the row may have had before.
    private mutating func column(of first: Int) -> Int {
        guard columns[first].row == row else {
            (columns[first].row, columns[first].last) = (row, first)
            return first
        }
        let before = columns[first].last
        let column = columns[before].next ?? add(columns[first].key, occurrence: columns[before].occurrence + 1)
        columns[before].next = column
        columns[first].last = column
        return column
    }

    private mutating func add(_ key: [UInt8], occurrence: Int) -> Int {
        columns.append(Column(key: key, occurrence: occurrence, name: key))
        return columns.count - 1
    }
}
