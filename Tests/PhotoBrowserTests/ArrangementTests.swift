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

    /// Names of files from a Mac have letters and their accents apart, and so have syllables of Korean.
    @Test(
        arguments: [
            ("서울 야경.jpg", "서울"), ("Hội An – đường phố.jpg", "duong pho"), ("Hội An – đường phố.jpg", "Hội đường"),
            ("ガラス", "ガラス"), ("Éclair", "eclair"),
        ])
    func eachWayOfWritingATextFindsTheOthers(name: String, search: String) {
        for name in [name.decomposedStringWithCanonicalMapping, name.precomposedStringWithCanonicalMapping] {
            for search in [search.decomposedStringWithCanonicalMapping, search.precomposedStringWithCanonicalMapping] {
                #expect(
                    Self.finds(search, in: name), "\(Array(search.unicodeScalars)) in \(Array(name.unicodeScalars))")
            }
        }
    }

    @Test(
        arguments: [
            ("Łódź", "lodz"), ("Øster", "OST"), ("Øster", "øst"), ("Ħamrun", "hamrun"), ("Ærø", "aero"),
            ("Œuvre", "oeuv"),
            ("Straße", "STRASSE"), ("ｶﾞﾗｽ", "ガラス"), ("ガラス", "ｶﾞﾗｽ"), ("ＡＢＣ", "abc"), ("ΟΔΟΣ", "οδός"), ("Й", "и"),
            ("a\u{0}é", "e"),
        ])
    func lettersAreFoundByWhatTheyAreSortedAs(name: String, search: String) {
        #expect(Self.finds(search, in: name))
    }

    @Test(arguments: [("ガラス", "カラス"), ("강", "가"), ("서울", "울서")]) func otherLettersAreNotFound(
        name: String, search: String
    ) {
        for name in [name, name.decomposedStringWithCanonicalMapping] { #expect(!Self.finds(search, in: name)) }
    }

    /// To bring all accents of one letter into their order takes the square of their number.
    @Test(.timeLimit(.minutes(1))) func manyAccentsTakeNoTime() {
        let accents = String(repeating: "\u{301}\u{323}", count: 200_000)
        #expect(Self.finds("a b", in: "a" + accents + " b"))
    }

    private static func finds(_ search: String, in name: String) -> Bool {
        let words = search.split(whereSeparator: \.isWhitespace).map { FoldedText.bytes(of: String($0)) }
        return NameIndex(count: 1) { _ in name }?.places(matching: words) == [0]
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

    @Test(arguments: 1...5) func rowsOfManyPhotosAreThoseOfEach(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let places = (0..<UInt32(500)).shuffled(using: &random).prefix(300)
        let photos = (0..<600).shuffled(using: &random).prefix(200).map { Photo.ID($0) }
        for order in [RowOrder.all(count: 500), .some(Array(places)), .some([])] {
            for photos in [photos, [photos[0]], []] {
                #expect(Set(order.rows(of: photos)) == Set(photos.compactMap { order.row(of: $0) }))
            }
        }
    }

    /// Row by row, it would be ten thousand million steps.
    @Test(.timeLimit(.minutes(1))) func rowsOfAllOfAHundredThousandAreFoundInOnePass() {
        let order = RowOrder.some((0..<UInt32(100_000)).reversed())
        #expect(order.rows(of: (0..<100_000).map { Photo.ID($0) }).count == 100_000)
    }

    @Test func orderAndSearchGoTogether() throws {
        let text = "name,url\n" + ["b 10", "a", "b 9", "c"].map { "\($0),http://localhost/x\n" }.joined()
        let arranger = RowArranger(try Catalog(parsing: Data(text.utf8), origin: .file(path: "/list.csv")))
        func rows(_ order: PhotoArrangement.Order, _ search: String, isReversed: Bool = false) -> [Int] {
            let ranks = [Photo.ID(3): Photo.State.filtered.rank, Photo.ID(2): 0]
            return Self.rows(
                of: PhotoArrangement(order: order, isReversed: isReversed, search: search), by: arranger, ranks: ranks)
        }
        #expect(rows(.catalog, "") == [0, 1, 2, 3])
        #expect(rows(.name, "") == [1, 2, 0, 3])
        #expect(rows(.name, "B") == [2, 0])
        #expect(rows(.state, "") == [2, 3, 0, 1])
        #expect(rows(.catalog, "b") == [0, 2])
        #expect(rows(.state, "c") == [3])
        #expect(rows(.catalog, "", isReversed: true) == [3, 2, 1, 0])
        #expect(rows(.catalog, "b", isReversed: true) == [2, 0])
        #expect(rows(.name, "", isReversed: true) == [3, 0, 2, 1])
        #expect(rows(.name, "B", isReversed: true) == [0, 2])
        #expect(rows(.state, "", isReversed: true) == [1, 0, 3, 2])
        // None of them is a file of this machine.
        #expect(rows(.size, "") == [0, 1, 2, 3])
        #expect(rows(.modified, "b", isReversed: true) == [0, 2])
        #expect(!arranger.hasFiles)
    }

    @Test func filesAreOrderedByTheirSizesAndDates() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-order-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Sizes and dates in different orders; two of them are alike, one is not there, one lies on the web.
        for (name, size, day) in [("a é.png", 10, 3), ("b", 30, 1), ("c", 20, 2), ("d", 20, 2)] {
            let file = folder.appending(path: name)
            try Data(count: size).write(to: file)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(day) * 86_400)], ofItemAtPath: file.path)
        }
        let files = ["none", "a é.png", "b", "c", "d"].map { folder.appending(path: $0).absoluteString }
        let text = "name,url\n" + (["http://localhost/x"] + files).map { "photo,\($0)\n" }.joined()
        let arranger = RowArranger(try Catalog(parsing: Data(text.utf8), origin: .file(path: "/list.csv")))
        func rows(_ order: PhotoArrangement.Order, isReversed: Bool = false) -> [Int] {
            Self.rows(of: PhotoArrangement(order: order, isReversed: isReversed), by: arranger)
        }
        #expect(rows(.size) == [3, 4, 5, 2, 0, 1])
        #expect(rows(.size, isReversed: true) == [2, 5, 4, 3, 0, 1])
        #expect(rows(.modified) == [2, 4, 5, 3, 0, 1])
        #expect(arranger.hasFiles)
        // What comes from the network may name no files.
        let address = try #require(URL(string: "http://localhost/list.csv"))
        let remote = RowArranger(try Catalog(parsing: Data(text.utf8), origin: .remote(address)))
        #expect(Self.rows(of: PhotoArrangement(order: .size), by: remote) == [0, 1, 2, 3, 4, 5])
    }

    private static func rows(
        of arrangement: PhotoArrangement, by arranger: RowArranger, ranks: [Photo.ID: Int] = [:]
    ) -> [Int] {
        guard let rows = arranger.rows(of: arrangement, ranks: ranks, isCancelled: { false }) else { return [] }
        return (0..<rows.count).map { rows.photo(at: $0).index }
    }
}
