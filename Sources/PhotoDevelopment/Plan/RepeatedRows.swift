import Glibc

/// Which rows of a task have an address that an earlier one has, by a file of their digests in the rows' order.
struct RepeatedRows {
    /// The rows, counted from 0 within the task; nil where there are none.
    private(set) var rows: RowSet?

    /// - Parameters:
    ///   - path: The file.
    ///   - count: How many rows the task has.
    ///   - mostAtOnce: Of so many addresses, about, digests are in memory at once; of more the file is read several times. Default: 2^21,
    ///     which take 64 MB.
    init(path: String, count: Int, mostAtOnce: Int = 1 << 21) throws(FileError) {
        let parts = max(1, (count + mostAtOnce - 1) / mostAtOnce)
        for part in 0..<parts {
            var known = Set<AddressDigest>(minimumCapacity: min(count, mostAtOnce))
            var row = 0
            try Self.eachDigest(of: path) { digest in
                defer { row += 1 }
                guard digest != .none, (digest.first >> 1) % UInt64(parts) == part, !known.insert(digest).inserted
                else {
                    return
                }
                if rows == nil { rows = RowSet(count: count) }
                rows?.insert(row)
            }
        }
    }

    private static func eachDigest(of path: String, _ body: (AddressDigest) -> Void) throws(FileError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        let size = MemoryLayout<AddressDigest>.stride
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size << 14, alignment: size)
        defer { buffer.deallocate() }
        guard let start = buffer.baseAddress else { return }
        var filled = 0
        while true {
            let count = read(descriptor, start + filled, buffer.count - filled)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last }
            filled += count
            let whole = filled / size
            for digest in 0..<whole { body(buffer.load(fromByteOffset: digest * size, as: AddressDigest.self)) }
            if count == 0 { return }
            memmove(start, start + whole * size, filled - whole * size)
            filled -= whole * size
        }
    }
}
