import PhotoPipeline
import Testing

@testable import PhotoBrowser

@Suite struct PhotoListStateTests {
    private func photos(_ range: Range<Int>) -> [Photo.ID] { range.map { Photo.ID($0) } }

    @Test func startsNearestToTheMiddleFirst() {
        var world = ListWorld()
        world.send(.visible(photos(0..<5)))
        #expect(world.started.map(\.photo.index) == [2, 1, 3, 0, 4])
    }

    @Test func showsTheDownloadedImageUntilTheFilteredOneIsThere() {
        var world = ListWorld()
        let photo = Photo.ID(7)
        world.send(.visible([photo]))
        let run = world.started[0]
        world.step(run)
        #expect(world.state.records[photo]?.state == .downloading)
        world.step(run)
        #expect(world.state.records[photo]?.state == .downloaded)
        #expect(world.state.records[photo]?.shown == TestImage(photo: photo, look: nil))
        world.step(run)
        #expect(world.state.records[photo]?.state == .filtering)
        world.step(run)
        #expect(world.state.records[photo]?.shown == TestImage(photo: photo, look: .classic))
        world.settle()
        world.checkAtRest()
        #expect(world.violations == [])
    }

    @Test func cancelsWhatLeavesTheScreen() {
        var world = ListWorld()
        world.send(.visible(photos(0..<3)))
        world.send(.visible(photos(2..<5)))
        #expect(world.runs.filter { world.works[$0]?.isCancelled == true }.map(\.photo.index).sorted() == [0, 1])
        world.settle()
        world.checkAtRest()
        #expect(world.violations == [])
        #expect(Set(world.state.records.keys) == Set(photos(2..<5)))
    }

    @Test func whereMemoryIsShortOnlyWhatIsOnScreenStays() {
        var world = ListWorld()
        world.send(.visible(photos(0..<3)))
        world.settle()
        world.send(.visible(photos(2..<5)))
        world.settle()
        #expect(world.state.records[Photo.ID(0)]?.shown != nil)
        world.send(.memoryIsShort)
        #expect(photos(0..<2).allSatisfy { world.state.records[$0]?.shown == nil })
        #expect(photos(2..<5).allSatisfy { world.state.records[$0]?.shown != nil })
        world.settle()
        world.checkAtRest()
        #expect(world.violations == [])
    }

    @Test func startsNothingWhileScrollingOrPaused() {
        for hold in [PhotoListState<TestImage>.Event.scrolling(true), .paused(true)] {
            var world = ListWorld()
            world.send(hold)
            world.send(.visible(photos(0..<3)))
            #expect(world.started.isEmpty)
            if case .scrolling = hold { world.send(.scrolling(false)) } else { world.send(.paused(false)) }
            #expect(world.started.count == 3)
        }
    }

    @Test func aPhotoThatComesBackWaitsForTheEndOfItsOldRun() {
        var world = ListWorld()
        world.send(.visible(photos(0..<1)))
        world.send(.visible([]))
        world.send(.visible(photos(0..<1)))
        #expect(world.started.count == 1)
        world.settle()
        #expect(world.started.count == 2)
        world.checkAtRest()
        #expect(world.violations == [])
    }

    @Test func aCancelledFilterIsOnlyFilteredTheNextTime() {
        var world = ListWorld()
        world.send(.visible(photos(0..<1)))
        for _ in 0..<3 { world.step(world.started[0]) }
        world.send(.visible([]))
        world.settle()
        #expect(world.state.records[Photo.ID(0)]?.state == .downloaded)
        world.send(.visible(photos(0..<1)))
        world.settle()
        world.checkAtRest()
        #expect(world.downloads == [Photo.ID(0): 1])
        #expect(world.violations == [])
    }

