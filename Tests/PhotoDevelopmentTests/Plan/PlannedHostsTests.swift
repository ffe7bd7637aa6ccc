import Catalogs
import Foundation
import Transfers
import XCTest

@testable import PhotoDevelopment

/// The hosts that rows are assigned by.
final class PlannedHostsTests: JournalTestCase {
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    private func generator() -> Generator {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        return Generator(state: seed)
    }

    /// What is taken for the host at a glance is what the parser finds, however addresses are written.
    func testTheHostAtAGlanceIsThatOfTheParser() throws {
        let schemes = [
            "http://", "https://", "HTTP://", "https:/", "http:\\\\", " https://", "https:///", "ftp://", "",
        ]
        let parts = [
            "a", "z", "host", "example", "org", "com", "co", "uk", ".", ".", ".", ".", "-", "0", "7", "10", "0x", "0xa",
            "x",
            "xn--", "bcher-kva", "ü", "ß", "A", "Example", "@", "user:pw@", ":", ":80", ":443", "[", "::1", "]", "%",
            "%2e",
            "%41", "\t", "\u{7F}", "\u{0}", "。", "\u{AD}", "_", "*", "\\", "?", "#", "/", "//", "127.0.0.1", "255",
            "e9",
        ]
        var random = generator()
        var (glances, parsed) = (0, 0)
        for _ in 0..<200_000 {
            // Half of them are nearly ordinary.
            let isTame = Bool.random(using: &random)
            var address = (isTame ? schemes[...1] : schemes[...]).randomElement(using: &random) ?? ""
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                address += (isTame ? parts[..<21] : parts[...]).randomElement(using: &random) ?? ""
            }
            if Int.random(in: 0..<8, using: &random) > 0 { address += "/a.jpg" }
            var text = address
            let glance = text.withUTF8 { bytes in
                TaskAssignment.plainHost(of: bytes).map { String(decoding: $0, as: UTF8.self) }
            }
            guard let glance else { continue }
            glances += 1
            guard let line = try? JSONEncoder().encode(["url": address]),
                case .success(.web(let full))? = try? Catalog(
                    lines: Array(line), origin: .standardInput(currentDirectory: "/")
                ).first?.content
            else { continue }
            parsed += 1
            XCTAssertEqual(glance, full.host.lowercased(), address.debugDescription)
        }
        XCTAssertGreaterThan(glances, 5_000)
        XCTAssertGreaterThan(parsed, 2_000)
    }

    func testNumbersInDisguiseAreTheSameHost() throws {
        let assignment = TaskAssignment(tasks: 100_000)
        func task(_ address: String) throws -> Int {
            let row = try Catalog(
                lines: Array("{\"url\": \"\(address)\"}\n".utf8), origin: .standardInput(currentDirectory: "/"))[0]
            return row.withAddressBytes { assignment.task(of: $0, row.content, number: 0) }
        }
        XCTAssertEqual(try task("http://10.0xa/1"), try task("http://10.0.0.10/1"))
        XCTAssertEqual(try task("http://10.0.0.0xff/1"), try task("http://10.0.0.255/1"))
    }

    /// How many hosts are known at once changes no task, and frequent domains are found all the same.
    func testForgottenHostsComeIntoTheSameTasks() throws {
        var random = generator()
        let few = TaskAssignment(tasks: 50, knowing: 7)
        let many = TaskAssignment(tasks: 50)
        let failure = Result<ResourceAddress, CatalogEntryError>.failure(.invalidAddress("", reason: ""))
        var rows: [String: Int] = [:]
        for _ in 0..<20_000 {
            let host = min(Int.random(in: 0..<300, using: &random), Int.random(in: 0..<300, using: &random))
            rows["h\(host).co.uk", default: 0] += 1
            var address = "https://i\(Int.random(in: 0..<3, using: &random)).h\(host).co.uk/"
            address.withUTF8 { bytes in
                XCTAssertEqual(few.task(of: bytes, failure, number: 0), many.task(of: bytes, failure, number: 0))
                let (first, second) = (few.plainHost(bytes), many.plainHost(bytes))
                if let first, let second { XCTAssertEqual(few.task(of: first), many.task(of: second)) }
            }
        }
        // Each was asked for twice.
        let expected = rows.mapValues { 2 * $0 }
        for assignment in [few, many] {
            let found = assignment.domains(withAtLeast: 1).map { [$0.domain: $0.rows] }
            XCTAssertEqual(found.reduce([:]) { $0.merging($1) { $0 + $1 } }, expected)
        }
    }

    /// It takes more places twice.
    func testATableThatGrowsLosesNothing() {
        let table = ChecksumTable()
        var random = generator()
        let keys = (0..<20_000).map { _ in random.next() }
        for (number, key) in keys.enumerated() { table.add(1 + number % 3, to: key, number: number) }
        for (number, key) in keys.enumerated() {
            XCTAssertEqual(table.count(of: key), 1 + number % 3)
            XCTAssertEqual(table.countedNumber(of: key), number)
        }
        var counts: [Int: Int] = [:]
        table.each { counts[$0] = $1 }
        XCTAssertEqual(counts.count, keys.count)
        XCTAssert(counts.allSatisfy { $1 == 2 + $0 % 3 })
        table.removeAll()
        XCTAssertNil(table.countedNumber(of: keys[0]))
        XCTAssertEqual(table.count(of: keys[19_999]), 0)
    }

    /// Columns that are neither name nor address may hold anything; in a plan they are UTF-8.
    func testOtherColumnsThatAreNotUTF8AreRepaired() throws {
        var text = Array("url,note\n".utf8)
        for row in 0..<100 { text += Array("https://a.example/\(row),caf".utf8) + [0xE9, 0x0A] }
        try Data(text).write(to: URL(filePath: folder + "/catalog.csv"))
        let result = try Planner.plan(
            folder + "/catalog.csv", keys: CatalogKeys(keepsEntries: true), into: folder + "/plan", tasks: 1,
            options: DevelopmentOptions(output: "out"), words: [])
        XCTAssertEqual(result.plan.rows, 100)
        let rows = try TaskRows(task: 0, of: result.plan, in: FolderPlace(path: folder + "/plan")).next(100)
        XCTAssertEqual(
            rows.parts.map(\.entry), (0..<100).map { "{\"url\":\"https://a.example/\($0)\",\"note\":\"caf\u{FFFD}\"}" })
    }
}
