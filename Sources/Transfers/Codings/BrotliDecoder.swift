import CBrotli

/// Undoes `br` (RFC 7932). What follows the end is left out.
final class BrotliDecoder: BodyDecoder {
    private let stream: OpaquePointer
    private var hasBegun = false
    private var isAtEnd = false

    init() throws(DecodingFault) {
        guard let stream = BrotliDecoderCreateInstance(nil, nil, nil) else { throw .noMemory }
        self.stream = stream
    }

    deinit { BrotliDecoderDestroyInstance(stream) }

    var isWhole: Bool { isAtEnd || !hasBegun }

    func decode(
        _ input: inout UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault) -> Int {
        hasBegun = hasBegun || !input.isEmpty
        guard hasBegun, !isAtEnd else {
            input.drop(input.count)
            return 0
        }
        var (available, space) = (input.count, room.count)
        var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var place = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let result = BrotliDecoderDecompressStream(stream, &available, &next, &space, &place, nil)
        input.drop(input.count - available)
        switch result {
        case BROTLI_DECODER_RESULT_ERROR:
            let reason = BrotliDecoderErrorString(BrotliDecoderGetErrorCode(stream)).map { String(cString: $0) }
            throw .damaged(reason)
        case BROTLI_DECODER_RESULT_SUCCESS:
            isAtEnd = true
            if space == room.count { input.drop(input.count) }
        default: break
        }
        return room.count - space
    }
}
