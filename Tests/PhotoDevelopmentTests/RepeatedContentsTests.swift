import Foundation
import PhotoPipeline
import Testing

@testable import PhotoDevelopment

@Suite struct RepeatedContentsTests {
    private func digest(_ number: Int) -> ContentDigest { ContentDigest(of: Data("\(number)".utf8)) }

    private func contents(shown: Int = 0) -> RepeatedContents {
        RepeatedContents(shown: shown, endings: ResultEndings(usual: ["jpg"]))
    }

    private func text(_ role: RepeatedContents.Role) -> String {
        switch role {
        case .wait: "wait"
        case .takeOver(nil): "take"
        case .takeOver(.filtered(let files, _)): "take \(files)"
        case .takeOver(.failed): "fail"
        case .takeOver(.cancelled): "cancel"
        }
    }

    @Test("A digest is kept and read as it was, and is the first half of SHA-256")
    func digests() throws {
        let digest = digest(1)
        #expect(ContentDigest(bytes: digest.bytes) == digest)
        #expect(
            digest.bytes.map { String(UInt16($0) + 256, radix: 16).suffix(2) }.joined()
                == "6b86b273ff34fce19d6b804eff5a3f57")
        #expect(ContentDigest(bytes: digest.bytes.dropFirst()) == nil)
        #expect(ContentDigest(of: Data()) != digest)
    }

    @Test("Rows that bring what another one brought wait for it, or take over what it has")
    func roles() {
        var contents = contents()
        #expect(contents.arrive(7, digest(1)) == nil)
        #expect(contents.arrive(8, digest(2)) == nil)
        // The same row may come again, after a lost connection.
        #expect(contents.arrive(7, digest(1)) == nil)
        #expect(contents.arrive(3, digest(1)) == 7)
        #expect(text(contents.join(behind: 7, 3)) == "wait")
        #expect(contents.arrive(4, digest(1)) == 7)
        #expect(contents.digest(of: 7) == digest(1))
        #expect(contents.finish(7, .filtered(files: ["a.png"])) == [3])
        // It had arrived before, and asks behind the end.
        #expect(text(contents.join(behind: 7, 4)) == "take [\"a.png\"]")
        #expect(contents.digest(of: 7) == nil)
        #expect(contents.arrive(5, digest(1)) == 7)
        #expect(text(contents.join(behind: 7, 5)) == "take")
        #expect(contents.endings(of: 7) == ["png"])
        #expect(contents.endings(of: 8) == ["jpg"])
        #expect(contents.finish(3, .filtered(files: ["b.png"])).isEmpty)
        #expect(contents.finish(7, .cancelled).isEmpty)
    }

    @Test("A failure is that of the rows that wait; who comes later is developed")
    func failures() {
        var contents = contents()
        let failed = ReportRow.Outcome.failed(.init(.notAnImage, "It is none."))
        #expect(contents.arrive(0, digest(1)) == nil)
        #expect(contents.arrive(1, digest(1)) == 0)
        #expect(contents.arrive(2, digest(1)) == 0)
        #expect(text(contents.join(behind: 0, 1)) == "wait")
        #expect(contents.finish(0, failed) == [1])
        #expect(contents.arrive(3, digest(1)) == nil)
        #expect(text(contents.join(behind: 0, 2)) == "fail")
        #expect(contents.finish(3, .filtered(files: ["3.jpg"])).isEmpty)
        #expect(contents.arrive(4, digest(1)) == 3)
    }

    @Test("What is shown in reports is never left to a row that is not")
    func shown() {
        var contents = contents(shown: 10)
        #expect(contents.arrive(12, digest(1)) == nil)
        #expect(contents.arrive(9, digest(1)) == nil)
        #expect(contents.arrive(10, digest(1)) == 12)
        #expect(contents.finish(9, .filtered(files: ["9.jpg"])).isEmpty)
        #expect(contents.arrive(3, digest(2)) == nil)
        #expect(contents.arrive(2, digest(2)) == 3)
    }

    @Test("What earlier runs brought first stays the first")
    func passed() {
        var contents = contents()
        contents.pass(5, digest(1))
        contents.pass(6, digest(1))
        #expect(contents.arrive(1, digest(1)) == 5)
        #expect(text(contents.join(behind: 5, 1)) == "take")
    }

    @Test("Every row ends once, whatever the order", arguments: 1...20 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var state = seed
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var contents = contents(shown: 20)
        var (unread, developing, arrived) = (Array(0..<400), [Int](), [(row: Int, leader: Int)]())
        var ended: [Int: String] = [:]
        func end(_ row: Int, _ outcome: String) {
            #expect(ended.updateValue(outcome, forKey: row) == nil, "row \(row), seed \(seed)")
        }
        while !unread.isEmpty || !developing.isEmpty || !arrived.isEmpty {
            switch next(3) {
            case 0 where !unread.isEmpty:
                let row = unread.remove(at: next(unread.count))
                if let leader = contents.arrive(row, digest(row % 30)) {
                    #expect(leader % 30 == row % 30)
                    arrived.append((row, leader))
                } else {
                    developing.append(row)
                }
            case 1 where !arrived.isEmpty:
                let (row, leader) = arrived.remove(at: next(arrived.count))
                switch contents.join(behind: leader, row) {
                case .wait: #expect(ended[leader] == nil)
                case .takeOver:
                    #expect(ended[leader] != nil)
                    end(row, "taken")
                    #expect(contents.finish(row, .filtered(files: ["\(row).jpg"])).isEmpty)
                }
            case 2 where !developing.isEmpty:
                let row = developing.remove(at: next(developing.count))
                let outcome: ReportRow.Outcome =
                    next(4) == 0 ? .failed(.init(.notAnImage, "")) : .filtered(files: ["\(row).jpg"])
                end(row, "developed")
                for other in contents.finish(row, outcome) {
                    end(other, "taken")
                    #expect(contents.finish(other, outcome).isEmpty)
                }
            default: break
            }
        }
        #expect(ended.count == 400, "seed \(seed)")
    }
}
