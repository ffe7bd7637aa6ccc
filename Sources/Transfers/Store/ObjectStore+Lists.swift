import Glibc

extension ObjectStore {
    /// An upload in parts that has not come to its end.
    package struct Upload: Sendable {
        package let key: String
        package let name: String
        /// When it was begun, as the store says it: `2026-11-29T14:43:28.000Z`.
        let begun: String

        /// Whether it was begun so many seconds ago or earlier; false where the store does not say when.
        package func isOlder(than seconds: Int) -> Bool {
            // The digits of two times in this order are compared as texts.
            let (digits, limit) = (begun.filter(\.isNumber), RequestSignature.Moment(time(nil) - seconds).text)
            return digits.count >= 14 && digits.prefix(14) <= limit.filter(\.isNumber)
        }
    }

    /// An object in a list.
    package struct Item: Hashable, Sendable {
        package let key: String
        package let size: Int

        package init(key: String, size: Int) {
            (self.key, self.size) = (key, size)
        }
    }

    /// The objects whose keys begin so, in the store's order, a page after the other.
    ///
    /// - Parameters:
    ///   - prefix: What they begin with.
    ///   - isFlat: Whether keys are left out that have a slash behind the prefix.
    package func items(_ prefix: String, isFlat: Bool = true) throws(StoreError) -> [Item] {
        try pages([("list-type", "2"), ("encoding-type", "url"), ("prefix", prefix)], isFlat) { page, _ in
            page["NextContinuationToken"].map { [("continuation-token", $0)] }
        } items: { page, decoded in
            page.all("Contents").compactMap { item in
                item["Key"].map { Item(key: decoded($0), size: item["Size"].flatMap { Int($0) } ?? 0) }
            }
        }
    }

    /// What stands before the next slash behind a prefix: the names of folders.
    package func folders(_ prefix: String) throws(StoreError) -> [String] {
        try pages([("list-type", "2"), ("encoding-type", "url"), ("prefix", prefix)], true) { page, _ in
            page["NextContinuationToken"].map { [("continuation-token", $0)] }
        } items: { page, decoded in
            page.all("CommonPrefixes").compactMap { $0["Prefix"] }.map {
                String(decoded($0).dropFirst(prefix.count).dropLast())
            }
        }
    }

    /// The uploads in parts that have not come to their end.
    ///
    /// Keys are not asked for in escaped form: Ceph's gateway escapes them here without saying so, but not where the next page begins.
    package func uploads(_ prefix: String) throws(StoreError) -> [Upload] {
        try pages([("uploads", ""), ("prefix", prefix)], false) { page, decoded in
            guard let key = page["NextKeyMarker"], let upload = page["NextUploadIdMarker"] else { return nil }
            return [("key-marker", decoded(key)), ("upload-id-marker", upload)]
        } items: { page, decoded in
            page.all("Upload").compactMap { item in
                guard let key = item["Key"], let upload = item["UploadId"] else { return nil }
                return Upload(key: decoded(key), name: upload, begun: item["Initiated"] ?? "")
            }
        }
    }

    /// All pages of a list.
    ///
    /// - Parameters:
    ///   - next: What the page after one is asked for with.
    ///   - items: What is on a page. Both are given what makes keys of a page's texts.
    /// - Throws: `answer` where the list goes on and does not say where: what is missing would pass for what is not there.
    private func pages<Item>(
        _ query: [(String, String)], _ isFlat: Bool,
        next: (StoreXML, (String) -> String) -> [(String, String)]?,
        items: (StoreXML, (String) -> String) -> [Item]
    ) throws(StoreError) -> [Item] {
        var (found, marker, seen): ([Item], [(String, String)], Set<[String]>) = ([], [], [])
        while true {
            let page = try askForResult(
                Request(
                    method: "GET",
                    query: query + (isFlat ? [("delimiter", "/")] : []) + marker))
            let decoded = page["EncodingType"]?.lowercased() == "url" ? Self.decoded : { $0 }
            found += items(page, decoded)
            guard page["IsTruncated"] == "true" else { return found }
            guard let more = next(page, decoded), seen.insert(more.map(\.1)).inserted else {
                throw StoreError(.answer, "the store's list goes on, but the store does not say where")
            }
            marker = more
        }
    }

    /// A key as lists have it, where it is escaped so that XML takes it.
    private static func decoded(_ text: String) -> String {
        // As in forms, a space may be a plus.
        let spaced = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(decoding: PercentEscapes.decoded(spaced), as: UTF8.self)
    }
}
