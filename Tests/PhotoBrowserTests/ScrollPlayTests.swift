import PhotoBrowser
import Testing

/// A script of scrolling asks for the same places whatever the view does, and measures what it does.
@Suite struct ScrollPlayTests {
    /// A view whose photos are there some time after it came to rest.
    private struct World {
        var play: ScrollPlay
        var now = 0.0
        var position = 0.0
        var screen = 100.0
        var length = 1_000.0
        /// How long after a move pictures are missing; nil for ever.
        var delay: Double? = 0
        var moved = 0.0
        var places: [Double] = []
        var isOver = false

        init(_ script: ScrollScript) { play = ScrollPlay(script) }

        /// Shows a frame.
        mutating func frame(after interval: Double = 1 / 60.0) {
            now += interval
            let isThere = delay.map { now - moved >= $0 } ?? false
            let view = ScrollPlay.View(
                position: position, screen: screen, length: length, isComplete: isThere, hasAny: isThere)
            switch play.frame(at: now, threadTime: now * 100, view) {
            case .wait: break
            case .scroll(let place):
                if place != position { moved = now }
                position = place
                places.append(place)
            case .end: isOver = true
            }
        }

        mutating func run() {
            for _ in 0..<10_000 where !isOver { frame() }
        }
    }

    @Test func scrollsSoManyScreensASecond() {
        var world = World(ScrollScript([.scroll(2, seconds: 1.5)]))
        world.run()
        #expect(world.isOver)
        #expect(world.places == world.places.sorted())
        #expect(abs(world.position - 300) < 0.001, "2 screens of 100 a second for 1.5 seconds")
        #expect((88...92).contains(world.play.measurement.frameIntervals.count))
        #expect(world.play.measurement.hitches < 0.001)
        #expect(abs(world.play.measurement.mainThread - 150) < 2)
    }

    @Test func staysWhereTheListEnds() {
        var world = World(ScrollScript([.scroll(20, seconds: 1), .scroll(-1, seconds: 1), .jump(1), .rest]))
        world.run()
        #expect(world.places.max() == 900, "the last screen")
        #expect(world.places.contains { abs($0 - 800) < 0.001 }, "upwards from there")
        #expect(world.position == 900)
        var short = World(ScrollScript([.scroll(5, seconds: 1), .rest]))
        short.length = 60
        short.run()
        #expect(short.isOver && short.position == 0, "what fits on the screen does not scroll")
    }

    @Test func aFrameThatComesLateIsAHitch() {
        var world = World(ScrollScript([.scroll(1, seconds: 2)]))
        for _ in 0..<30 { world.frame() }
        world.frame(after: 0.525)
        world.run()
        // Late by what is over one and a half frames of 16.7 ms: half a second in two.
        #expect(abs(world.play.measurement.hitches - 250) < 10)
        #expect(abs(world.position - 200) < 0.001, "it is as far as if nothing had happened")
    }

    @Test func aRestLastsUntilAllIsThere() {
        var world = World(ScrollScript([.rest, .scroll(4, seconds: 1), .rest]))
        world.delay = 0.4
        world.run()
        let all = world.play.measurement.all
        #expect(all.count == 2)
        #expect(all.allSatisfy { abs($0 - 400) < 40 })
        #expect(world.play.measurement.first == all)
        #expect(world.play.measurement.missed == 0)
    }

    @Test func aWaitBeginsWhenTheScrollingShouldHaveEnded() {
        var world = World(ScrollScript([.scroll(1, seconds: 1), .rest]))
        for _ in 0..<30 { world.frame() }
        // The main thread has waited for photos itself, which are all there now.
        world.frame(after: 4)
        world.run()
        #expect(abs((world.play.measurement.all.first ?? 0) - 3_500) < 60)
    }

    @Test func nobodyWaitsForEver() {
        var world = World(ScrollScript([.jump(0.5), .rest], patience: 3))
        world.delay = nil
        world.run()
        #expect(world.isOver)
        #expect(world.play.measurement.missed == 1)
        #expect(world.play.measurement.first.isEmpty)
        #expect(abs((world.play.measurement.all.first ?? 0) - 3_000) < 40)
    }
}
