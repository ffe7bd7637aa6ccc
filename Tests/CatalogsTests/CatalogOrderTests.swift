import Catalogs
import FoundationEssentials
import Testing

/// A dictionary's names come as a person would sort them.
struct CatalogOrderTests {
    private func sorted(_ names: [String]) throws -> [String] {
        try Sample.catalog("{\"\(names.joined(separator: "\":\"x\",\""))\":\"x\"}").names
    }

    @Test(arguments: [
        ["2", "10", "a"], ["a", "B", "c"], ["Photo 2", "photo 2 b", "Photo 10"], ["a1b2", "a1b10", "a2b1"],
        ["7", "07", "007", "8"], ["0", "00", "1"], ["da", "dz", "đa", "e"], ["Ảnh 2", "ảnh 10", "bánh"],
        ["e", "é", "ê", "ea", "z"], ["가", "나", "다"], ["a", "a b", "ab"], ["", "a"], ["a-1", "a-2", "a-10"],
        ["99999999999999999999", "100000000000000000000"], ["Ađa", "Ae"], ["strasse", "straße", "strassf"],
    ])
    func everyOrderOfTheNamesGivesTheSame(_ names: [String]) throws {
        #expect(try sorted(names) == names)
        #expect(try sorted(names.reversed()) == names)
    }

    @Test func decomposedAccentsSortLikeComposedOnes() throws {
        #expect(try sorted(["b", "a\u{301}x", "az", "aa"]) == ["aa", "a\u{301}x", "az", "b"])
    }

    @Test func namesThatDifferInCaseOnlyKeepTheirOrder() throws {
        #expect(try sorted(["b", "A", "a"]) == ["A", "a", "b"])
        #expect(try sorted(["b", "a", "A"]) == ["a", "A", "b"])
    }

    @Test func veryLongNumbersAreComparedByTheirLength() throws {
        let long = (1...3).map { String(repeating: "9", count: 200 * $0) }
        #expect(try sorted(long.reversed()) == long)
    }
}
