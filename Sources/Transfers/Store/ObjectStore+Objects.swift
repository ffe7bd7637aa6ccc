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
        let head = Request(method: "HEAD", key: key)
        return try ifThere { () throws(StoreError) in
            do throws(StoreError) {
                return Facts(try ask(head).fields)
            } catch {
                if error.kind == .notFound || error.isTransient { throw error }
                // An answer without a body does not say why. Where that has expired credentials read again, all is well afterwards.
                try findReason(key)
                return Facts(try ask(head).fields)
            }
        }
    }

    /// Asks for an object in a way that is answered with a reason where that fails.
    private func findReason(_ key: String) throws(StoreError) {
        do throws(StoreError) {
            _ = try ask(Request(method: "GET", key: key, headers: ["range": "bytes=0-0"]))
        } catch {
            // An empty object has no first byte.
            if error.code != "InvalidRange" { throw error }
        }
    }

    /// All of an object; nil where there is none.
    ///
    /// - Parameter limit: The most that it may have, in bytes.
    package func read(_ key: String, limit: Int) throws(StoreError) -> Data? {
        try ifThere { () throws(StoreError) in
            Data(try ask(Request(method: "GET", key: key, limit: limit)).body)
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
                try tryAgain({ false }) { (signer) throws(StoreError) in
                    var request = Request(method: "GET", key: key)
                    let begun = count
                    if begun > 0 {
                        // Without a tag nobody knows whether the rest is the same object's.
                        guard let tag else { throw Self.noRest }
                        request.headers["range"] = "bytes=\(begun)-"
                        request.headers["if-match"] = tag
                    }
                    do throws(StoreError) {
                        _ = try once(request, signer) { head, piece in
                            if begun == 0 {
                                tag = head.fields["etag"]
                            } else if !Self.isRest(head, from: begun, of: tag) {
                                isWhole = false
                                return false
                            }
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
        guard isWhole else { throw Self.noRest }
        return true
    }

    private static let noRest = StoreError(.answer, "the store does not send the rest of an object")

    /// Whether an answer is the rest of an object from a place on, to its end.
    private static func isRest(_ head: StoreHandle.Head, from start: Int, of tag: String?) -> Bool {
        guard head.status == 206, let range = head.fields["content-range"].flatMap({ ContentRange($0) }) else {
            return false
        }
        let isSame = head.fields["etag"].map { $0 == tag } ?? true
        return isSame && range.first == start && range.last + 1 == range.total ?? range.last + 1
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
        _ = try ifThere { () throws(StoreError) in try ask(Request(method: "DELETE", key: key)) }
    }

    /// Gives an object's bytes, and what is known of it, a second name, within the store.
    ///
    /// - Parameter size: How many bytes it has: above 5 GB it is copied in parts.
    package func copy(
        _ key: String, to other: String, size: Int, digest: String?,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(StoreError) {
        let source = "/" + bucket + "/" + RequestSignature.encoded(key, keepsSlashes: true)
        guard size > Self.mostAtOnce else {
            _ = try askForResult(
                Request(
                    method: "PUT", key: other, headers: ["x-amz-copy-source": source], body: Data(),
                    isCancelled: isCancelled))
            return
        }
        try multipart(other, digest: digest, size: size, partSize: 1 << 30, isCancelled: isCancelled) {
            (number, range, upload) throws(StoreError) in
            let result = try self.askForResult(
                Request(
                    method: "PUT", key: other, query: [("partNumber", "\(number)"), ("uploadId", upload)],
                    headers: [
                        "x-amz-copy-source": source,
                        "x-amz-copy-source-range": "bytes=\(range.lowerBound)-\(range.upperBound - 1)",
                    ], body: Data(), isCancelled: isCancelled))
            return result["ETag"] ?? ""
        }
    }

    /// What may be copied or put at once, in bytes.
    static let mostAtOnce = 5_000_000_000
}
