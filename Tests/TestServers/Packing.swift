import CZLib
import CZstd
package import Foundation

/// Compresses as servers and programs do.
package enum Packing: String, CaseIterable, Sendable {
    case gzip, deflate, rawDeflate, zstd

    struct Failure: Error {}

    /// Those that files have.
    package static let files: [Packing] = [.gzip, .zstd]

    /// What a server calls it.
    package var coding: String { self == .rawDeflate ? "deflate" : rawValue }

    package func packed(_ data: Data) throws -> Data {
        var memory = [UInt8](repeating: 0, count: data.count + 10_000)
        let room = memory.count
        let count = try memory.withUnsafeMutableBytes { memory in
            try data.withUnsafeBytes { data in
                guard self != .zstd else {
                    let context = ZSTD_createCCtx()
                    defer { ZSTD_freeCCtx(context) }
                    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
                    let count = ZSTD_compress2(context, memory.baseAddress, room, data.baseAddress, data.count)
                    if ZSTD_isError(count) != 0 { throw Failure() }
                    return count
                }
                var stream = z_stream()
                let bits: Int32 = self == .gzip ? 31 : self == .deflate ? 15 : -15
                let size = Int32(MemoryLayout<z_stream>.size)
                guard deflateInit2_(&stream, 6, Z_DEFLATED, bits, 8, 0, ZLIB_VERSION, size) == Z_OK else {
                    throw Failure()
                }
                defer { deflateEnd(&stream) }
                stream.next_in = .init(mutating: data.bindMemory(to: UInt8.self).baseAddress)
                stream.next_out = memory.bindMemory(to: UInt8.self).baseAddress
                (stream.avail_in, stream.avail_out) = (UInt32(data.count), UInt32(room))
                guard CZLib.deflate(&stream, Z_FINISH) == Z_STREAM_END else { throw Failure() }
                return Int(stream.total_out)
            }
        }
        return Data(memory.prefix(count))
    }

    /// "hello" by RFC 7932, in the form that does not compress.
    package static let brotliHello = Data([0x0B, 2, 0x80] + Array("hello".utf8) + [3])

    /// Up to 31 letters by RFC 8878, not compressed; the frame asks for a window of 2 to the power of `windowLog` bytes.
    package static func zstdFrame(_ letters: String = "hello", windowLog: Int) -> Data {
        let block = UInt8(letters.utf8.count << 3 | 1)
        return Data([0x28, 0xB5, 0x2F, 0xFD, 0, UInt8((windowLog - 10) << 3), block, 0, 0] + Array(letters.utf8))
    }

    /// An empty gzip member with zeros behind it, packed twice by zstd: a few hundred bytes.
    package static func bomb(_ zeros: Int) throws -> Data {
        try zstd.packed(streamed(gzip.packed(Data()), zeros: zeros))
    }

    /// Packs bytes and zeros behind them by zstd, in little memory.
    private static func streamed(_ beginning: Data, zeros: Int) throws -> Data {
        let context = ZSTD_createCCtx()
        defer { ZSTD_freeCCtx(context) }
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1)
        var (packed, room) = (Data(), [UInt8](repeating: 0, count: 1 << 17))
        func pack(_ bytes: Data, _ step: ZSTD_EndDirective) throws {
            try bytes.withUnsafeBytes { bytes in
                var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
                while true {
                    let (left, count) = room.withUnsafeMutableBytes { room in
                        var output = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
                        return (ZSTD_compressStream2(context, &output, &input, step), output.pos)
                    }
                    if ZSTD_isError(left) != 0 { throw Failure() }
                    packed.append(contentsOf: room[..<count])
                    if step == ZSTD_e_end ? left == 0 : input.pos == input.size { return }
                }
            }
        }
        try pack(beginning, ZSTD_e_continue)
        let block = Data(count: 1 << 20)
        for _ in 0..<(zeros >> 20) { try pack(block, ZSTD_e_continue) }
        try pack(Data(), ZSTD_e_end)
        return packed
    }
}
