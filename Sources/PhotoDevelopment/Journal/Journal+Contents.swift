import Transfers

/// The part of a journal that is about photos with the same bytes.
extension Journal {
    /// Makes ready for rows whose digests are to be remembered.
    func prepareForContents() throws(SQLiteError) {
        try connection.run(
            "CREATE TABLE IF NOT EXISTS content (number INTEGER PRIMARY KEY, digest BLOB NOT NULL) STRICT")
    }

    /// Remembers which bytes a row brought first, or gives it the small pictures of the row that did; in the transaction of its row.
    func recordContent(of entry: Entry) throws(SQLiteError) {
        if let digest = entry.digest {
            try connection.run(
                "INSERT OR REPLACE INTO content VALUES (?, ?)", [.integer(entry.number), .blob(digest.bytes)])
        } else if hasContents {
            // What an earlier run remembered is of the picture that this one replaces.
            try connection.run("DELETE FROM content WHERE number = ?", [.integer(entry.number)])
        }
        if let leader = entry.leader, entry.number < ReportImages.mostRows {
            try connection.run(
                "INSERT OR REPLACE INTO picture SELECT ?, original, result FROM picture WHERE number = ?",
                [.integer(entry.number), .integer(leader)])
        }
    }

    /// Reads which rows brought their bytes first, in their order.
    func readContents(_ body: (_ row: Int, _ digest: ContentDigest) -> Void) throws(SQLiteError) {
        try connection.run("SELECT number, digest FROM content ORDER BY number") { row in
            if let digest = ContentDigest(bytes: row.blob(1)) { body(row.integer(0), digest) }
        }
    }
}
