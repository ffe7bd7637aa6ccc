import PhotoPipeline
import Testing

@testable import PhotoBrowser

/// Photos that have a look of their own, in the list's value.
@Suite struct OwnLookStateTests {
    private func photos(_ range: Range<Int>) -> [Photo.ID] { range.map { Photo.ID($0) } }

    @Test func onlyThePhotosThatGetALookOfTheirOwnAreFilteredAnew() {
        var world = ListWorld()
        world.send(.visible(photos(0..<6)))
        world.settle()
        let before = world.started.count
        world.choose(PhotoLook.none, for: photos(2..<4))
        #expect(Set(world.started.dropFirst(before).map(\.photo)) == Set(photos(2..<4)))
        world.settle()
        world.checkAtRest()
        #expect(world.downloads.values.allSatisfy { $0 == 1 })
        // Another look of all is none of theirs.
        let middle = world.started.count
        world.chooseLook()
        #expect(Set(world.started.dropFirst(middle).map(\.photo)) == Set(photos(0..<2) + photos(4..<6)))
        world.settle()
        world.checkAtRest()
        // And they go back to that.
        let last = world.started.count
        world.choose(nil, for: photos(0..<4))
        #expect(Set(world.started.dropFirst(last).map(\.photo)) == Set(photos(2..<4)))
        world.settle()
        world.checkAtRest()
        #expect(world.violations == [])
    }

    @Test func aLookThatIsTakenBackBeforeItIsThereCostsNothing() {
        var world = ListWorld()
        world.send(.visible(photos(0..<1)))
        world.settle()
        world.send(.paused(true))
        world.choose(PhotoLook.none, for: photos(0..<1))
        #expect(world.state.records[Photo.ID(0)]?.state == .downloaded)
        world.choose(nil, for: photos(0..<1))
        #expect(world.state.records[Photo.ID(0)]?.state == .filtered)
        world.send(.paused(false))
        #expect(world.started.count == 1)
        #expect(world.violations == [])
    }

    @Test func aPhotoThatIsOnItsWayArrivesWithItsOwnLook() {
        var world = ListWorld()
        world.send(.visible(photos(0..<2)))
        for run in world.runs { world.step(run) }
        world.choose(PhotoLook.none, for: photos(1..<2))
        world.settle()
        world.checkAtRest()
        #expect(world.state.records[Photo.ID(1)]?.shown?.look == PhotoLook.none)
        #expect(world.downloads[Photo.ID(1)] == 1)
        #expect(world.violations == [])
    }

    /// What is not in memory is not touched, however much that is.
    @Test func manyPhotosGetALookInATimeThatDoesNotGrowFasterThanTheyAre() {
        var world = ListWorld()
        world.send(.visible(photos(0..<10)))
        world.settle()
        let clock = ContinuousClock()
        func time(of count: Int) -> Duration {
            clock.measure {
                for look in [PhotoLook.none, .classic] { world.choose(look, for: photos(0..<count)) }
            }
        }
        let first = time(of: 100_000)
        let second = time(of: 1_000_000)
        #expect(world.state.looks.own.count == 1_000_000)
        #expect(world.state.records.count == 10)
        #expect(second < first * 40 + .seconds(1), "\(first), and ten times as many \(second)")
        world.settle()
        world.checkAtRest()
        #expect(world.violations == [])
    }
}
