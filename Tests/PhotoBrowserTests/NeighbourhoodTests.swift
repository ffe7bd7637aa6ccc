import Testing

@testable import PhotoBrowser

@Suite struct NeighbourhoodTests {
    @Test func followsTheDirectionOfTravel() {
        var neighbourhood = Neighbourhood()
        #expect(neighbourhood.rows(around: 10..<14, count: 100) == [14, 15, 16, 17, 9])
        #expect(neighbourhood.rows(around: 8..<12, count: 100) == [7, 6, 5, 4, 12])
        #expect(neighbourhood.rows(around: 8..<12, count: 100) == [7, 6, 5, 4, 12], "standing still changes nothing")
        #expect(neighbourhood.rows(around: 9..<13, count: 100) == [13, 14, 15, 16, 8])
    }

    @Test func staysWithinTheList() {
        var neighbourhood = Neighbourhood()
        #expect(neighbourhood.rows(around: 0..<4, count: 6) == [4, 5])
        #expect(neighbourhood.rows(around: 2..<6, count: 6) == [1])
        #expect(neighbourhood.rows(around: 0..<0, count: 6) == [])
        neighbourhood = Neighbourhood()
        #expect(neighbourhood.rows(around: 100..<600, count: 10_000).count == 30)
    }
}
