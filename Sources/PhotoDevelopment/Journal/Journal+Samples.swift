import CGLib
import FoundationEssentials
import PhotoPipeline
import Transfers

/// What a batch has brought into shards.
struct CommittedSamples {
    /// The results of rows.
    var samples: [Sample] = []
    /// The offsets up to which shards are whole, by their numbers.
    var ends: [Int: Int] = [:]
}

/// The result of a row, in a shard.
struct Sample: Equatable, Sendable {
    /// The row's place in the catalog.
    let number: Int
    let shard: Int
    /// Where the result's bytes begin in the shard.
    let start: Int
    /// How many bytes they are.
    let count: Int
    /// Where the last of the sample's members ends.
    let end: Int
    /// What is told about the result.
    var facts: Facts

    /// What is told about a result, which is the same for all rows that have it.
    struct Facts: Equatable, Sendable {
        /// The ending of its member's name.
        let ending: String
        /// The address that answered; nil where none did.
        let address: String?
        let publishedSize: PixelSize
        let size: PixelSize
        /// Of the result's bytes, in hexadecimal digits.
        let sha256: String
        /// The photo's fields of EXIF, an object of JSON; nil where nobody has asked.
        var exif: String?
    }
}

extension Sample.Facts {
    init(of result: FinishedResult) {
        let digest = result.bytes.withUnsafeBytes { cglib_sha256($0.baseAddress, gsize($0.count)) }
        defer { g_free(digest) }
        self.init(
            ending: result.ending, address: result.address, publishedSize: result.publishedSize, size: result.size,
            sha256: digest.map { String(cString: $0) } ?? "", exif: result.exif)
    }
}

/// The part of a journal that is about shards.
extension Journal {
    func makeSampleTables() throws(SQLiteError) {
        try connection.run("CREATE TABLE shard (number INTEGER PRIMARY KEY, bytes INTEGER NOT NULL) STRICT")
        try connection.run(
            """
            CREATE TABLE sample (
                number INTEGER PRIMARY KEY, shard INTEGER NOT NULL, first_byte INTEGER NOT NULL, bytes INTEGER NOT NULL,
                sample_end INTEGER NOT NULL, ending TEXT NOT NULL, address TEXT, original_width INTEGER NOT NULL,
                original_height INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, sha256 TEXT NOT NULL)
                STRICT
            """)
        try connection.run("CREATE TABLE exif (number INTEGER PRIMARY KEY, fields TEXT NOT NULL) STRICT")
        try connection.run("CREATE INDEX sample_by_place ON sample (shard, sample_end)")
    }

    /// Writes down what a batch has brought; in the transaction of its rows.
    func record(_ committed: CommittedSamples) throws(SQLiteError) {
        for sample in committed.samples {
            let facts = sample.facts
            try connection.run(
                "INSERT OR REPLACE INTO sample VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    .integer(sample.number), .integer(sample.shard), .integer(sample.start), .integer(sample.count),
                    .integer(sample.end), .text(facts.ending), facts.address.map { .text($0) } ?? .null,
                    .integer(facts.publishedSize.width), .integer(facts.publishedSize.height),
                    .integer(facts.size.width), .integer(facts.size.height), .text(facts.sha256),
                ])
            guard let exif = facts.exif else { continue }
            try connection.run("INSERT OR REPLACE INTO exif VALUES (?, ?)", [.integer(sample.number), .text(exif)])
        }
        for (shard, end) in committed.ends {
            try connection.run("INSERT OR REPLACE INTO shard VALUES (?, ?)", [.integer(shard), .integer(end)])
        }
    }

    /// The offset up to which a shard is whole; 0 for one that has not begun.
    func end(ofShard shard: Int) throws(SQLiteError) -> Int {
        try connection.number("SELECT bytes FROM shard WHERE number = ?", [.integer(shard)]) ?? 0
    }

    /// The shards that have begun, in order, with the offsets up to which they are whole.
    func shards() throws(SQLiteError) -> [(number: Int, end: Int)] {
        var shards: [(number: Int, end: Int)] = []
        try connection.run("SELECT number, bytes FROM shard ORDER BY number") { row in
            shards.append((row.integer(0), row.integer(1)))
        }
        return shards
    }

    /// The rows whose samples do not end within the first bytes of a shard.
    func rows(ofShard shard: Int, beyond length: Int) throws(SQLiteError) -> [Int] {
        var rows: [Int] = []
        try connection.run(
            "SELECT number FROM sample WHERE shard = ? AND sample_end > ?", [.integer(shard), .integer(length)]
        ) { rows.append($0.integer(0)) }
        return rows
    }

    /// Forgets the rows whose samples do not end within the first bytes of a shard, as somebody has taken these bytes away.
    ///
    /// - Returns: Where the last sample ends that is left.
    func forgetRows(ofShard shard: Int, beyond length: Int) throws(SQLiteError) -> Int {
        var end = 0
        try transaction { () throws(SQLiteError) in
            let lost: [SQLiteConnection.Value] = [.integer(shard), .integer(length)]
            try connection.run(
                "DELETE FROM row WHERE number IN (SELECT number FROM sample WHERE shard = ? AND sample_end > ?)", lost)
            try connection.run("DELETE FROM sample WHERE shard = ? AND sample_end > ?", lost)
            end = try connection.number("SELECT max(sample_end) FROM sample WHERE shard = ?", [.integer(shard)]) ?? 0
            try connection.run("INSERT OR REPLACE INTO shard VALUES (?, ?)", [.integer(shard), .integer(end)])
        }
        return end
    }

    /// The sample of a row; nil where it has none.
    func sample(of number: Int) throws(SQLiteError) -> Sample? {
        try samples(from: number, limit: 1).first.flatMap { $0.number == number ? $0 : nil }
    }

    /// Samples from a row on, in the catalog's order.
    func samples(from number: Int, limit: Int) throws(SQLiteError) -> [Sample] {
        var samples: [Sample] = []
        try connection.run(
            """
            SELECT number, shard, first_byte, bytes, sample_end, ending, address, original_width, original_height, width,
            height, sha256 FROM sample WHERE number >= ? ORDER BY number LIMIT ?
            """, [.integer(number), .integer(limit)]
        ) { row in
            let address = row.text(6)
            samples.append(
                Sample(
                    number: row.integer(0), shard: row.integer(1), start: row.integer(2), count: row.integer(3),
                    end: row.integer(4),
                    facts: Sample.Facts(
                        ending: row.text(5), address: address.isEmpty ? nil : address,
                        publishedSize: PixelSize(width: row.integer(7), height: row.integer(8)),
                        size: PixelSize(width: row.integer(9), height: row.integer(10)), sha256: row.text(11))))
        }
        // Journals of versions that did not know of it have no such table, and their runs no such fields.
        guard hasEXIF else { return samples }
        for place in samples.indices {
            try connection.run("SELECT fields FROM exif WHERE number = ?", [.integer(samples[place].number)]) {
                samples[place].facts.exif = $0.text(0)
            }
        }
        return samples
    }
}
