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

/// The results of a row, in a shard.
struct Sample: Equatable, Sendable {
    /// The row's place in the catalog.
    let number: Int
    let shard: Int
    /// Where the last of the sample's members ends.
    let end: Int
    /// In the order of the variants; without variants one.
    var pictures: [Picture]

    /// One of the results.
    struct Picture: Equatable, Sendable {
        /// Where its bytes begin in the shard.
        let start: Int
        /// How many bytes they are.
        let count: Int
        /// What is told about it.
        var facts: Facts
    }

    /// What is told about a result.
    struct Facts: Equatable, Sendable {
        /// The name of its variant; nil where there are none.
        let variant: String?
        /// The ending that says its format.
        let ending: String
        /// The address that answered; nil where none did.
        var address: String?
        let publishedSize: PixelSize
        let size: PixelSize
        /// Of the result's bytes, in hexadecimal digits.
        let sha256: String
        /// The photo's fields of EXIF, an object of JSON; nil where nobody has asked.
        var exif: String?
    }
}

extension Sample.Facts {
    /// What its member's name has behind the key and a dot.
    var memberEnding: String { Self.memberEnding(variant, ending) }

    static func memberEnding(_ variant: String?, _ ending: String) -> String {
        (variant.map { $0 + "." } ?? "") + ending
    }

    init(of result: FinishedResult) {
        self.init(
            variant: result.variant, ending: result.ending, address: result.address,
            publishedSize: result.publishedSize, size: result.size,
            sha256: SHA256.hexDigest(of: result.bytes), exif: result.exif)
    }
}

/// The part of a journal that is about shards.
extension Journal {
    func makeSampleTables() throws(SQLiteError) {
        try connection.run("CREATE TABLE shard (number INTEGER PRIMARY KEY, bytes INTEGER NOT NULL) STRICT")
        try connection.run("CREATE TABLE exif (number INTEGER PRIMARY KEY, fields TEXT NOT NULL) STRICT")
        try makeSampleTable()
    }

    /// A row of it for each result, by its place among those of its row.
    private func makeSampleTable() throws(SQLiteError) {
        try connection.run(
            """
            CREATE TABLE sample (
                number INTEGER NOT NULL, place INTEGER NOT NULL, shard INTEGER NOT NULL, first_byte INTEGER NOT NULL,
                bytes INTEGER NOT NULL, sample_end INTEGER NOT NULL, variant TEXT, ending TEXT NOT NULL, address TEXT,
                original_width INTEGER NOT NULL, original_height INTEGER NOT NULL, width INTEGER NOT NULL,
                height INTEGER NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY (number, place)) STRICT, WITHOUT ROWID
            """)
        try connection.run("CREATE INDEX sample_by_place ON sample (shard, sample_end)")
    }

    /// Brings the table of a journal that had one result for each row into its present form; in a transaction.
    func upgradeSampleTable() throws(SQLiteError) {
        try connection.run("DROP INDEX sample_by_place")
        try connection.run("ALTER TABLE sample RENAME TO earlier_sample")
        try makeSampleTable()
        try connection.run(
            """
            INSERT INTO sample SELECT number, 0, shard, first_byte, bytes, sample_end, NULL, ending, address,
            original_width, original_height, width, height, sha256 FROM earlier_sample
            """)
        try connection.run("DROP TABLE earlier_sample")
    }

    /// Writes down what a batch has brought; in the transaction of its rows.
    func record(_ committed: CommittedSamples) throws(SQLiteError) {
        for sample in committed.samples {
            for (place, picture) in sample.pictures.enumerated() {
                let facts = picture.facts
                try connection.run(
                    "INSERT OR REPLACE INTO sample VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [
                        .integer(sample.number), .integer(place), .integer(sample.shard), .integer(picture.start),
                        .integer(picture.count), .integer(sample.end), facts.variant.map { .text($0) } ?? .null,
                        .text(facts.ending), facts.address.map { .text($0) } ?? .null,
                        .integer(facts.publishedSize.width), .integer(facts.publishedSize.height),
                        .integer(facts.size.width), .integer(facts.size.height), .text(facts.sha256),
                    ])
                guard let exif = facts.exif else { continue }
                try connection.run(
                    "INSERT OR REPLACE INTO exif VALUES (?, ?)", [.integer(sample.number), .text(exif)])
            }
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
            "SELECT DISTINCT number FROM sample WHERE shard = ? AND sample_end > ?",
            [.integer(shard), .integer(length)]
        ) { rows.append($0.integer(0)) }
        return rows
    }

    /// Where the last sample ends that is within the first bytes of a shard; 0 where none is.
    func end(ofShard shard: Int, within length: Int) throws(SQLiteError) -> Int {
        try connection.number(
            "SELECT max(sample_end) FROM sample WHERE shard = ? AND sample_end <= ?",
            [.integer(shard), .integer(length)]) ?? 0
    }

    /// Forgets the rows of a shard behind an offset at which samples end, as somebody has taken their bytes away.
    func forgetRows(ofShard shard: Int, beyond end: Int) throws(SQLiteError) {
        try transaction { () throws(SQLiteError) in
            let lost: [SQLiteConnection.Value] = [.integer(shard), .integer(end)]
            try connection.run(
                "DELETE FROM row WHERE number IN (SELECT number FROM sample WHERE shard = ? AND sample_end > ?)", lost)
            try connection.run("DELETE FROM sample WHERE shard = ? AND sample_end > ?", lost)
            try connection.run("INSERT OR REPLACE INTO shard VALUES (?, ?)", [.integer(shard), .integer(end)])
        }
    }

    /// The sample of a row; nil where it has none.
    func sample(of number: Int) throws(SQLiteError) -> Sample? {
        var sample: Sample?
        try connection.run(
            """
            SELECT shard, first_byte, bytes, sample_end, variant, ending, address, original_width, original_height, width,
            height, sha256 FROM sample WHERE number = ? ORDER BY place
            """, [.integer(number)]
        ) { row in
            let (variant, address) = (row.text(4), row.text(6))
            let facts = Sample.Facts(
                variant: variant.isEmpty ? nil : variant, ending: row.text(5), address: address.isEmpty ? nil : address,
                publishedSize: PixelSize(width: row.integer(7), height: row.integer(8)),
                size: PixelSize(width: row.integer(9), height: row.integer(10)), sha256: row.text(11))
            let picture = Sample.Picture(start: row.integer(1), count: row.integer(2), facts: facts)
            sample = sample ?? Sample(number: number, shard: row.integer(0), end: row.integer(3), pictures: [])
            sample?.pictures.append(picture)
        }
        // Journals of versions that did not know of it have no such table, and their runs no such fields.
        guard hasEXIF, sample != nil else { return sample }
        try connection.run("SELECT fields FROM exif WHERE number = ?", [.integer(number)]) {
            sample?.pictures[0].facts.exif = $0.text(0)
        }
        return sample
    }
}
