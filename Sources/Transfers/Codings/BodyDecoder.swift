/// Undoes one coding of a body, piece by piece; for one thread.
protocol BodyDecoder: AnyObject {
    /// Whether what came can be all: it is decoded to its end, or nothing came at all.
    var isWhole: Bool { get }

    /// Decodes what is next.
    /// - Parameters:
    ///   - input: What came; what is used up is taken away from its beginning.
    ///   - room: Where the decoded bytes go; not empty.
    /// - Returns: How many decoded bytes there are. After 0 all of `input` is used up.
    func decode(
        _ input: inout UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
    ) throws(TransferError) -> Int
}

extension ContentCodings.Coding {
    /// A decoder for one body.
    func makeDecoder() throws(TransferError) -> any BodyDecoder {
        switch self {
        case .gzip, .deflate: InflatingDecoder(self)
        case .br: try BrotliDecoder()
        case .zstd: try ZstdDecoder()
        }
    }

    /// What is told of a body that is not what it says.
    func damage(_ reason: String) -> TransferError {
        .protocolViolation("its body cannot be decoded as \(rawValue): \(reason)")
    }

    static var noMemory: TransferError { .unreachable("there is no memory for decoding its body") }
}

extension UnsafeRawBufferPointer {
    /// Takes bytes away from the beginning.
    mutating func drop(_ count: Int) { self = UnsafeRawBufferPointer(rebasing: self[count...]) }
}
