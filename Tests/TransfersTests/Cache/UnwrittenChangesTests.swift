import Testing

import struct FoundationEssentials.Data

@testable import Transfers

@Suite struct UnwrittenChangesTests {
    private func record(_ status: Int) -> CacheRecord {
        CacheRecord(
            status: status, Data(), CacheExchange.Answer(), userAgent: "", requestedAt: 0, receivedAt: 0)
    }

    @Test func whatWasRemovedIsAndItsVariantsIfMeant() {
        var changes = UnwrittenChanges<CacheRecord>()
        changes.remove("open a", withVariants: true)
        changes.remove("open b")
        #expect(["open a", "open a x", "open b"].allSatisfy { changes.change(of: $0) == .removed })
        #expect(["open", "open ab", "open b x", "guarded a"].allSatisfy { changes.change(of: $0) == nil })
        changes.remove("open a")
        #expect(changes.removed == ["open a": true, "open b": false])
    }

    @Test func theLastUpdateCountsAndNoneOfWhatWasRemoved() {
        var changes = UnwrittenChanges<CacheRecord>()
        changes.update(record(200), for: "a")
        changes.update(record(203), for: "a")
        #expect(changes.change(of: "a") == .updated(record(203)))
        changes.remove("a")
        changes.update(record(200), for: "a")
        #expect(changes.change(of: "a") == .removed)
    }

    @Test func beyondItsBoundsMoreCountsAsRemovedAndNeverLess() {
        var changes = UnwrittenChanges<CacheRecord>()
        for number in 0...4_096 { changes.update(record(200), for: "updated \(number)") }
        #expect(changes.change(of: "updated 4095") == .updated(record(200)))
        #expect(changes.change(of: "updated 4096") == .removed)
        for number in 0..<32_767 { changes.remove("\(number)") }
        #expect(changes.change(of: "else") == nil && !changes.isOverfull)
        changes.remove("one more")
        #expect(changes.isOverfull && changes.change(of: "else") == .removed && changes.removed.isEmpty)
        changes.update(record(200), for: "else")
        #expect(changes.change(of: "else") == .removed)
    }
}