    @Test func failedPhotosWaitForARetry() {
        var world = ListWorld()
        world.failing = Set(photos(0..<3))
        world.send(.visible(photos(0..<2)))
        world.settle()
        #expect(world.state.failed == Set(photos(0..<2)))
        world.send(.visible(photos(2..<3)))
        world.settle()
        #expect(world.started.count == 3)
        #expect(world.started.map(\.cachePolicy) == [.standard, .standard, .standard])
        world.send(.retry(Photo.ID(2)))
        #expect(world.started.count == 4)
        // A cache may have kept the answer that it failed by.
        #expect(world.started[3].cachePolicy == .revalidated)
        world.settle()
        world.failing = []
        world.send(.retryAllFailed)
        #expect(world.state.failed.isEmpty)
        #expect(world.started.count == 5)
        world.settle()
        #expect(world.state.records[Photo.ID(2)]?.state == .filtered)
        world.send(.retry(Photo.ID(2)))
        #expect(world.started.count == 5)
        // Of those that were off screen the list remembers that they are tried again, and only once.
        world.send(.visible(photos(0..<2)))
        #expect(world.started.dropFirst(5).map(\.cachePolicy) == [.revalidated, .revalidated])
        world.settle()
        world.chooseLook()
        #expect(world.started.dropFirst(7).allSatisfy { $0.cachePolicy == .standard })
        #expect(world.violations == [])
    }

    @Test func aFailureOfACancelledRunIsNone() {
        var world = ListWorld()
        world.failing = [Photo.ID(0)]
        world.send(.visible(photos(0..<1)))
        let run = world.started[0]
        world.step(run)
        world.send(.visible([]))
        world.step(run, noticesCancellation: false)
        #expect(world.state.failed.isEmpty)
    }

    @Test func anotherFilterOnlyFiltersAgain() {
        var world = ListWorld()
        world.send(.visible(photos(0..<4)))
        world.settle()
        world.send(.visible(photos(2..<4)))
        world.chooseLook()
        // What is on screen keeps its old look until the new one is there; what is not goes back to the published one.
        #expect(world.state.records[Photo.ID(3)]?.shown == TestImage(photo: Photo.ID(3), look: .classic))
        #expect(world.state.records[Photo.ID(1)]?.shown == TestImage(photo: Photo.ID(1), look: nil))
        world.settle()
        world.checkAtRest()
        world.send(.visible(photos(0..<4)))
        world.settle()
        world.checkAtRest()
        #expect(world.downloads.values.allSatisfy { $0 == 1 })
        #expect(world.violations == [])
    }

    @Test func aDownloadOutlivesAChangeOfFilter() {
        var world = ListWorld()
        world.send(.visible(photos(0..<1)))
        world.step(world.started[0])
        world.chooseLook()
        world.settle()
        world.checkAtRest()
        #expect(world.downloads == [Photo.ID(0): 1])
        #expect(world.violations == [])
    }

    @Test func forgetsThoseNotSeenForLongest() {
        var world = ListWorld(cacheLimit: 1_000)
        for index in 0..<6 {
            world.send(.visible([Photo.ID(index)]))
            world.settle()
        }
        #expect(world.state.records[Photo.ID(0)] == nil)
        #expect(world.state.records[Photo.ID(5)]?.state == .filtered)
        #expect(world.state.imageBytes <= 1_000)
        #expect(world.violations == [])
    }

    /// A record takes more than a picture of one pixel.
    @Test func smallPicturesCountWithWhatAListKeepsBesides() {
        var state = PhotoListState<ScaledImage>(cacheLimit: 100_000, strategy: .eager)
        let image = ScaledImage(pixels: PixelBuffer(size: PixelSize(width: 1, height: 1)), scale: 1)
        for index in 0..<200 {
            for case .load(let run) in state.handle(.visible([Photo.ID(index)])) {
                _ = state.handle(.updated(run, .filtered, image))
                _ = state.handle(.ended(run))
            }
        }
        #expect(state.imageBytes <= 100_000)
        #expect((20...60).contains(state.records.count))
    }

