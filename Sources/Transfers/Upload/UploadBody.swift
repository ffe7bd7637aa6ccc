import Synchronization

import struct FoundationEssentials.Data

/// The body of one attempt at an upload, as it is sent.
///
/// A file is open only while the attempt has its turn, so that any number of uploads may wait.
///
/// After init only the event thread uses it, except for the count of what was sent; that makes `@unchecked Sendable`
/// true.
final class UploadBody: @unchecked Sendable {
    /// Up to how many bytes a body is sent without asking whether it is wanted.
    private static let askedAboutAbove = 1_000_000

    /// How many bytes were handed to the connection.
    let sent = Atomic(0)
    private let source: UploadRequest.Source
    private let onProgress: (@Sendable (Int, Int) -> Void)?
    private var file: UploadFile?
    private var offset = 0

    init(_ source: UploadRequest.Source, onProgress: (@Sendable (Int, Int) -> Void)?) {
        self.source = source
        self.onProgress = onProgress
    }

    /// The path of the file that is to be opened before anything is sent; nil where there is nothing to open.
    var closedFile: String? {
        if case .file(let path) = source, file == nil { path } else { nil }
    }

    /// Sends this file, which was opened at ``closedFile``.
    func takeUp(_ file: UploadFile) { self.file = file }

    /// Closes the file, if there is one, and begins anew: it is not sent for now.
    func close() {
        file = nil
        rewind()
    }

    /// How many bytes it has; zero while its file is closed.
    var count: Int {
        switch source {
        case .data(let data): data.count
        case .file: file?.count ?? 0
        }
    }

    /// Whether it is so large that the server is asked whether it wants it.
    var isWorthAsking: Bool { count > Self.askedAboutAbove }

    /// Whether all of it was handed to the connection.
    var isSent: Bool { offset == count }

    /// Begins anew, for the next hop.
    func rewind() { seek(to: 0) }

    /// Goes on from there.
    func seek(to offset: Int) {
        self.offset = min(max(offset, 0), count)
        sent.store(self.offset, ordering: .relaxed)
    }

    /// The next bytes; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(TransferError) -> Int {
        let wanted = min(buffer.count, count - offset)
        guard wanted > 0 else { return 0 }
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
        var got = wanted
        if let file {
            got = try file.read(into: room, at: offset)
        } else if case .data(let data) = source {
            let start = data.startIndex + offset
            data.copyBytes(to: room, from: start..<(start + wanted))
        }
        offset += got
        sent.store(offset, ordering: .relaxed)
        onProgress?(offset, count)
        return got
    }
}
