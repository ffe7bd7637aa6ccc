package import struct FoundationEssentials.Data

/// Sees the body of a download while it comes, see ``DownloadOperation``'s `observe(_:)`.
///
/// All calls come on the client's event thread, on which all its transfers wait meanwhile: take the bytes and return.
package protocol BodyObserver: AnyObject, Sendable {
    /// A body begins, or goes on where an earlier attempt left it, or is under way already: what came before counts no
    /// more.
    /// - Parameters:
    ///   - bytes: What is there of it. Pages of a file, perhaps: to be read on another thread.
    ///   - expected: How long it is going to be, if that is known.
    func bodyBegan(with bytes: Data, expected: Int?)

    /// More bytes came.
    /// - Parameters:
    ///   - piece: The bytes, after decompression; gone after the call.
    ///   - offset: How many there are before them in the body.
    ///   - expected: How long the body is going to be, if that is known.
    func bodyContinued(_ piece: UnsafeRawBufferPointer, at offset: Int, expected: Int?)
}
