import Testing

@testable import PhotoDevelopment

@Suite struct ShardNamesTests {
    @Test func namesHaveTheDigitsThatTheCountNeedsAndAtLeastFive() {
        let few = ShardNames(rows: 25_000, rowsPerShard: 10_000)
        #expect((0...2).map { few.file(ofShard: $0) } == ["00000.tar", "00001.tar", "00002.tar"])
        #expect([0, 9_999, 24_999].map { few.key(ofRow: $0) } == ["00001", "10000", "25000"])
        let many = ShardNames(rows: 1_234_567, rowsPerShard: 10)
        #expect(many.file(ofShard: many.shard(ofRow: 1_234_566)) == "123456.tar")
        #expect(many.file(ofShard: 0) == "000000.tar")
        #expect(many.key(ofRow: 0) == "0000001")
        #expect(ShardNames(rows: 0, rowsPerShard: 1).file(ofShard: 0) == "00000.tar")
        // The last row of a full shard needs no other one.
        #expect(ShardNames(rows: 100_000, rowsPerShard: 1).file(ofShard: 99_999) == "99999.tar")
    }

    @Test func aShardIsKnownByItsName() {
        for name in ["00000.tar", "1234567.tar"] { #expect(ShardNames.isShard(name), "\(name)") }
        for name in ["0000.tar", "00000.tar.gz", "photos.tar", "0000a.tar", "00000", ".tar", "٠٠٠٠٠.tar"] {
            #expect(!ShardNames.isShard(name), "\(name)")
        }
    }
}
