import Foundation
import Testing

@testable import Transfers

@Suite struct CacheRecordTests {
    private func record(_ changes: [String: String] = [:]) -> CacheRecord? {
        var values = [
            "address": "\"http://a.b/c\"", "fingerprint": "\"0\"", "status": "200", "fields": "{\"fields\":[]}",
            "requestedAt": "1",
            "receivedAt": "2",
            "redirectLifetime": "3", "places": "[]", "bodyCount": "4", "bodyChecksum": "5",
        ]
        values.merge(changes) { $1 }
        let text = values.map { "\"\($0)\":\($1)" }.joined(separator: ",")
        return CacheRecord(Data("{\(text)}".utf8))
    }

    @Test func whatWasWrittenIsRead() throws {
        let record = try #require(self.record())
        #expect(record.bytes.flatMap(CacheRecord.init) == record)
        #expect(record.staleness(at: 10) == 10)
    }

    @Test(
        "Numbers that nobody can reckon with are no record",
        arguments: ["requestedAt", "receivedAt", "redirectLifetime", "bodyCount"], [Int.min, -1, Int.max])
    func numbers(name: String, value: Int) {
        guard let record = record([name: "\(value)"]) else { return }
        // What is read all the same may be judged at any time.
        #expect(name == "bodyCount" && value > 0)
        for now in [0, 2, 1 << 40] { _ = record.staleness(at: now) }
    }
}
