import PhotoPipeline
import Testing

@testable import PhotoBrowser

/// Thousands of random scrolls, pauses, retries and changes of filter, with stages that run in random order.
@Suite struct ScriptedScrollTests {
    @Test(arguments: 1...40) func holdsItsPromises(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let count = 200
        let limit = Int.random(in: 500...6_000, using: &random)
        var world = ListWorld(cacheLimit: limit)
        world.failing = Set((0..<count).filter { $0 % 7 == 3 }.map { Photo.ID($0) })
        var top = 0
        for _ in 0..<150 {
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                switch Int.random(in: 0..<20, using: &random) {
                case 0..<6:
                    let far = Int.random(in: 0..<4, using: &random) == 0
                    top = far ? Int.random(in: 0..<count, using: &random) : top + Int.random(in: -4...6, using: &random)
                    top = min(max(0, top), count - 1)
                    let height = Int.random(in: 0...12, using: &random)
                    world.send(.visible((top..<min(count, top + height)).map { Photo.ID($0) }))
                case 6: world.send(.scrolling(Bool.random(using: &random)))
                case 7: world.send(.paused(Int.random(in: 0..<3, using: &random) == 0))
                case 8: world.send(.filterChanged)
                case 9: world.send(.retryAllFailed)
                case 10:
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

/// The numbers of SplitMix64 (Steele, Lea and Flood, 2014), the same for the same seed.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
