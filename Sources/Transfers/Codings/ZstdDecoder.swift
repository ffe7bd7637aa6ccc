import CZstd

/// Undoes `zstd` (RFC 8878): frames, one behind the other.
final class ZstdDecoder: BodyDecoder {
    private let stream: OpaquePointer
    /// Whether nothing came, or a frame is decoded to its end.
    private(set) var isWhole = true

    init() throws(TransferError) {
        guard let stream = ZSTD_createDStream() else { throw ContentCodings.Coding.noMemory }
        self.stream = stream
    }

    deinit { ZSTD_freeDStream(stream) }

    func decode(
        _ input: inout UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
    ) throws(TransferError) -> Int {
        while true {
            var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
            var target = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
            let left = ZSTD_decompressStream(stream, &target, &source)
            if ZSTD_isError(left) != 0 {
                throw ContentCodings.Coding.zstd.damage(String(cString: ZSTD_getErrorName(left)))
            }
            if source.pos > 0 || target.pos > 0 { isWhole = left == 0 }
            input.drop(source.pos)
            if target.pos > 0 || input.isEmpty { return target.pos }
        }
    }
}
