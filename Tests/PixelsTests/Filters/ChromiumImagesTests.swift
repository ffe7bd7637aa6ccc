import Testing

@testable import Pixels

/// Blurs, shadows, blend modes and looks as Chromium itself painted them, recorded by `Scripts/chromium-oracle`.
@Suite struct ChromiumImagesTests {
    private let recorded: [RecordedImage]

    init() throws {
        recorded = try RecordedImage.all()
    }

    private func source(_ name: String) throws -> PixelBuffer {
        try #require(recorded.first { $0.kind == "source" && $0.name == name }).image
    }

    @Test func blursAndShadows() throws {
        var count = 0
        for kind in ["opaque", "alpha"] {
            for expected in recorded where expected.kind == kind {
                let chain = try FilterChain(parsing: expected.name)
                var image = try source(kind)
                if case .blur(let deviation)? = chain.functions.first, deviation < 2 {
                    // Drawn without a graphics processor, Chromium has boxes of whole pixels here, far from its own
                    // Gaussian with one; ours is the Gaussian.
                    let exact = image.gaussianBlurred(deviation: deviation)
                    chain.apply(to: &image)
                    let difference = ImageDifference(image, exact)
                    #expect(difference.mean <= 0.6 && difference.greatest <= 2, "\(expected.name): \(difference)")
                } else {
                    chain.apply(to: &image)
                    let difference = ImageDifference(image, expected.image)
                    #expect(difference.mean <= 0.6 && difference.greatest <= 2, "\(expected.name): \(difference)")
                }
                count += 1
            }
        }
        #expect(count == 16)
    }

    @Test func blendModes() throws {
        let modes: [String: LookLayer.BlendMode] = [
            "multiply": .multiply, "screen": .screen, "overlay": .overlay, "darken": .darken, "lighten": .lighten,
            "soft-light": .softLight, "color-dodge": .colorDodge, "color-burn": .colorBurn, "exclusion": .exclusion,
            "hue": .hue, "color": .color,
        ]
        #expect(modes.count == LookLayer.BlendMode.allCases.count)
        for (name, mode) in modes {
            let expected = try #require(recorded.first { $0.kind == "mode" && $0.name == name })
            let left = FilterColor(rgb: 0xE6143C, alpha: 0.9)
            let right = FilterColor(rgb: 0x0AC878, alpha: 0.5)
            let layer = LookLayer(.toRight([.init(0, left), .init(1, right)]), mode, opacity: 0.8)
            var image = try source("small")
            var meter = WorkMeter { false }
            #expect(FilterPlan(stages: [.layers([layer])]).run(on: &image, meter: &meter))
            let difference = ImageDifference(image, expected.image)
            // A burn divides by the layer's colour, which magnifies the steps of 8 bits.
            #expect(difference.mean <= 1 && difference.greatest <= 6, "\(name): \(difference)")
        }
    }

    @Test(arguments: Look.allCases)
    func looks(look: Look) throws {
        let expected = try #require(recorded.first { $0.kind == "look" && $0.name == look.rawValue })
        var image = try source("small")
        try FilterChain(parsing: "look(\(look.rawValue))").apply(to: &image)
        let difference = ImageDifference(image, expected.image)
        #expect(difference.mean <= 1 && difference.greatest <= 5, "\(look.rawValue): \(difference)")
    }
}
