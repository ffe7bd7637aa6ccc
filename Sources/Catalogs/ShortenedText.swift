extension String {
    /// The text, or as much of it as has room in so many bytes of UTF-8, and an ellipsis: texts of catalogs have any length.
    package func shortened(toBytes most: Int) -> String {
        if utf8.count <= most { return self }
        var end = utf8.index(startIndex, offsetBy: most)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return self[..<end] + "…"
    }
}
