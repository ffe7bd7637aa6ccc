import OperationsTesting
import Testing

@testable import Pixels

struct ResizeTests {
    private func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

    @Test(arguments: [
        (Resize.fit(width: 600, height: 600), PixelSize(width: 4000, height: 3000), PixelSize(width: 600, height: 450)),
        (.fit(width: 600, height: 100), PixelSize(width: 4000, height: 3000), PixelSize(width: 133, height: 100)),
        (.fill(width: 600, height: 600), PixelSize(width: 4000, height: 3000), PixelSize(width: 800, height: 600)),
        (.fill(width: 600, height: 100), PixelSize(width: 4000, height: 3000), PixelSize(width: 600, height: 450)),
        (.crop(width: 600, height: 100), PixelSize(width: 4000, height: 3000), PixelSize(width: 600, height: 100)),
        (.exact(width: 600, height: 100), PixelSize(width: 4000, height: 3000), PixelSize(width: 600, height: 100)),
        // Smaller than the box.
        (.fit(width: 600, height: 600), PixelSize(width: 40, height: 30), PixelSize(width: 40, height: 30)),
        (.fill(width: 600, height: 600), PixelSize(width: 40, height: 30), PixelSize(width: 40, height: 30)),
        (.crop(width: 35, height: 600), PixelSize(width: 40, height: 30), PixelSize(width: 35, height: 30)),
        (.exact(width: 35, height: 600), PixelSize(width: 40, height: 30), PixelSize(width: 35, height: 30)),
        (
            .fit(width: 600, height: 600, enlarges: true), PixelSize(width: 40, height: 30),
            PixelSize(width: 600, height: 450)
        ),
        (
            .fill(width: 600, height: 600, enlarges: true), PixelSize(width: 40, height: 30),
            PixelSize(width: 800, height: 600)
        ),
        (
            .crop(width: 600, height: 50, enlarges: true), PixelSize(width: 40, height: 30),
            PixelSize(width: 600, height: 50)
        ),
        (
            .exact(width: 20, height: 600, enlarges: true), PixelSize(width: 40, height: 30),
            PixelSize(width: 20, height: 600)
        ),
        // Thin ones.
        (.fit(width: 100, height: 100), PixelSize(width: 1, height: 10_000), PixelSize(width: 1, height: 100)),
        (.fill(width: 100, height: 100), PixelSize(width: 1, height: 10_000), PixelSize(width: 1, height: 10_000)),
        (.crop(width: 100, height: 100), PixelSize(width: 1, height: 10_000), PixelSize(width: 1, height: 100)),
        (
            .crop(width: 100, height: 100, enlarges: true), PixelSize(width: 1, height: 10_000),
            PixelSize(width: 100, height: 100)
        ),
        (.fit(width: 1, height: 1), PixelSize(width: 1, height: 10_000), PixelSize(width: 1, height: 1)),
        (.crop(width: 1, height: 1), PixelSize(width: 4000, height: 3000), PixelSize(width: 1, height: 1)),
        (.crop(width: 5, height: 5), PixelSize(width: 0, height: 3), PixelSize(width: 0, height: 3)),
    ])
    func results(resize: Resize, of image: PixelSize, are expected: PixelSize) {
        #expect(resize.size(of: image) == expected)
    }

    @Test func whatHoldsForAllBoxesAndImages() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        for _ in 0..<20_000 {
            func side() -> Int { 1 + Int.random(in: 0..<(1 << Int.random(in: 1...14, using: &random)), using: &random) }
            let (image, box) = (size(side(), side()), size(side(), side()))
            let enlarges = Bool.random(using: &random)
            for mode in Resize.Mode.allCases {
                let resize = Resize(mode, width: box.width, height: box.height, enlarges: enlarges)
                let layout = resize.layout(of: image)
                let result = layout.size
                let about: Comment = "\(resize) of \(image), seed \(seed)"
                #expect(result.width >= 1 && result.height >= 1, about)
                #expect(layout.left >= 0 && layout.left + result.width <= layout.whole.width, about)
                #expect(layout.top >= 0 && layout.top + result.height <= layout.whole.height, about)
                #expect(enlarges || (result.width <= image.width && result.height <= image.height), about)
                let coversBox = image.width >= box.width && image.height >= box.height
                switch mode {
                case .fit: #expect(result.width <= max(box.width, 1) && result.height <= max(box.height, 1), about)
                case .fill where enlarges || coversBox:
                    #expect(result.width >= box.width && result.height >= box.height, about)
                    #expect(result.width == box.width || result.height == box.height, about)
                case .crop where enlarges || coversBox, .exact where enlarges || coversBox:
                    #expect(result == box, about)
                case .fill, .crop, .exact: break
                }
            }
            #expect(Resize.longestSide(box.width).size(of: image) == image.fitting(longestSide: box.width))
        }
    }

    @Test func sidesBeyondAllMeasureAreNoOverflow() {
        for side in [1, 65_535, Int.max / 2, Int.max] {
            for other in [1, 2, Int.max] {
                for mode in Resize.Mode.allCases {
                    for box in [(1, Int.max), (Int.max, 1), (Int.max, Int.max), (-5, 0)] {
                        let resize = Resize(mode, width: box.0, height: box.1, enlarges: true)
                        let layout = resize.layout(of: size(side, other))
                        #expect(layout.size.width >= 1 && layout.size.height >= 1)
                        #expect(layout.scratchBytes(from: size(side, other)) >= 0)
                        #expect(resize.scale(of: size(side, other)) > 0)
                    }
                }
            }
        }
    }

    @Test func lengthsOfFiltersGoWithTheImage() {
        let image = size(4000, 3000)
        #expect(Resize.longestSide(400).scale(of: image) == 0.1)
        #expect(Resize.fill(width: 300, height: 300).scale(of: image) == 0.1)
        #expect(Resize.crop(width: 300, height: 300).scale(of: image) == 0.1)
        #expect(Resize.exact(width: 400, height: 1200).scale(of: image) == 0.2)
        #expect(Resize.longestSide(8000).scale(of: image) == 1)
        #expect(Resize.fit(width: 8000, height: 8000, enlarges: true).scale(of: image) == 2)
    }

    @Test func whatMakesTheSameImageIsEqual() {
        #expect(Resize.longestSide(300) == .fit(width: 300, height: 300))
        #expect(Resize(.fit, width: 3, height: 4, gravity: .attention) == .fit(width: 3, height: 4))
        #expect(Resize.longestSide(300).longestSide == 300)
        #expect(Resize.fit(width: 300, height: 200).longestSide == nil)
        #expect(Resize.fit(width: 300, height: 300, enlarges: true).longestSide == nil)
        #expect(Resize.crop(width: 300, height: 300).longestSide == nil)
    }
}
