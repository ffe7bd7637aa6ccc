extension ObjectStore {
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
        try pages([("list-type", "2"), ("prefix", prefix)], isFlat) { page in
            page["IsTruncated"] == "true" ? page["NextContinuationToken"].map { [("continuation-token", $0)] } : nil
        } items: { page in
            page.all("Contents").compactMap { item in
                item["Key"].map { Item(key: Self.decoded($0), size: item["Size"].flatMap { Int($0) } ?? 0) }
            }
        }
    }

    /// What stands before the next slash behind a prefix: the names of folders.
    package func folders(_ prefix: String) throws(StoreError) -> [String] {
        try pages([("list-type", "2"), ("prefix", prefix)], true) { page in
            page["IsTruncated"] == "true" ? page["NextContinuationToken"].map { [("continuation-token", $0)] } : nil
        } items: { page in
            page.all("CommonPrefixes").compactMap { $0["Prefix"] }.map {
                String(Self.decoded($0).dropFirst(prefix.count).dropLast())
            }
        }
    }

    /// The uploads in parts that have not come to their end.
    package func uploads(_ prefix: String) throws(StoreError) -> [(key: String, upload: String)] {
        try pages([("uploads", ""), ("prefix", prefix)], false) { page in
            guard page["IsTruncated"] == "true", let key = page["NextKeyMarker"],
                let upload = page["NextUploadIdMarker"]
            else { return nil }
            return [("key-marker", Self.decoded(key)), ("upload-id-marker", upload)]
        } items: { page in
            page.all("Upload").compactMap { item in
                guard let key = item["Key"], let upload = item["UploadId"] else { return nil }
                return (Self.decoded(key), upload)
            }
        }
    }

    private func pages<Item>(
        _ query: [(String, String)], _ isFlat: Bool, next: (StoreXML) -> [(String, String)]?,
        items: (StoreXML) -> [Item]
    ) throws(StoreError) -> [Item] {
        var (found, marker): ([Item], [(String, String)]) = ([], [])
        while true {
            let answer = try ask(
                Request(
                    method: "GET",
                    query: query + [("encoding-type", "url")] + (isFlat ? [("delimiter", "/")] : []) + marker))
            guard let page = StoreXML.parse(answer.body), page.name.hasSuffix("Result") else {
                throw StoreError(.answer, "the store's list cannot be read")
            }
            found += items(page)
            guard let more = next(page), marker.map(\.1) != more.map(\.1) else { return found }
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
