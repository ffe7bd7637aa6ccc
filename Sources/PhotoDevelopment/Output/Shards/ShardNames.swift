/// How the shards of a run and the samples in them are called, and which row belongs where.
///
/// Numbers have leading zeros, so that names are in order as texts, too.
struct ShardNames: Equatable, Sendable {
    /// How many rows a shard is for, at least 1: the first so many belong to the first one, whatever becomes of them.
    let rowsPerShard: Int
    /// How many shards there are for all rows.
    private let shardCount: Int
    private let shardDigits: Int
    private let keyDigits: Int

    /// - Parameter rows: How many rows there are in all.
    init(rows: Int, rowsPerShard: Int) {
        self.rowsPerShard = rowsPerShard
        let last = max(0, rows - 1) / rowsPerShard
        shardCount = rows > 0 ? last + 1 : 0
        shardDigits = Self.digits(of: last)
        keyDigits = Self.digits(of: rows)
    }

    /// For shards that do not lie in the catalog's order.
    ///
    /// - Parameters:
    ///   - rows: How many rows there are in all.
    ///   - shards: How many shards there are.
    init(rows: Int, shards: Int) {
        rowsPerShard = max(1, rows)
        shardCount = shards
        shardDigits = Self.digits(of: max(0, shards - 1))
        keyDigits = Self.digits(of: rows)
    }

    private static let fewestDigits = 5
    private static let (ending, tableEnding) = (".tar", ".parquet")

    private static func digits(of most: Int) -> Int { max(fewestDigits, String(most).count) }

    /// The shard of a row, counted from 0 as the row is.
    func shard(ofRow index: Int) -> Int { index / rowsPerShard }

    /// The file's name of a shard.
    func file(ofShard shard: Int) -> String { name(ofShard: shard) + Self.ending }

    /// What the table of a shard is called.
    func table(ofShard shard: Int) -> String { name(ofShard: shard) + Self.tableEnding }

    /// What the files of a shard are called, in front of the dot.
    func name(ofShard shard: Int) -> String { Self.padded(shard, to: shardDigits) }

    /// What the members of a row's sample are called, in front of the dot: the row's number as reports show it, from 1.
    func key(ofRow index: Int) -> String { Self.padded(index &+ 1, to: keyDigits) }

    private static func padded(_ number: Int, to digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// Whether a file is called as the tar file of one of the shards of this run.
    func isOwn(_ file: String) -> Bool {
        guard Self.isShard(file), let number = Int(file.dropLast(Self.ending.count)) else {
            return false
        }
        return number < shardCount && file == self.file(ofShard: number)
    }

    /// The shard of this run whose table a file is by its name.
    func shard(ofTable file: String) -> Int? {
        guard Self.isTable(file), let number = Int(file.dropLast(Self.tableEnding.count)) else { return nil }
        return number < shardCount && file == table(ofShard: number) ? number : nil
    }

    /// Whether a file may be a shard of some run by its name.
    static func isShard(_ file: String) -> Bool { isNumber(file, ending) }

    /// Whether a file may be the table of a shard of some run by its name.
    static func isTable(_ file: String) -> Bool { isNumber(file, tableEnding) }

    private static func isNumber(_ file: String, _ ending: String) -> Bool {
        guard file.hasSuffix(ending) else { return false }
        let digits = file.utf8.dropLast(ending.utf8.count)
        return digits.count >= fewestDigits && digits.allSatisfy { (0x30...0x39).contains($0) }
    }
}
