import CGLib

package import struct FoundationEssentials.Data

extension ObjectStore {
    /// What is known of an object.
    package struct Facts: Hashable, Sendable {
        package let size: Int
        /// SHA-256 of its bytes in hexadecimal digits, as it was said by who put it; nil where nobody did.
        package let digest: String?
        let entityTag: String?

        init(_ fields: [String: String]) {
            size = fields["content-length"].flatMap { Int($0) } ?? 0
            digest = fields[ObjectStore.digestField]
            entityTag = fields["etag"]
        }
    }

    static let digestField = "x-amz-meta-sha256"

    /// What is known of an object; nil where there is none.
    package func facts(_ key: String) throws(StoreError) -> Facts? {
        do throws(StoreError) {
            return Facts(try ask(Request(method: "HEAD", key: key)).fields)
        } catch {
            if error.kind == .notFound { return nil }
            if error.isTransient { throw error }
            // An answer without a body does not say why.
            _ = try ask(Request(method: "GET", key: key, headers: ["range": "bytes=0-0"]))
            throw error
        }
    }

    /// All of an object; nil where there is none.
    ///
    /// - Parameter limit: The most that it may have, in bytes.
    package func read(_ key: String, limit: Int) throws(StoreError) -> Data? {
        do throws(StoreError) {
            return Data(try ask(Request(method: "GET", key: key, limit: limit)).body)
        } catch {
            if error.kind == .notFound { return nil }
            throw error
        }
    }

    /// Reads an object piece by piece. Where the connection is lost it goes on with the rest, unless the object is another one by then.
    ///
    /// - Parameter take: Takes a piece; whether it wants more.
    /// - Returns: Whether there is such an object.
    package func read(
        _ key: String, take: (UnsafeRawBufferPointer) -> Bool
    ) throws(StoreError) -> Bool {
        var (count, tag) = (0, String?.none)
        var (wantsMore, isWhole) = (true, true)
        do throws(StoreError) {
            try withoutActuallyEscaping(take) { (take) throws(StoreError) in
                try tryAgain({ false }) { () throws(StoreError) in
                    var request = Request(method: "GET", key: key)
                    let isRest = count > 0
                    if isRest {
                        request.headers["range"] = "bytes=\(count)-"
                        request.headers["if-match"] = tag
                    }
                    do throws(StoreError) {
                        _ = try once(request) { head, piece in
                            if isRest, head.status != 206 {
                                isWhole = false
                                return false
                            }
                            tag = head.fields["etag"]
                            count += piece.count
                            wantsMore = take(piece)
                            return wantsMore
                        }
                    } catch {
                        // Nothing was wrong with what ended by this end.
                        if wantsMore, isWhole { throw error }
                    }
                }
            }
        } catch {
            if count > 0, error.kind == .notFound || error.kind == .exists {
                throw StoreError(.answer, code: error.code, "the object has changed while it was read")
            }
            if error.kind == .notFound { return false }
            throw error
        }
        guard isWhole else { throw StoreError(.answer, "the store does not send the rest of an object") }
        return true
    }

    /// Makes an object of whose name there is none yet: of several who do so at once one succeeds.
    ///
    /// - Returns: Whether it was made. False is also what an earlier attempt leads to whose answer was lost: what is there says so.
    /// - Throws: `unfit` where the store does not know conditions.
    package func create(_ key: String, _ bytes: Data, digest: String? = nil) throws(StoreError) -> Bool {
        do throws(StoreError) {
            var request = Request(method: "PUT", key: key, headers: ["if-none-match": "*"], body: bytes)
            request.headers[Self.digestField] = digest
            _ = try ask(request)
            return true
        } catch {
            if error.kind == .exists { return false }
            if error.kind == .unfit || error.code == "InvalidArgument" || error.code == "InvalidRequest" {
                throw Self.noConditions
            }
            throw error
        }
    }

    package static let noConditions = StoreError(
        .unfit,
        "this store does not refuse to make an object that is there already (If-None-Match: *), so that one shard could be committed "
            + "twice; take a store with conditional writes, such as Amazon's, Ceph's gateway or MinIO, or a shared folder"
    )

    /// Puts an object, in place of one that is there.
    package func put(
        _ key: String, _ bytes: Data, digest: String? = nil, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(StoreError) {
        var request = Request(method: "PUT", key: key, body: bytes, isCancelled: isCancelled)
        request.headers[Self.digestField] = digest
        _ = try ask(request)
    }

    /// Removes an object; one that is not there is as good as removed.
    package func remove(_ key: String) throws(StoreError) {
        do throws(StoreError) {
            _ = try ask(Request(method: "DELETE", key: key))
        } catch {
            guard error.kind == .notFound else { throw error }
        }
    }

    /// Gives an object's bytes, and what is known of it, a second name, within the store.
    ///
    /// - Parameter size: How many bytes it has: above 5 GB it is copied in parts.
    package func copy(_ key: String, to other: String, size: Int, digest: String?) throws(StoreError) {
        let source = "/" + bucket + "/" + RequestSignature.encoded(key, keepsSlashes: true)
        guard size > Self.mostAtOnce else {
            let answer = try ask(
                Request(method: "PUT", key: other, headers: ["x-amz-copy-source": source], body: Data()))
            return try checkBody(answer)
        }
        try multipart(other, digest: digest, size: size, partSize: 1 << 30, isCancelled: { false }) {
            (number, range, upload) throws(StoreError) in
            let answer = try self.ask(
                Request(
                    method: "PUT", key: other, query: [("partNumber", "\(number)"), ("uploadId", upload)],
                    headers: [
                        "x-amz-copy-source": source,
                        "x-amz-copy-source-range": "bytes=\(range.lowerBound)-\(range.upperBound - 1)",
                    ], body: Data()))
            try self.checkBody(answer)
            return StoreXML.parse(answer.body)?["ETag"] ?? ""
        }
    }

    /// What may be copied or put at once, in bytes.
    static let mostAtOnce = 5_000_000_000

    /// A copy, and the end of an upload in parts, may fail after the store has said that all is well.
    func checkBody(_ answer: Answer) throws(StoreError) {
        guard let document = StoreXML.parse(answer.body), document.name == "Error" else { return }
        throw failure(StoreHandle.Head(status: 500, fields: answer.fields), answer.body)
    }
}
