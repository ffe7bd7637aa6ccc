import Foundation
import TestServers
import XCTest

@testable import PhotoDevelopment

/// Tables of Parquet. `Scripts/check-webdataset` has pyarrow and DuckDB read them.
final class ParquetTableTests: XCTestCase {
    private func listing(_ table: ParquetTable) throws -> ParquetListing {
        var (table, bytes) = (table, Data())
        try table.write { bytes.append($0) }
        return try ParquetListing(bytes)
    }

    func testValuesComeBackAndMissingOnesAreMissing() throws {
        var table = ParquetTable([("text", .text), ("number", .number), ("never", .text)])
        let texts: [String?] = [
            "", "a", nil, "ảnh \u{0} 한국", nil, String(repeating: "x", count: 100_000), nil, nil, "z",
        ]
        let numbers: [Int?] = [0, -1, .max, .min, nil, 255, 256, nil, 1 << 40]
        for (text, number) in zip(texts, numbers) {
            table.set(0, text)
            table.set(1, number)
            table.endRow()
        }
        let listing = try listing(table)
        XCTAssertEqual(listing.rows, texts.count)
        XCTAssertEqual(listing["text"], texts)
        XCTAssertEqual(listing["number"], numbers.map { $0.map(String.init) })
        XCTAssertEqual(listing["never"], texts.map { _ in nil })
    }

    func testLongColumnsHaveSeveralPages() throws {
        var table = ParquetTable([("row", .number), ("sometimes", .text)])
        let count = 50_000
        for row in 0..<count {
            table.set(0, row)
            if row % 7 == 0 { table.set(1, "row \(row)") }
            table.endRow()
        }
        let listing = try listing(table)
        XCTAssertEqual(listing["row"], (0..<count).map { "\($0)" })
        XCTAssertEqual(listing["sometimes"], (0..<count).map { $0 % 7 == 0 ? "row \($0)" : nil })
        XCTAssert(listing.columns.allSatisfy { $0.pages > 1 })
    }

    func testAColumnThatComesLateIsMissingBefore() throws {
        var table = ParquetTable([("row", .number)])
        var late: Int?
        for row in 0..<20_000 {
            table.set(0, row)
            if row >= 19_998 {
                let place = late ?? table.addTexts("late")
                late = place
                table.set(place, "\(row)")
                // The first value counts.
                table.set(place, "other")
            }
            table.endRow()
        }
        let listing = try listing(table)
        XCTAssertEqual(listing["late"]?.suffix(3), [nil, "19998", "19999"])
        XCTAssertEqual(listing["late"]?.count, 20_000)
    }

    func testATableWithoutRowsIsOne() throws {
        let listing = try listing(ParquetTable([("text", .text), ("number", .number)]))
        XCTAssertEqual(listing.rows, 0)
        XCTAssertEqual(listing.columns.map(\.name), ["text", "number"])
    }

    func testFieldsOfAnEntryAreTexts() {
        let entry =
            #" { "caption" : "a \"b\", {c} \u00e9\ud83d\ude00" ,"n":-1.50e3, "yes":true,"no":null,"list" : [1, "],", {"a":"}"}],"#
            + #""object":{"x":"\\"},"":"","half":"\ud800","last":""}"#
        let fields = EntryFields.fields(of: entry)
        let expected: [(String, String?)] = [
            ("caption", "a \"b\", {c} é😀"), ("n", "-1.50e3"), ("yes", "true"), ("no", nil),
            ("list", #"[1, "],", {"a":"}"}]"#), ("object", #"{"x":"\\"}"#), ("", ""), ("half", #""\ud800""#),
            ("last", ""),
        ]
        XCTAssertEqual(fields.map(\.name), expected.map(\.0))
        XCTAssertEqual(fields.map(\.text), expected.map(\.1))
        for broken in [
            "", "{", "{}", "[1]", "{\"a\"", "{\"a\":", "{\"a\":\"", "{\"a\":\"\\", "{\"a\":1,", "{\"a\":[", "{\"a\"]",
            "x",
        ] {
            XCTAssertLessThanOrEqual(EntryFields.fields(of: broken).count, 1, broken)
        }
    }
}
