/// Undoes one coding of bytes, piece by piece; for one thread.
package protocol BodyDecoder: AnyObject {
    /// Whether what came can be all: it is decoded to its end, or nothing came at all.
    var isWhole: Bool { get }

    /// Decodes what is next.
    /// - Parameters:
    ///   - input: What came; what is used up is taken away from its beginning.
    ///   - room: Where the decoded bytes go; not empty.
    /// - Returns: How many decoded bytes there are. After 0 all of `input` is used up.
    func decode(
        _ input: inout UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault) -> Int
}

/// Why bytes cannot be decoded.
package enum DecodingFault: Error {
    /// They are not what they say; the library's words for what is wrong, if it has some.
    case damaged(String?)
    /// Something else follows their end.
    case followed
    case noMemory
}

extension ContentCodings.Coding {
    /// A decoder for one body.
    func makeDecoder() throws(DecodingFault) -> any BodyDecoder {
        switch self {
        case .gzip: InflatingDecoder(.gzip)
        case .deflate: InflatingDecoder(.deflate)
        case .br: try BrotliDecoder()
        case .zstd: try ZstdDecoder(.coding)
        }
    }

    /// What is told of a body that cannot be decoded.
    func error(_ fault: DecodingFault) -> TransferError {
        switch fault {
        case .damaged(let reason):
            .protocolViolation("its body cannot be decoded as \(rawValue): \(reason ?? "the data is damaged")")
        case .followed: .protocolViolation("its body has something behind its end")
        case .noMemory: .unreachable("there is no memory for decoding its body")
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Takes bytes away from the beginning.
    mutating func drop(_ count: Int) { self = UnsafeRawBufferPointer(rebasing: self[count...]) }
}
