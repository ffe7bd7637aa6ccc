import CZLib
import CZstd
import Glibc

/// How a catalog may be compressed, told by its first bytes.
enum Compression: String {
    case gzip, zstd

    /// nil for bytes that are compressed by neither.
    init?(of bytes: UnsafeBufferPointer<UInt8>) {
        if bytes.starts(with: [0x1F, 0x8B]) {
            self = .gzip
        } else if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
            self = .zstd
        } else {
            return nil
        }
    }

    /// What the bytes are when they are unpacked, once: what is compressed twice stays so. Files that were written one behind
    /// the other are read as one.
    ///
    /// - Parameter limit: The most bytes, however few they are packed.
    func unpacked(_ packed: UnsafeBufferPointer<UInt8>, limit: Int) throws(CatalogError) -> CatalogSource {
        switch self {
        case .gzip: try gunzip(packed, limit: limit)
        case .zstd: try unpackFrames(packed, limit: limit)
        }
    }

    private func damage(_ reason: CatalogReason) -> CatalogError { .notUnpacked(compression: rawValue, reason: reason) }

    private var cutOff: CatalogError { damage("the data ends too early") }

    /// Checks sums and lengths, too, as zlib does.
    private func gunzip(_ packed: UnsafeBufferPointer<UInt8>, limit: Int) throws(CatalogError) -> CatalogSource {
        var stream = z_stream()
        // 16 more than the largest window: with gzip's header.
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, 31, ZLIB_VERSION, size) == Z_OK else { throw .outOfMemory }
        defer { inflateEnd(&stream) }
        stream.next_in = UnsafeMutablePointer(mutating: packed.baseAddress)
        // At most as many as a catalog may have, which are fewer than four billion.
        var left = packed.count
        var bytes = GrowingBytes(limit: limit)
        while true {
            let room = try bytes.room()
            stream.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let (input, output) = (UInt32(clamping: left), UInt32(clamping: room.count))
            (stream.avail_in, stream.avail_out) = (input, output)
            let status = inflate(&stream, Z_NO_FLUSH)
            left -= Int(input - stream.avail_in)
            try bytes.append(Int(output - stream.avail_out))
            switch status {
            case Z_OK: continue
            case Z_STREAM_END:
                // Another one may follow, or what fills the last block of a tape.
                let rest = UnsafeBufferPointer(rebasing: packed.suffix(left))
                if rest.allSatisfy({ $0 == 0 }) { return bytes.source() }
                guard Compression(of: rest) == .gzip else { throw damage("something else follows its end") }
                inflateReset(&stream)
            case Z_BUF_ERROR: throw cutOff
            case Z_MEM_ERROR: throw .outOfMemory
            default: throw damage(stream.msg.map { CatalogReason(String(cString: $0)) } ?? "the data is damaged")
            }
        }
    }

    private func unpackFrames(_ packed: UnsafeBufferPointer<UInt8>, limit: Int) throws(CatalogError) -> CatalogSource {
        guard let stream = ZSTD_createDStream() else { throw .outOfMemory }
        defer { ZSTD_freeDStream(stream) }
        var input = ZSTD_inBuffer(src: packed.baseAddress, size: packed.count, pos: 0)
        var bytes = GrowingBytes(limit: limit)
        while true {
            let room = try bytes.room()
            var output = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
            let (began, left) = (input.pos, ZSTD_decompressStream(stream, &output, &input))
            try bytes.append(output.pos)
            if ZSTD_isError(left) != 0 { throw damage(CatalogReason(String(cString: ZSTD_getErrorName(left)))) }
            if left == 0, input.pos == input.size { return bytes.source() }
            if input.pos == began, output.pos == 0 { throw cutOff }
        }
    }
}
