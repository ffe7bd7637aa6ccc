internal import CBrotli

/// The boxes of a JPEG XL that are compressed by Brotli: `brob`, in ISO/IEC 18181-2.
struct BrotliBoxes {
    /// The most bytes that are unpacked. Cameras' EXIF has less than 64 KiB with its small picture; of XMP less is kept.
    static let mostBytes = 1 << 20

    private let bodies: [ByteReader]

    init(_ file: ByteReader) {
        bodies = ISOBoxes(file).all(upTo: ISOBoxes.mostBoxes).filter { $0.type == "brob" }.map(\.body)
    }

    /// The body of the first that stands for a box of a type; nil where there is none, it is damaged, or it has too many bytes.
    func first(_ type: StaticString) -> [UInt8]? {
        guard let body = bodies.first(where: { $0.has(type) }) else { return nil }
        let packed = body.slice(4..<max(4, body.count)).bytes
        guard let start = packed.baseAddress else { return nil }
        var isWhole = false
        let unpacked = [UInt8](unsafeUninitializedCapacity: Self.mostBytes) { room, count in
            var size = room.count
            let result = BrotliDecoderDecompress(
                packed.count, start.assumingMemoryBound(to: UInt8.self), &size, room.baseAddress)
            isWhole = result == BROTLI_DECODER_RESULT_SUCCESS
            count = isWhole ? size : 0
        }
        return isWhole ? unpacked : nil
    }
}
