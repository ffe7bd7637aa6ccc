import Catalogs
import OperationsTesting
import Testing

/// Names in the order that a person expects, for catalogs and for lists alike.
struct NaturalSortTests {
    @Test func namesAreSortedAsAPersonWould() {
        let names = ["IMG 10", "img 2", "Éclair", "eclair 1", "서울 야경", "Đà Nẵng", "IMG 010", "zebra", "", "img 2"]
        let places = NaturalSort.places(count: names.count) { names[$0] }
        let sorted = places?.map { names[Int($0)] }
        #expect(
            sorted == ["", "Đà Nẵng", "Éclair", "eclair 1", "img 2", "img 2", "IMG 10", "IMG 010", "zebra", "서울 야경"])
        // Those of the same name stay in the order of the catalog.
        let twins = places?.filter { names[Int($0)] == "img 2" }
        #expect(twins == [1, 9])
    }

    /// Accents of all alphabets, and wide letters and digits, matter only where all else is equal.
    @Test(arguments: [
        ["Ёлка 2", "елка 10", "Жук"], ["Άλφα", "αλφα 1", "βητα"], ["ＩＭＧ ２", "img 10"], ["ﬁn", "fio"],
        ["가", "가나", "각", "나"],
    ])
    func accentsAndWidths(_ names: [String]) {
        for given in [names, names.reversed()] {
            let places = NaturalSort.places(count: given.count) { given[$0] } ?? []
            #expect(places.map { given[Int($0)] } == names)
        }
    }

    @Test func manyNamesAreSortedInRuns() {
        // More than one run, so that merging is tried too.
        var random = SeededRandom(seed: 7)
        let numbers = (0..<150_000).map { _ in Int.random(in: 0..<1_000_000, using: &random) }
        let places = NaturalSort.places(count: numbers.count) { "photo \(numbers[$0])" }
        let sorted = places?.map { numbers[Int($0)] } ?? []
        #expect(sorted == numbers.sorted())
    }

    @Test func aSortThatIsCancelledBringsNothing() {
        #expect(NaturalSort.places(count: 3, name: { "\($0)" }, isCancelled: { true }) == nil)
    }
}
