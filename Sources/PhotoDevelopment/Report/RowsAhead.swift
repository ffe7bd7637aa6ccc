import FoundationEssentials
import Glibc

/// The text of rows that are ahead of their turn.
///
/// In memory are the last megabyte of it and sixteen bytes a row; what came before is in a file without a name beside the
/// report, which is made only when that is needed. So one slow photo in front of a million quick ones costs no memory.
struct RowsAhead {
    /// Where a row's text is, counted from the first one that was set aside; a length below zero where there is none.
    private struct Span {
        var offset = 0
        var length = -1
    }

    private static let bytesInMemory = 1 << 20

    private let folder: String
    /// The rows from the next one on; those before `first` have had their turn.
    private var spans: [Span] = []
    private var first = 0
    private var file: UnnamedFile?
    /// The bytes in the file, and those behind them.
    private var inFile = 0
    private var inMemory = Data()

    /// - Parameter folder: Where the file is made.
    init(folder: String) {
        self.folder = folder
    }

    /// Sets the text of a row aside.
    ///
    /// - Parameter distance: How many rows after the next one it has its turn, at least 1.
    mutating func set(_ text: String, at distance: Int) throws(FileError) {
        let place = first + distance
        while spans.count <= place { spans.append(Span()) }
        let bytes = text.utf8
        spans[place] = Span(offset: inFile + inMemory.count, length: bytes.count)
        inMemory.append(contentsOf: bytes)
        guard inMemory.count >= Self.bytesInMemory else { return }
        if file == nil { file = try UnnamedFile(in: folder) }
        try file?.append(inMemory)
        inFile += inMemory.count
        inMemory.removeAll(keepingCapacity: true)
    }

    /// The next row has had its turn.
    ///
    /// - Returns: The text of the row behind it, which has its turn now; nil if that is not there yet.
    mutating func advance() throws(FileError) -> Data? {
        first += 1
        guard first < spans.count else {
            reset()
            return nil
        }
        if first >= 65_536, first > spans.count / 2 {
            spans.removeFirst(first)
            first = 0
        }
        let span = spans[first]
        guard span.length >= 0 else { return nil }
        if span.offset < inFile { return try file?.bytes(at: span.offset, count: span.length) }
        let start = inMemory.startIndex + span.offset - inFile
        return inMemory[start..<start + span.length]
    }

    /// Nothing is set aside any more.
    private mutating func reset() {
        spans.removeAll(keepingCapacity: spans.count <= 65_536)
        first = 0
        inMemory.removeAll(keepingCapacity: true)
        file = nil
        inFile = 0
    }
}
