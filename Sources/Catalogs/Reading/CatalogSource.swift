import Glibc

/// The bytes of a catalog while it is read, in memory of their own or borrowed for the call.
///
/// A file is read and not mapped: one that another program cuts short while it is mapped would end the process.
final class CatalogSource {
    private var memory: UnsafeMutableRawPointer?
    private(set) var bytes: UnsafeBufferPointer<UInt8>
    /// How many leading bytes were given back to the system.
    private var discarded = 0

    /// Bytes that the caller keeps alive and unchanged.
    init(borrowing bytes: UnsafeBufferPointer<UInt8>) {
        memory = nil
        self.bytes = bytes
    }

    /// Takes over memory from `malloc`.
    init(adopting memory: UnsafeMutableRawPointer, count: Int) {
        self.memory = memory
        bytes = UnsafeBufferPointer(start: memory.assumingMemoryBound(to: UInt8.self), count: count)
    }

    deinit { free(memory) }

    /// Makes an arena of the bytes, without a copy where they are the source's own; the source is empty afterwards.
    func makeArena() -> ByteArena {
        defer { bytes = UnsafeBufferPointer(start: nil, count: 0) }
        guard let memory else {
            let arena = ByteArena(capacity: bytes.count)
            arena.append(bytes)
            return arena
        }
        self.memory = nil
        return ByteArena(adopting: memory, count: bytes.count)
    }

    /// Lets the bytes go before the source does.
    func empty() {
        free(memory)
        memory = nil
        bytes = UnsafeBufferPointer(start: nil, count: 0)
    }

    /// Gives whole pages before `offset` back to the system, so that a catalog that is read never takes the memory of
    /// its text and of its rows at once. What was given back must not be read again.
    func discard(before offset: Int) {
        let step = 4 << 20
        guard let memory, offset - discarded >= step else { return }
        let page = Int(getpagesize())
        let address = Int(bitPattern: memory)
        let first = (address + discarded + page - 1) / page * page
        let last = (address + offset) / page * page
        guard last > first, let start = UnsafeMutableRawPointer(bitPattern: first) else { return }
        madvise(start, last - first, Int32(MADV_DONTNEED))
        discarded = offset
    }
}

extension CatalogSource {
    /// Reads a descriptor to its end.
    /// - Parameters:
    ///   - descriptor: An open descriptor, which stays open.
    ///   - path: The name for messages.
    ///   - limit: The most bytes.
    static func reading(_ descriptor: Int32, path: String, limit: Int) throws(CatalogError) -> CatalogSource {
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        if isFile, Int(status.st_size) > limit { throw .tooLarge(limit: limit) }
        // One byte more than the file has, so that its end is seen without growing.
        var bytes = GrowingBytes(limit: limit, capacity: isFile ? Int(status.st_size) + 1 : 1 << 16)
        while true {
            let received = try read(descriptor, into: bytes.room(), path: path)
            if received == 0 { return bytes.source() }
            try bytes.append(received)
        }
    }

    /// Reads the next bytes of a descriptor, for which it waits.
    ///
    /// - Parameters:
    ///   - descriptor: An open descriptor.
    ///   - room: Where they go.
    ///   - path: The name for messages.
    /// - Returns: How many there are; 0 at the end.
    static func read(
        _ descriptor: Int32, into room: UnsafeMutableRawBufferPointer, path: String
    ) throws(CatalogError) -> Int {
        while true {
            let received = Glibc.read(descriptor, room.baseAddress, room.count)
            if received >= 0 { return received }
            let code = errno
            if code == EINTR { continue }
            guard code == EAGAIN else { throw .cannotRead(path: path, reason: SystemError.text(code)) }
            // Standard input may be shared with a program that made it non-blocking.
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            poll(&waiting, 1, -1)
        }
    }
}

/// The system's words for an error number.
enum SystemError {
    static func text(_ code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
