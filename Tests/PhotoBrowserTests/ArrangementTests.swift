import Foundation
import OperationsTesting
import PhotoPipeline
import Testing

@testable import PhotoBrowser

@Suite struct ArrangementTests {
    private let names = ["IMG 10", "img 2", "Éclair", "eclair 1", "서울 야경", "Đà Nẵng", "IMG 010", "zebra", "", "img 2"]

    @Test(
        arguments: [
            ("img", [0, 1, 6, 9]), ("IMG 2", [1, 9]), ("2 img", [1, 9]), ("ECLAIR", [2, 3]), ("éclair 1", [3]),
            ("da nang", [5]), ("서울", [4]), ("야경 서", [4]), ("10", [0, 6]), ("xyz", []), (" ", Array(0..<10)),
        ] as [(String, [UInt32])])
    func searchKnowsNeitherCaseNorAccents(text: String, expected: [UInt32]) {
        let index = NameIndex(count: names.count) { names[$0] }
        let words = text.split(whereSeparator: \.isWhitespace).map { FoldedText.bytes(of: String($0)) }
        #expect(index?.places(matching: words) == expected)
    }

    @Test(arguments: 1...20) func searchFindsWhatASimpleOneFinds(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let letters = Array("abé 1")
        func text(_ longest: Int) -> String {
            String(
                (0..<Int.random(in: 0...longest, using: &random)).compactMap { _ in
                    letters.randomElement(using: &random)
                })
        }
        let names = (0..<300).map { _ in text(12) }
        let index = NameIndex(count: names.count) { names[$0] }
        for _ in 0..<40 {
            let words = text(5).split(separator: " ").map { FoldedText.bytes(of: String($0)) }
            let expected = names.indices.filter { place in
                let name = FoldedText.bytes(of: names[place])
                return words.allSatisfy { name.firstRange(of: $0) != nil }
            }
            let found = index?.places(matching: words)?.map { Int($0) }
            #expect(found == expected, "seed \(seed), \(words)")
        }
    }

    @Test func whatIsCancelledBringsNothing() {
        #expect(NameIndex(count: 3, name: { "\($0)" }, isCancelled: { true }) == nil)
    }

    @Test func orderAndSearchGoTogether() throws {
        let text = "name,url\n" + ["b 10", "a", "b 9", "c"].map { "\($0),http://localhost/x\n" }.joined()
        let arranger = RowArranger(try Catalog(parsing: Data(text.utf8), origin: .file(path: "/list.csv")))
        func rows(_ order: PhotoArrangement.Order, _ search: String) -> [Int] {
            let ranks = [Photo.ID(3): Photo.State.filtered.rank, Photo.ID(2): 0]
            let arrangement = PhotoArrangement(order: order, search: search)
            guard let rows = arranger.rows(of: arrangement, ranks: ranks, isCancelled: { false }) else { return [] }
            return (0..<rows.count).map { rows.photo(at: $0).index }
        }
        #expect(rows(.catalog, "") == [0, 1, 2, 3])
        #expect(rows(.name, "") == [1, 2, 0, 3])
        #expect(rows(.name, "B") == [2, 0])
        #expect(rows(.state, "") == [2, 3, 0, 1])
        #expect(rows(.catalog, "b") == [0, 2])
        #expect(rows(.state, "c") == [3])
    }
}
