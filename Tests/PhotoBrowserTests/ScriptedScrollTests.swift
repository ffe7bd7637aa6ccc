import OperationsTesting
import PhotoPipeline
import Testing

@testable import PhotoBrowser

/// Thousands of random scrolls, pauses, retries and changes of filter, with stages that run in random order.
@Suite struct ScriptedScrollTests {
    @Test(arguments: 1...24) func holdsItsPromises(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let count = 200
        let limit = Int.random(in: 500...6_000, using: &random)
        // Two of three scripts are about the strategy that does most.
        let strategy: LoadingStrategy = seed % 3 == 0 ? .eager : .visible
        var world = ListWorld(cacheLimit: limit, strategy: strategy)
        var neighbourhood = Neighbourhood()
        world.failing = Set((0..<count).filter { $0 % 7 == 3 }.map { Photo.ID($0) })
        var top = 0
        for _ in 0..<150 {
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                switch Int.random(in: 0..<21, using: &random) {
                case 0..<6:
                    let far = Int.random(in: 0..<4, using: &random) == 0
                    top = far ? Int.random(in: 0..<count, using: &random) : top + Int.random(in: -4...6, using: &random)
                    top = min(max(0, top), count - 1)
                    let height = Int.random(in: 0...12, using: &random)
                    let rows = top..<min(count, top + height)
                    let nearby = neighbourhood.rows(around: rows, count: count)
                    world.send(.visible(rows.map { Photo.ID($0) }, nearby: nearby.map { Photo.ID($0) }))
                case 6: world.send(.scrolling(Bool.random(using: &random)))
                case 7: world.send(.paused(Int.random(in: 0..<3, using: &random) == 0))
                case 8: world.chooseLook()
                case 9:
                    let some = (0..<Int.random(in: 1...9, using: &random)).map { _ in
                        Photo.ID(Int.random(in: 0..<count, using: &random))
                    }
                    // Also one that there was before, or none.
                    let looks: [PhotoLook?] = [nil, PhotoLook.none, .classic, world.nextLook]
                    let look = looks[Int.random(in: 0..<looks.count, using: &random)]
                    world.choose(look, for: some)
                case 10: world.send(.retryAllFailed)
                case 11:
                    world.send(.retry(Photo.ID(Int.random(in: 0..<count, using: &random))))
                default:
                    guard let run = world.runs.randomElement(using: &random) else { continue }
                    world.step(run, noticesCancellation: Bool.random(using: &random))
                }
            }
            if Int.random(in: 0..<5, using: &random) == 0 { rest(&world) }
        }
        rest(&world)
        #expect(world.violations.isEmpty, "seed \(seed): \(world.violations.prefix(3))")
        #expect(world.started.count > 100, "seed \(seed): the script tries too little")
    }

    private func rest(_ world: inout ListWorld) {
        world.send(.paused(false))
        world.send(.scrolling(false))
        world.settle()
        world.checkAtRest()
    }
}
