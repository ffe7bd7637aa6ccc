import CZstd

/// Undoes `zstd` (RFC 8878): frames, one behind the other.
package final class ZstdDecoder: BodyDecoder {
    /// How far back a frame may refer. So much memory it may take, as a power of two.
    package enum Window: Int32 {
        /// 8 MB, all that a content coding may ask for (RFC 9659, 3).
        case coding = 23
        /// 128 MB, as `zstd` itself unpacks files, also those of `zstd --long`.
        case file = 27
    }

    private let stream: OpaquePointer
    /// Whether nothing came, or a frame is decoded to its end.
    package private(set) var isWhole = true

    /// - Parameter window: What the frames may ask for. One that asks for more is damaged.
    package init(_ window: Window) throws(DecodingFault) {
        guard let stream = ZSTD_createDStream() else { throw .noMemory }
        self.stream = stream
        ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, window.rawValue)
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
