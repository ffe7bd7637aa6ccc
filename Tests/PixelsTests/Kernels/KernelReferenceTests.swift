import OperationsTesting
import Pixels
import Testing

/// The kernels against the formulae in double precision.
@Suite struct KernelReferenceTests {
    /// Single precision and the curves' fits come to a hundredth of a level and less for a function; contrast and
    /// saturation up to 3 multiply that in a chain, so that what is near a half may round either way.
    @Test func randomChainsAreWithinOneLevel() {
        let seed: UInt64 = 31
        var generator = SeededRandom(seed: seed)
        for _ in 0..<300 {
            let chain = FilterChain.random(using: &generator)
            let image = PixelBuffer.random(width: 9, height: 4, using: &generator)
            var result = image
            chain.apply(to: &result)
            for (before, after) in zip(image.pixels, result.pixels) {
                let exact = Reference.apply(chain.functions, to: before)
                let difference = zip(after, exact).map { abs(Double($0) - $1) }.max() ?? 0
                #expect(difference <= 1, "seed \(seed), \(chain) of \(before): \(after), exactly \(exact)")
            }
        }
    }

    /// A single matrix rounds to the nearest level of the exact result.
    @Test func singleMatricesAreNearest() {
        let seed: UInt64 = 32
        var generator = SeededRandom(seed: seed)
        for _ in 0..<300 {
            let function = FilterFunction.random(using: &generator)
            if case .sepiaTone = function { continue }
            let image = PixelBuffer.random(width: 8, height: 4, using: &generator)
            var result = image
            FilterChain([function]).apply(to: &result)
            for (before, after) in zip(image.pixels, result.pixels) {
                let exact = Reference.apply([function], to: before)
                let difference = zip(after, exact).map { abs(Double($0) - $1) }.max() ?? 0
                #expect(difference <= 0.501, "seed \(seed), \(function) of \(before): \(after), exactly \(exact)")
            }
        }
    }

    /// The tone by table is a tenth of a level from the formula before rounding, in the shadows too.
    @Test func toneByTableIsNearest() {
        let seed: UInt64 = 33
        var generator = SeededRandom(seed: seed)
        for amount in [0.1, 0.5, 0.8, 1] {
            let bright = PixelBuffer.random(width: 50, height: 20, isOpaque: true, using: &generator)
            let dark = PixelBuffer(width: 50, pixels: bright.pixels.map { [$0[0] >> 3, $0[1] >> 3, $0[2] >> 3, 255] })
            for image in [bright, dark] {
                var result = image
                FilterChain([.sepiaTone(amount)]).apply(to: &result)
                for (before, after) in zip(image.pixels, result.pixels) {
                    let exact = Reference.apply([.sepiaTone(amount)], to: before)
                    let difference = zip(after, exact).map { abs(Double($0) - $1) }.max() ?? 0
                    #expect(difference <= 0.6, "seed \(seed), \(amount) of \(before): \(after), exactly \(exact)")
                }
            }
        }
    }

    /// In a longer chain the tone is computed, not looked up: before rounding both are nearly the same.
    @Test func toneWithinAChainIsNearest() throws {
        let seed: UInt64 = 34
        var generator = SeededRandom(seed: seed)
        let chain = try FilterChain(parsing: "sepia-tone(.8) opacity(.5)")
        let image = PixelBuffer.random(width: 50, height: 40, isOpaque: true, using: &generator)
        var result = image
        chain.apply(to: &result)
        for (before, after) in zip(image.pixels, result.pixels) {
            let exact = Reference.apply(chain.functions, to: before)
            let difference = zip(after, exact).map { abs(Double($0) - $1) }.max() ?? 0
            #expect(difference <= 0.6, "seed \(seed), \(before): \(after), exactly \(exact)")
        }
    }
}
