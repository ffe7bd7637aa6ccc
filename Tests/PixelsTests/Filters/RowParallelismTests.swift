import Dispatch
import OperationsTesting
import Synchronization
import Testing

@testable import Pixels

struct RowParallelismTests {
    private static let threads = RowParallelism(width: 4) {
        DispatchQueue.concurrentPerform(iterations: $0, execute: $1)
    }

    /// One row or column more than whole parts have.
    private static let image = {
        var generator = SeededRandom(seed: 5)
        let small = PixelBuffer.random(width: 97, height: 89, isOpaque: false, using: &generator)
        var large = PixelBuffer(size: PixelSize(width: 1_601, height: 1_303))
        for y in stride(from: 0, to: large.size.height, by: small.size.height) {
            for x in stride(from: 0, to: large.size.width, by: small.size.width) { large.draw(small, at: (x, y)) }
        }
        return large
    }()

    private static let opaqueImage = {
        PixelBuffer(uninitialized: image.size, isOpaque: true) { bytes in
            for index in bytes.indices { bytes[index] = index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: index / 7) }
        }
    }()

    @Test(arguments: [
        "sepia()", "sepia-tone(0.8)", "contrast(1.2) saturate(1.3) opacity(.5)", "blur(1px)", "blur(3px)",
        "drop-shadow(4px -3px 2px red)", "drop-shadow(-40px 30px red)", "look(earlybird)",
        "blur(2px) look(xpro2) blur(1px)",
    ])
    func theResultIsTheSame(text: String) throws {
        let chain = try FilterChain(parsing: text)
        var alone = Self.image
        var together = Self.image
        #expect(chain.apply(to: &alone))
        #expect(chain.apply(to: &together, parallelism: Self.threads))
        #expect(alone == together)
        #expect(alone.isOpaque == together.isOpaque)
    }

    /// What shows in part is mixed with the picture as it was, of which some pixels are transparent, or none.
    @Test(arguments: ["sepia()", "opacity(.5)"], [true, false])
    func soItIsOfAPart(text: String, isOpaque: Bool) throws {
        let chain = try FilterChain(parsing: text)
        let image = isOpaque ? Self.opaqueImage : Self.image
        let alone = try #require(chain.applied(to: image, intensity: 0.3))
        let together = try #require(chain.applied(to: image, intensity: 0.3, parallelism: Self.threads))
        #expect(alone == together)
        #expect(alone != image)
        #expect(alone.isOpaque == together.isOpaque)
    }

    @Test func onlyLargeImagesAreSharedOut() {
        let shared = Rounds()
        var small = PixelBuffer(size: PixelSize(width: 1_000, height: 1_000))
        FilterChain.classic.apply(to: &small, parallelism: shared.parallelism)
        #expect(shared.count == 0)
        var large = Self.image
        FilterChain.classic.apply(to: &large, parallelism: shared.parallelism)
        #expect(shared.count == 1)
    }

    /// A shadow is a pass for the silhouette and one that lays it under the picture.
    @Test func soAreShadowsAndWhatIsMixed() throws {
        let shadow = Rounds()
        var image = Self.image
        try FilterChain(parsing: "drop-shadow(4px 3px red)").apply(to: &image, parallelism: shadow.parallelism)
        #expect(shadow.count == 2)
        let mixed = Rounds()
        _ = FilterChain.classic.applied(to: Self.image, intensity: 0.5, parallelism: mixed.parallelism)
        #expect(mixed.count == 2)
    }

    @Test(arguments: [(1, 1), (7, 3_000_000), (5_000, 700), (3, 0)], [1, 2, 5, .max])
    func everyRowIsWorkedOnOnce(shape: (count: Int, pixels: Int), width: Int) {
        let done = (0..<shape.count).map { _ in Count() }
        let parallelism = RowParallelism(width: width) { count, part in for number in 0..<count { part(number) } }
        var meter = WorkMeter(isCancelled: { false })
        #expect(
            parallelism.forEachPart(of: shape.count, pixels: shape.pixels, meter: &meter) { rows in
                for row in rows { done[row].value.add(1, ordering: .relaxed) }
            })
        #expect(done.allSatisfy { $0.value.load(ordering: .relaxed) == 1 })
    }

    @Test func aCancelledRunStops() {
        let asked = Atomic(0)
        var image = PixelBuffer(size: PixelSize(width: 2_000, height: 4_000))
        let isComplete = FilterChain.classic.apply(to: &image, parallelism: Self.threads) {
            asked.add(1, ordering: .relaxed).newValue > 1
        }
        #expect(!isComplete)
        #expect(asked.load(ordering: .relaxed) == 2)
    }
}

/// Counts how often parts of a picture are given to three threads.
private final class Rounds: Sendable {
    private let rounds = Atomic(0)

    var count: Int { rounds.load(ordering: .relaxed) }

    var parallelism: RowParallelism {
        RowParallelism(width: 3) { [self] count, part in
            rounds.add(1, ordering: .relaxed)
            for number in (0..<count).reversed() { part(number) }
        }
    }
}

private final class Count: Sendable {
    let value = Atomic(0)
}
