/// Lines and columns of ever later places in a text.
///
/// Each byte is counted once however many places are asked for, so that a million broken entries in one line do not
/// take a million scans of it.
struct LineTracker {
    private(set) var offset: Int
    private(set) var line = 1
    private(set) var column = 1

    /// Starts at an offset, behind a byte order mark for instance.
    init(start: Int) { offset = start }

    /// Moves on to `target`; a place that was passed already leaves it where it is.
    mutating func advance(to target: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        let end = min(target, bytes.count)
        guard offset < end, let base = bytes.baseAddress else { return }
        var line = line
        var column = column
        for index in offset..<end {
            let byte = base[index]
            if byte == Byte.lineFeed || (byte == Byte.carriageReturn && !isLineFeed(bytes, index + 1)) {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.line = line
        self.column = column
        offset = end
    }

    private func isLineFeed(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        index < bytes.count && bytes[index] == Byte.lineFeed
    }
}
