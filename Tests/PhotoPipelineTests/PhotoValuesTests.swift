import PhotoPipeline
import Testing

@Suite struct PhotoValuesTests {
    private func photos(_ indices: Int...) -> [Photo.ID] { indices.map { Photo.ID($0) } }

    @Test func onlyThosePhotosHaveAValueThatWereGivenOne() {
        var values = PhotoValues<String>()
        values.set("a", for: photos(3, 900, 3))
        values.set("b", for: photos(5))
        #expect(values.count == 3)
        #expect(photos(0, 3, 5, 900, 5_000).map { values[$0] } == [nil, "a", "b", "a", nil])
        values.set("b", for: photos(3))
        values.set(nil, for: photos(900, 7, 70_000))
        #expect(values.photos == photos(3, 5))
        #expect(values.photos.map { values[$0] } == ["b", "b"])
        values.set(nil, for: photos(3, 5))
        #expect(values.isEmpty && values.photos.isEmpty)
    }

    @Test func differencesAreFoundWhateverTheOrderInWhichValuesCame() {
        var (first, second) = (PhotoValues<String>(), PhotoValues<String>())
        first.set("a", for: photos(0, 1, 2))
        first.set("b", for: photos(3))
        second.set("b", for: photos(3, 2))
        second.set("c", for: photos(9))
        second.set("a", for: photos(0))
        #expect(first.photos(differingFrom: second) == photos(1, 2, 9))
        #expect(second.photos(differingFrom: first) == photos(1, 2, 9))
        #expect(first.photos(differingFrom: first) == [])
    }

    @Test func valuesThatBecomeTheSameAreTheSame() {
        var values = PhotoValues<Int>()
        for number in 1...4 { values.set(number, for: photos(number)) }
        var odd = values.mapValues { $0 % 2 }
        #expect(photos(0, 1, 2, 3, 4).map { odd[$0] } == [nil, 1, 0, 1, 0])
        odd.set(0, for: photos(1))
        #expect(photos(1, 2, 3, 4).map { odd[$0] } == [0, 0, 1, 0])
        #expect(odd.count == 4)
    }
}
