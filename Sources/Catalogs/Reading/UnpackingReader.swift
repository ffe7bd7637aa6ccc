import CZLib
import CZstd
import Glibc

/// Reads bytes piece by piece, and unpacks what is compressed by gzip or zstd, in flat memory; for one thread.
final class UnpackingReader {
    private enum Packing {
        case none
        case gzip
        case zstd(OpaquePointer)
    }

    private static let inputSize = 1 << 17

    /// Brings the next bytes into some room, and says how many; 0 at the end.
    typealias Source = (UnsafeMutableRawBufferPointer) throws(CatalogError) -> Int

    private let source: Source
    private let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: inputSize)
    /// What is in ``input``, and how much of that is used up.
    private var (filled, used) = (0, 0)
    private var isAtEnd = false
    private var packing = Packing.none
    private var stream = z_stream()
    /// Whether what is read is packed.
    var isUnpacking: Bool { if case .none = packing { false } else { true } }

    /// Whether what was unpacked last was the end of a member or a frame.
    private var isBetweenMembers = true

    /// - Parameters:
    ///   - descriptor: An open descriptor, which stays open.
    ///   - path: The name for messages.
    convenience init(_ descriptor: Int32, path: String) throws(CatalogError) {
        try self.init { (room) throws(CatalogError) in try CatalogSource.read(descriptor, into: room, path: path) }
    }

    init(reading source: @escaping Source) throws(CatalogError) {
        self.source = source
        // The first bytes say how it is packed; a pipe may bring them one by one.
        while filled < 4, !isAtEnd { try fill() }
        switch Compression(of: UnsafeBufferPointer(rebasing: input[..<filled])) {
        case .gzip:
            guard inflateInit2_(&stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
                throw .outOfMemory
            }
            packing = .gzip
        case .zstd:
            guard let frames = ZSTD_createDStream() else { throw .outOfMemory }
            packing = .zstd(frames)
        case nil: break
        }
    }

    deinit {
        switch packing {
        case .none: break
        case .gzip: inflateEnd(&stream)
        case .zstd(let frames): ZSTD_freeDStream(frames)
        }
        input.deallocate()
    }

    /// Puts the next bytes into some room.
    ///
    /// - Returns: How many there are; 0 at the end.
    func read(into room: UnsafeMutableRawBufferPointer) throws(CatalogError) -> Int {
        while true {
            if used == filled, !isAtEnd {
                (filled, used) = (0, 0)
                try fill()
            }
            let isOver = used == filled && isAtEnd
            let count: Int
            switch packing {
            case .none:
                count = min(room.count, filled - used)
                room.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(input)[used..<used + count]))
                used += count
            case .gzip: count = try inflateSome(into: room, isOver: isOver)
            case .zstd(let frames): count = try unpackSome(frames, into: room)
            }
            if count > 0 { return count }
            guard isOver else { continue }
            if !isBetweenMembers { throw .notUnpacked(compression: name, reason: "the data ends too early") }
            return 0
        }
    }

    /// Appends the next bytes.
    ///
    /// - Parameter most: The most that are taken.
    /// - Returns: How many there are; 0 at the end.
    func append(to bytes: inout [UInt8], atMost most: Int) throws(CatalogError) -> Int {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: most))
        // What is thrown inside would have no type outside.
        let received = bytes.withUnsafeMutableBytes { bytes -> Result<Int, CatalogError> in
            do throws(CatalogError) {
                return .success(try read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...])))
            } catch {
                return .failure(error)
            }
        }
        bytes.removeLast(most - ((try? received.get()) ?? 0))
        return try received.get()
    }

    private var name: String {
        switch packing {
        case .none, .gzip: Compression.gzip.rawValue
        case .zstd: Compression.zstd.rawValue
        }
    }

    private func fill() throws(CatalogError) {
        let received = try source(
            UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(input)[filled...]))
        filled += received
        isAtEnd = received == 0
    }

    private func inflateSome(into room: UnsafeMutableRawBufferPointer, isOver: Bool) throws(CatalogError) -> Int {
        if isOver, isBetweenMembers { return 0 }
        if isBetweenMembers, used < filled {
            // What fills the last block of a tape.
            while used < filled, input[used] == 0 { used += 1 }
            if used == filled { return 0 }
            // As a member begins.
            guard input[used] == 0x1F else {
                throw .notUnpacked(compression: name, reason: "something else follows its end")
            }
        }
        stream.next_in = input.baseAddress.map { $0 + used }
        stream.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let (available, space) = (UInt32(filled - used), UInt32(clamping: room.count))
        (stream.avail_in, stream.avail_out) = (available, space)
        let status = inflate(&stream, Z_NO_FLUSH)
        used += Int(available - stream.avail_in)
        let count = Int(space - stream.avail_out)
        switch status {
        case Z_OK: isBetweenMembers = false
        case Z_STREAM_END:
            isBetweenMembers = true
            inflateReset(&stream)
        case Z_BUF_ERROR: break
        case Z_MEM_ERROR: throw .outOfMemory
        default:
            throw .notUnpacked(
                compression: name,
                reason: stream.msg.map { CatalogReason(String(cString: $0)) } ?? "the data is damaged")
        }
        return count
    }

    private func unpackSome(
        _ frames: OpaquePointer, into room: UnsafeMutableRawBufferPointer
    ) throws(CatalogError) -> Int {
        var source = ZSTD_inBuffer(src: input.baseAddress, size: filled, pos: used)
        var target = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
        let left = ZSTD_decompressStream(frames, &target, &source)
        if ZSTD_isError(left) != 0 {
            throw .notUnpacked(compression: name, reason: CatalogReason(String(cString: ZSTD_getErrorName(left))))
        }
        if source.pos > used || target.pos > 0 { isBetweenMembers = left == 0 }
        used = source.pos
        return target.pos
    }
}
