import CZLib
import CZstd
import FoundationEssentials

/// Compresses what the reader is to unpack.
enum Compression: String, CaseIterable, Sendable {
    case gzip, zstd

    struct Failure: Error {}

    func packed(_ data: Data) throws -> Data {
        var memory = [UInt8](repeating: 0, count: data.count + 10_000)
        let room = memory.count
        return try memory.withUnsafeMutableBytes { memory in
            try data.withUnsafeBytes { data in
                switch self {
                case .gzip:
                    var stream = z_stream()
                    let size = Int32(MemoryLayout<z_stream>.size)
                    guard deflateInit2_(&stream, 6, Z_DEFLATED, 31, 8, 0, ZLIB_VERSION, size) == Z_OK else {
                        throw Failure()
                    }
                    defer { deflateEnd(&stream) }
                    stream.next_in = .init(mutating: data.bindMemory(to: UInt8.self).baseAddress)
                    stream.next_out = memory.bindMemory(to: UInt8.self).baseAddress
                    (stream.avail_in, stream.avail_out) = (UInt32(data.count), UInt32(room))
                    guard deflate(&stream, Z_FINISH) == Z_STREAM_END else { throw Failure() }
                    return Data(memory.prefix(Int(stream.total_out)))
                case .zstd:
                    let context = ZSTD_createCCtx()
                    defer { ZSTD_freeCCtx(context) }
                    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
                    let count = ZSTD_compress2(context, memory.baseAddress, room, data.baseAddress, data.count)
                    if ZSTD_isError(count) != 0 { throw Failure() }
                    return Data(memory.prefix(count))
                }
            }
        }
    }
}