    @Test func fetchesAheadWhenEverythingOnScreenIsThere() {
        var world = ListWorld()
        world.send(.visible(photos(0..<3), nearby: photos(3..<9)))
        #expect(world.started.map(\.photo.index) == [1, 0, 2])
        while world.runs.contains(where: { $0.photo.index < 3 }) { world.step(world.runs[0]) }
        #expect(world.runs.map(\.photo.index) == [3, 4, 5, 6], "a few at a time, in their order")
        // What comes on screen goes on, what is no longer nearby is cancelled.
        world.send(.visible(photos(4..<7), nearby: photos(7..<8)))
        #expect(world.works.filter(\.value.isCancelled).map(\.key.photo.index) == [3])
        world.settle()
        world.checkAtRest()
        #expect(world.violations == [])
        #expect(world.state.records[Photo.ID(7)]?.state == .filtered)
        #expect(world.downloads[Photo.ID(4)] == 1)
    }

    /// There is no memory for it, say.
    @Test func aFilterThatFailsIsTriedAgainWhenSomebodyAsksForIt() {
        var world = ListWorld()
        world.unfilterable = [Photo.ID(0)]
        world.send(.visible(photos(0..<2)))
        world.settle()
        world.checkAtRest()
        #expect(world.state.failed == [Photo.ID(0)])
        #expect(world.started.count == 2)
        world.unfilterable = []
        world.send(.retryAllFailed)
        world.settle()
        world.checkAtRest()
        #expect(world.state.records[Photo.ID(0)]?.state == .filtered)
        #expect(world.downloads[Photo.ID(0)] == 1)
        #expect(world.violations == [])
    }

    /// It is tried once by itself, without another download.
    @Test func aFilterThatSomebodyElseCancelsDoesNotBeginAgainAndAgain() {
        var world = ListWorld()
        world.interrupted = [Photo.ID(0)]
        world.send(.visible(photos(0..<2)))
        world.settle()
        world.checkAtRest()
        #expect(world.violations == [])
        #expect(world.started.map(\.photo.index) == [0, 1, 0])
        #expect(world.state.failed == [Photo.ID(0)])
        world.interrupted = []
        world.send(.retry(Photo.ID(0)))
        world.settle()
        #expect(world.state.records[Photo.ID(0)]?.state == .filtered)
        #expect(world.downloads[Photo.ID(0)] == 1)
        #expect(world.violations == [])
    }

    @Test func whatTheCacheCannotHoldIsNotFetchedAheadForEver() {
        var world = ListWorld(cacheLimit: 300)
        world.send(.visible(photos(0..<2), nearby: photos(2..<8)))
        world.settle()
        world.checkAtRest()
        #expect(world.violations == [])
        #expect(world.downloads.values.allSatisfy { $0 == 1 })
    }

    @Test func theEagerStrategyHoldsAndCancelsNothing() {
        var world = ListWorld(strategy: .eager)
        world.send(.scrolling(true))
        world.send(.visible(photos(0..<3), nearby: photos(3..<6)))
        world.send(.visible(photos(10..<12)))
        #expect(world.started.map(\.photo.index) == [0, 1, 2, 10, 11])
        #expect(world.works.filter(\.value.isCancelled).isEmpty)
        // Whoever changes to the other strategy gets rid of what nobody looks at.
        world.send(.strategyChanged(.visible))
        #expect(world.works.filter(\.value.isCancelled).map(\.key.photo.index).sorted() == [0, 1, 2])
        world.send(.scrolling(false))
        world.settle()
        world.checkAtRest()
        #expect(world.violations == [])
    }

    @Test func aClosedListKeepsNoImages() {
        var world = ListWorld()
        world.send(.visible(photos(0..<3)))
        world.settle()
        #expect(world.state.imageBytes > 0)
        world.send(.visible(photos(3..<6)))
        world.send(.closed)
        #expect(world.state.imageBytes == 0)
        world.settle()
        #expect(world.state.imageBytes == 0)
        #expect(world.state.records.isEmpty)
        #expect(world.violations == [])
    }

    @Test func aClosedListStartsNothing() {
        var world = ListWorld()
        world.send(.visible(photos(0..<3)))
        world.send(.closed)
        world.settle()
        world.send(.visible(photos(0..<3)))
        #expect(world.started.count == 3)
        #expect(world.state.records.isEmpty)
    }
}
