/// Lines and columns of ever later places in a text.
///
/// Each byte is counted once however many places are asked for, so that a million broken entries in one line do not
/// take a million scans of it.
struct LineTracker {
    private(set) var offset: Int
    private(set) var line: Int
    private(set) var column = 1

    /// Starts at an offset, behind a byte order mark for instance, and in a line, whose columns are counted from there.
    init(start: Int, line: Int = 1) { (offset, self.line) = (start, line) }

    /// Moves on to `target`; a place that was passed already leaves it where it is.
    mutating func advance(to target: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        let end = min(target, bytes.count)
        guard offset < end else { return }
        let passed = UnsafeBufferPointer(rebasing: bytes[..<end])
        var lineStart = offset
        var index = offset
        while true {
            index = ByteSearch.first(in: passed, from: index) { $0.has(Byte.lineFeed) .| $0.has(Byte.carriageReturn) }
            guard index < end else { break }
            let next = index + 1
            // Of a carriage return and a line feed the second one ends the line, which may be passed later.
            let isFirstOfTwo =
                passed[index] == Byte.carriageReturn && next < bytes.count && bytes[next] == Byte.lineFeed
            index = next
            guard !isFirstOfTwo else { continue }
            line += 1
            column = 1
            lineStart = next
        }
        for place in lineStart..<end where passed[place] & 0xC0 != 0x80 { column += 1 }
        offset = end
    }
}
