import FoundationEssentials
import Glibc

/// A table that is written as a file of Parquet (https://parquet.apache.org/docs/file-format/): flat columns in one row group.
///
/// Debian has no library for it. What is written is the least that all readers know: version 1 pages, PLAIN values, Zstandard.
struct ParquetTable {
    /// Encodings, by their numbers in the format.
    static let (plain, runs) = (0, 3)
    private static let zstd = 6
    private static let mark = Array("PAR1".utf8)

    private(set) var columns: [ParquetColumn]
    /// How many rows are whole.
    private(set) var count = 0

    /// - Parameter columns: No two have the same name.
    init(_ columns: [(name: String, kind: ParquetColumn.Kind)]) {
        self.columns = columns.map { ParquetColumn($0.name, $0.kind) }
    }

    /// Adds a column, in which all earlier values are missing. Returns its place.
    mutating func addTexts(_ name: String) -> Int {
        columns.append(ParquetColumn(name, .text))
        columns[columns.count - 1].fill(to: count)
        return columns.count - 1
    }

    /// Sets a value of the row at hand; the first one counts.
    mutating func set(_ place: Int, _ text: String?) {
        if columns[place].count == count { columns[place].append(text) }
    }

    /// Sets a value of the row at hand; the first one counts.
    mutating func set(_ place: Int, _ number: Int?) {
        if columns[place].count == count { columns[place].append(number) }
    }

    /// Ends the row at hand: what was not set is missing.
    mutating func endRow() {
        count += 1
        for place in columns.indices { columns[place].fill(to: count) }
    }

    /// Gives the bytes of the file, piece by piece. The table has no further rows then.
    mutating func write(_ write: (Data) throws(FileError) -> Void) throws(FileError) {
        try write(Data(Self.mark))
        var offset = Self.mark.count
        var chunks: [ThriftText] = []
        var size = 0
        for place in columns.indices {
            columns[place].closePage()
            if columns[place].isBroken { throw FileError(code: ENOMEM) }
            let column = columns[place]
            chunks.append(chunk(column, at: offset))
            try write(Data(column.pages))
            offset += column.pages.count
            size += column.unpackedCount
        }
        let footer = footer(chunks, size: size).bytes
        let length = withUnsafeBytes(of: UInt32(footer.count).littleEndian) { Array($0) }
        try write(Data(footer + length + Self.mark))
    }

    private func chunk(_ column: ParquetColumn, at offset: Int) -> ThriftText {
        ThriftText { chunk in
            chunk.add(2, offset, .int64)
            chunk.add(3) { facts in
                facts.add(1, column.kind.rawValue)
                facts.add(2, listOf: [Self.plain, Self.runs])
                facts.add(3, listOf: [column.name])
                facts.add(4, Self.zstd)
                facts.add(5, column.count, .int64)
                facts.add(6, column.unpackedCount, .int64)
                facts.add(7, column.pages.count, .int64)
                facts.add(9, offset, .int64)
            }
        }
    }

    private func footer(_ chunks: [ThriftText], size: Int) -> ThriftText {
        let root = ThriftText { root in
            root.add(4, "schema")
            root.add(5, columns.count)
        }
        let elements = columns.map { column in
            ThriftText { element in
                element.add(1, column.kind.rawValue)
                // Values may be missing.
                element.add(3, 1)
                element.add(4, column.name)
                guard column.kind == .text else { return }
                // UTF-8, once for old readers and once for new ones.
                element.add(6, 0)
                element.add(10) { type in type.add(1) { _ in } }
            }
        }
        return ThriftText { file in
            file.add(1, 1)
            file.add(2, listOf: [root] + elements)
            file.add(3, count, .int64)
            file.add(
                4,
                listOf: [
                    ThriftText { group in
                        group.add(1, listOf: chunks)
                        group.add(2, size, .int64)
                        group.add(3, count, .int64)
                    }
                ])
            file.add(6, "ClassicPhotos")
        }
    }
}
