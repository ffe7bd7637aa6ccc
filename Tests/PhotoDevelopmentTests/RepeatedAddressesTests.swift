import Testing

@testable import PhotoDevelopment

@Suite struct RepeatedAddressesTests {
    private func repeated(_ addresses: [String]) -> RepeatedAddresses {
        RepeatedAddresses(count: addresses.count) { addresses[$0] }
    }

    private func role(_ row: Int, _ rows: inout RepeatedAddresses) -> String {
        switch rows.begin(row) {
        case .develop: "develop"
        case .wait: "wait"
        case .takeOver(.filtered(let files, _), let leader): "take \(files[0]) of \(leader)"
        case .takeOver(.failed, _), .takeOver(.cancelled, _): "take nothing"
        }
    }

    @Test("The first row is developed, those behind it wait or take over, others are not concerned")
    func roles() {
        var rows = repeated(["a", "b", "a", "a", "c", "b", "a"])
        #expect((0...3).map { role($0, &rows) } == ["develop", "develop", "wait", "wait"])
        #expect(rows.finish(1, .filtered(files: ["one"])).isEmpty)
        #expect([4, 5].map { role($0, &rows) } == ["develop", "take one of 1"])
        #expect(rows.finish(0, .filtered(files: ["zero"])) == [2, 3])
        #expect(role(6, &rows) == "take zero of 0")
        // Those that took over, and those that are alone, have nobody behind them.
        for row in [2, 3, 4, 5, 6] { #expect(rows.finish(row, .cancelled).isEmpty) }
    }

    @Test("Names that look the same and are other files are not the same")
    func normalForms() {
        var rows = repeated(["caf\u{E9}.png", "cafe\u{301}.png", "caf\u{E9}.png"])
        #expect((0...2).map { role($0, &rows) } == ["develop", "develop", "wait"])
    }

    @Test("A first row ends once")
    func once() {
        var rows = repeated(["a", "a", "a"])
        #expect([0, 1].map { role($0, &rows) } == ["develop", "wait"])
        #expect(rows.finish(0, .filtered(files: ["zero"])) == [1])
        #expect(rows.finish(0, .cancelled).isEmpty)
        #expect(role(2, &rows) == "take zero of 0")
    }

    @Test("Nobody waits for a row that never begins: the next one takes its place")
    func forgotten() {
        var rows = repeated(["a", "b", "a", "a", "a"])
        #expect([0, 1, 2, 3].map { role($0, &rows) } == ["develop", "develop", "wait", "wait"])
        let counts = [1, 2, 0, 0].map { rows.forget($0) }
        #expect(counts == [0, 0, 2, 0])
        #expect(role(4, &rows) == "develop")
    }

    @Test("The file of a row that is left alone is taken over; without one the next row is developed")
    func passed() {
        var rows = repeated(["a", "a", "a", "b", "b", "b"])
        rows.pass(0, files: ["zero"])
        #expect([1, 2].map { role($0, &rows) } == ["take zero of 0", "take zero of 0"])
        // Row 3 failed before, and is not taken.
        #expect([4, 5].map { role($0, &rows) } == ["develop", "wait"])
        #expect(rows.finish(4, .cancelled) == [5])
    }

    @Test("The rows behind a first one are known, in order and up to a bound")
    func others() {
        let rows = repeated(["a", "b", "a", "b", "a", "", ""])
        #expect(rows.others(behind: 0, below: 60) == [2, 4])
        #expect(rows.others(behind: 0, below: 4) == [2])
        #expect(rows.others(behind: 2, below: 60) == [4])
        #expect(rows.others(behind: 4, below: 60).isEmpty)
        #expect(rows.others(behind: 5, below: 60) == [6])
    }

    @Test("Every address is developed once in any catalog", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) {
        var state = seed
        let addresses = (0..<2_000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return "address \(state >> 33 % 700)"
        }
        var rows = repeated(addresses)
        var developed: [String] = []
        var (ended, waiting) = (0, 0)
        for (row, address) in addresses.enumerated() {
            switch rows.begin(row) {
            case .develop:
                developed.append(address)
                // Every third ends before the next row begins, the others at the end.
                if row % 3 == 0 { ended += 1 + rows.finish(row, .cancelled).count }
            case .wait: waiting += 1
            case .takeOver: ended += 1
            }
        }
        #expect(developed.count == Set(addresses).count, "seed \(seed)")
        for row in addresses.indices where row % 3 != 0 { waiting -= rows.finish(row, .cancelled).count }
        #expect(waiting == 0, "seed \(seed)")
        #expect(ended < addresses.count)
    }

    /// Rows may be in a file, where one after the other costs little.
    @Test func rowsAreLookedAtInOrder() {
        var asked: [Int] = []
        _ = RepeatedAddresses(count: 2_000) { row in
            asked.append(row)
            return "https://example.org/\(row % 1_000)"
        }
        #expect(asked == Array(0..<2_000) + Array(0..<2_000))
    }
}
