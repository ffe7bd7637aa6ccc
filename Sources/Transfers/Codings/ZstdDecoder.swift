import CZstd

/// Undoes `zstd` (RFC 8878): frames, one behind the other.
package final class ZstdDecoder: BodyDecoder {
    private let stream: OpaquePointer
    /// Whether nothing came, or a frame is decoded to its end.
    package private(set) var isWhole = true

    package init() throws(DecodingFault) {
        guard let stream = ZSTD_createDStream() else { throw .noMemory }
        self.stream = stream
    }

    deinit { ZSTD_freeDStream(stream) }

    package func decode(
        _ input: inout UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault) -> Int {
        while true {
            var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
            var target = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
            let left = ZSTD_decompressStream(stream, &target, &source)
            if ZSTD_isError(left) != 0 {
                throw .damaged(String(cString: ZSTD_getErrorName(left)))
            }
            if source.pos > 0 || target.pos > 0 { isWhole = left == 0 }
            input.drop(source.pos)
            if target.pos > 0 || input.isEmpty { return target.pos }
        }
    }
}
