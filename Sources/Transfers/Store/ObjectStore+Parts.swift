import CGLib
import Glibc
import OperationsCore

import struct FoundationEssentials.Data

extension ObjectStore {
    /// How many parts are on their way at once.
    private static let lanes = 4
    private static let mostParts = 10_000

    /// Puts a file, in place of an object that is there: in parts where it is large. Where that fails no part is left.
    ///
    /// - Parameters:
    ///   - path: A file that does not change meanwhile.
    ///   - digest: SHA-256 of its bytes, which is kept with the object.
    package func put(
        _ key: String, file path: String, size: Int, digest: String,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreError(.answer, "the file \(path) cannot be read") }
        defer { close(descriptor) }
        guard size > settings.partSize else {
            return try put(
                key, try Self.bytes(of: descriptor, 0..<size, path), digest: digest, isCancelled: isCancelled)
        }
        var partSize = settings.partSize
        if size > partSize * Self.mostParts { partSize = (size / Self.mostParts / (1 << 20) + 1) * (1 << 20) }
        try multipart(key, digest: digest, size: size, partSize: partSize, isCancelled: isCancelled) {
            (number, range, upload) throws(StoreError) in
            let bytes = try Self.bytes(of: descriptor, range, path)
            let answer = try self.ask(
                Request(
                    method: "PUT", key: key, query: [("partNumber", "\(number)"), ("uploadId", upload)], body: bytes,
                    isCancelled: isCancelled))
            return answer.fields["etag"] ?? ""
        }
    }

    private static func bytes(of descriptor: Int32, _ range: Range<Int>, _ path: String) throws(StoreError) -> Data {
        var bytes = Data(count: range.count)
        var filled = 0
        while filled < range.count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor, buffer.baseAddress.map { $0 + filled }, range.count - filled,
                    off_t(range.lowerBound + filled))
            }
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { throw StoreError(.answer, "the file \(path) cannot be read to its end") }
            filled += got
        }
        return bytes
    }

    /// Makes an object of parts, several of which are on their way at once.
    ///
    /// - Parameter part: Sends a part, by its number from 1 and its bytes' places; its entity tag.
    func multipart(
        _ key: String, digest: String?, size: Int, partSize: Int, isCancelled: @escaping @Sendable () -> Bool,
        part: @escaping @Sendable (_ number: Int, _ range: Range<Int>, _ upload: String) throws(StoreError) -> String
    ) throws(StoreError) {
        var request = Request(
            method: "POST", key: key, query: [("uploads", "")], body: Data(), isCancelled: isCancelled)
        request.headers[Self.digestField] = digest
        // Not begun again where the answer cannot be read: the store may keep an upload for each, whose name nobody knows.
        guard let upload = try askForResult(request, unreadable: .answer)["UploadId"], !upload.isEmpty else {
            throw StoreError(.answer, "the store names no upload")
        }
        do throws(StoreError) {
            let count = (size + partSize - 1) / partSize
            let tags = try Lanes.map(count, lanes: Self.lanes) { (index) throws(StoreError) in
                try part(index + 1, index * partSize..<min(size, (index + 1) * partSize), upload)
            }
            try complete(key, upload, tags, size: size, digest: digest, isCancelled)
        } catch {
            // Also where the person has given it up, who does not wait long for that.
            try? abort(key, upload: upload, isCancelled: briefly(after: isCancelled))
            throw error
        }
    }

    private func complete(
        _ key: String, _ upload: String, _ tags: [String], size: Int, digest: String?,
        _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(StoreError) {
        let parts = tags.enumerated().map { number, tag in
            let text = tag.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
            return "<Part><PartNumber>\(number + 1)</PartNumber><ETag>\(text)</ETag></Part>"
        }
        let body = Data("<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>".utf8)
        do throws(StoreError) {
            _ = try askForResult(
                Request(
                    method: "POST", key: key, query: [("uploadId", upload)], body: body, isCancelled: isCancelled))
        } catch {
            // An earlier attempt may have done it, and its answer been lost.
            guard error.kind == .notFound, let digest, let facts = try facts(key), facts.size == size,
                facts.digest == digest
            else { throw error }
        }
    }

    /// Removes the parts of an upload that does not come to its end.
    package func abort(
        _ key: String, upload: String, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(StoreError) {
        _ = try ifThere { () throws(StoreError) in
            try ask(
                Request(method: "DELETE", key: key, query: [("uploadId", upload)], isCancelled: isCancelled))
        }
    }

    /// Whether also that is given up which is done after something was given up.
    private func briefly(after isCancelled: @escaping @Sendable () -> Bool) -> @Sendable () -> Bool {
        let end = Lock(ContinuousClock.Instant?.none)
        return { [leave = settings.leave] in
            guard isCancelled() else { return false }
            let now = ContinuousClock.now
            return end.withLock { end in
                let time = end ?? now + leave
                end = time
                return now >= time
            }
        }
    }
}
