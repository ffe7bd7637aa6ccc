import Foundation
import ImageCodecs
import Pixels
import Testing

/// TIFF files with samples that decoders easily take for something else: right colours, or the reason why not.
struct TIFFSampleTests {
    private func colour(_ file: Data) throws -> [Int] {
        TestImages.colour(try ImageDecoder.decode(file, longestSide: nil), 5, 5)
    }

    private func isNear(_ file: Data, _ expected: [Int], by tolerance: Int = 1) throws {
        let colour = try colour(file)
        #expect(zip(colour, expected).allSatisfy { abs($0 - $1) <= tolerance }, "\(colour) for \(expected)")
    }

    /// Comments, tables, and the header of a frame without loss.
    private static let losslessJPEG: [UInt8] =
        [
            0xFF, 0xD8, 0xFF, 0xFE, 0, 4, 0x41, 0x42, 0xFF, 0xC4, 0, 3, 1, 0xFF, 0xC3, 0, 11, 8, 0, 16, 0, 16, 1, 1,
            0x11, 0,
        ]

    private func wide(_ values: [Int]) -> [UInt8] { values.flatMap { TIFFFile.number($0 * 16_843_009, 4) } }

    @Test func numbersOf32BitsAreScaled() throws {
        try isNear(TIFFFile.file(wide([200, 80, 60]), samples: 3, bits: 32), [200, 80, 60, 255])
        try isNear(TIFFFile.file(wide([128]), samples: 1, bits: 32), [128, 128, 128, 255])
        let transparent = TIFFFile.file(wide([200, 80, 60, 100]), samples: 4, bits: 32, tags: [338: [2]])
        try isNear(transparent, [200, 80, 60, 100])
    }

    /// A half of the light is 188 in sRGB.
    @Test func fractionsAreLinearLight() throws {
        let fractions = [339: [3]]
        let half = TIFFFile.fraction(0.5)
        try isNear(TIFFFile.file(half, samples: 1, bits: 32, tags: fractions), [188, 188, 188, 255])
        try isNear(
            TIFFFile.file(half + half, samples: 2, bits: 32, tags: fractions.merging([338: [2]]) { $1 }),
            [188, 188, 188, 128])
        let colours = half + TIFFFile.fraction(1) + TIFFFile.fraction(0)
        try isNear(TIFFFile.file(colours, samples: 3, bits: 32, tags: fractions), [188, 255, 0, 255])
    }

    @Test func labIsConverted() throws {
        // For a white of D50.
        let lab = TIFFFile.file([128, 47, 36], samples: 3, bits: 8, tags: [262: [8]])
        try isNear(lab, [198, 80, 61, 255], by: 2)
        try isNear(TIFFFile.file([61, 0, 0], samples: 3, bits: 8, tags: [262: [8]]), [57, 57, 57, 255])
    }

    @Test func fractionsWithAProfileAreWhatThatSays() throws {
        let fractions = [339: [3]]
        let file = TIFFFile.file(
            [200, 80, 60].flatMap { TIFFFile.fraction(Float($0) / 255) }, samples: 3, bits: 32, tags: fractions,
            profile: TestProfiles.adobe)
        let same = TIFFFile.file([200, 80, 60], samples: 3, bits: 8, profile: TestProfiles.adobe)
        try isNear(file, try colour(same))
        let usual = TIFFFile.file(
            [200, 80, 60].flatMap { TIFFFile.fraction(Float($0) / 255) }, samples: 3, bits: 32, tags: fractions,
            profile: TestProfiles.sRGB)
        try isNear(usual, [200, 80, 60, 255])
    }

    @Test func inksWithoutAProfileAreThoseOfAPress() throws {
        let colours: [([UInt8], [Int])] = [
            ([0, 0, 0, 0], [255, 255, 255, 255]), ([255, 255, 255, 255], [0, 0, 0, 255]),
            ([0, 0, 0, 255], [33, 28, 30, 255]),
            ([255, 0, 0, 0], [0, 174, 235, 255]), ([0, 255, 0, 0], [235, 2, 139, 255]),
            ([0, 0, 255, 0], [255, 241, 12, 255]),
            ([255, 255, 0, 0], [46, 48, 146, 255]),
        ]
        for (inks, colour) in colours {
            try isNear(TIFFFile.file(inks, samples: 4, bits: 8, tags: [262: [5]]), colour, by: 12)
            let deep = inks.flatMap { [$0, $0] }
            try isNear(TIFFFile.file(deep, samples: 4, bits: 16, tags: [262: [5]]), colour, by: 12)
            // A profile of something else says nothing of inks.
            try isNear(
                TIFFFile.file(inks, samples: 4, bits: 8, tags: [262: [5]], profile: TestProfiles.adobe), colour, by: 12)
        }
    }

    /// The same colours as without transparency.
    @Test func soAreInksWithTransparency() throws {
        for inks in [[255, 0, 0, 0], [0, 200, 30, 0], [10, 20, 30, 100]] as [[UInt8]] {
            let expected = try Array(colour(TIFFFile.file(inks, samples: 4, bits: 8, tags: [262: [5]]))[..<3])
            for alpha in [255, 128] as [UInt8] {
                let pixel = inks + [alpha]
                let tags = [262: [5], 338: [2]]
                try isNear(TIFFFile.file(pixel, samples: 5, bits: 8, tags: tags), expected + [Int(alpha)])
                try isNear(
                    TIFFFile.file(pixel.flatMap { [$0, $0] }, samples: 5, bits: 16, tags: tags), expected + [Int(alpha)]
                )
                try isNear(
                    TIFFFile.file(pixel, samples: 5, bits: 8, tags: tags, profile: TestProfiles.adobe),
                    expected + [Int(alpha)])
                // A mask behind it is none.
                let masked = [262: [5], 338: [2, 0]]
                try isNear(TIFFFile.file(pixel + [9], samples: 6, bits: 8, tags: masked), expected + [Int(alpha)])
            }
        }
    }

    /// Photoshop writes masks behind the transparency.
    @Test func transparencyCountsAlsoWhereMoreStandsBehindIt() throws {
        try isNear(
            TIFFFile.file([200, 80, 60, 100, 7], samples: 5, bits: 8, tags: [338: [2, 0]]), [200, 80, 60, 100])
        try isNear(
            TIFFFile.file([100, 40, 30, 128, 7], samples: 5, bits: 8, tags: [338: [1, 0]]), [199, 80, 60, 128])
    }

    /// Lab says by itself which colours it means.
    @Test func aProfileDoesNotChangeLab() throws {
        let eight = TIFFFile.file([128, 47, 36], samples: 3, bits: 8, tags: [262: [8]], profile: TestProfiles.adobe)
        try isNear(eight, [198, 80, 61, 255], by: 2)
        let sixteen = TIFFFile.file(
            [0, 128, 0, 47, 0, 36], samples: 3, bits: 16, tags: [262: [8]], profile: TestProfiles.adobe)
        try isNear(sixteen, [198, 80, 61, 255], by: 2)
    }

    /// A mask or an ink is not how transparent a pixel is.
    @Test func whatNobodyKnowsIsNoTransparency() throws {
        try isNear(
            TIFFFile.file([200, 80, 60, 7], samples: 4, bits: 8, tags: [338: [0]]), [200, 80, 60, 255])
        try isNear(TIFFFile.file([200, 80, 60, 7], samples: 4, bits: 8, tags: [338: [2]]), [200, 80, 60, 7])
        try isNear(TIFFFile.file([90, 7], samples: 2, bits: 8, tags: [338: [0]]), [90, 90, 90, 255])
    }

    @Test func coloursThatAreMultipliedByTransparencyAreDivided() throws {
        try isNear(TIFFFile.file([100, 40, 30, 128], samples: 4, bits: 8, tags: [338: [1]]), [199, 80, 60, 128])
        try isNear(TIFFFile.file([64, 128], samples: 2, bits: 8, tags: [338: [1]]), [128, 128, 128, 128])
        let wide = [100, 40, 30, 128].flatMap { TIFFFile.number($0 * 257, 2) }
        try isNear(TIFFFile.file(wide, samples: 4, bits: 16, tags: [338: [1]]), [199, 80, 60, 128])
    }

    @Test(arguments: [
        ("signed", TIFFFile.file([100, 40, 30], samples: 3, bits: 8, tags: [339: [2, 2, 2]])),
        ("signed", TIFFFile.file([0, 100], samples: 1, bits: 16, tags: [339: [2]])),
        ("64", TIFFFile.file(Array(repeating: 1, count: 8), samples: 1, bits: 64, tags: [339: [3]])),
        ("16", TIFFFile.file([0, 60], samples: 1, bits: 16, tags: [339: [3]])),
        ("64", TIFFFile.file(Array(repeating: 1, count: 8), samples: 1, bits: 64)),
        ("complex", TIFFFile.file(Array(repeating: 1, count: 8), samples: 1, bits: 64, tags: [339: [6]])),
        ("YCbCr", TIFFFile.file([114, 98, 190], samples: 3, bits: 8, tags: [262: [6], 530: [1, 1]])),
        ("Lab", TIFFFile.file([128, 47, 36, 9], samples: 4, bits: 8, tags: [262: [8], 338: [2]])),
        ("CMYK", TIFFFile.file(Array(repeating: 255, count: 16), samples: 4, bits: 32, tags: [262: [5]])),
        (
            "CMYK",
            TIFFFile.file(
                (0..<4).flatMap { _ in TIFFFile.fraction(1) }, samples: 4, bits: 32,
                tags: [262: [5], 339: [3, 3, 3, 3]])
        ),
        ("Lab", TIFFFile.file(Array(repeating: 100, count: 12), samples: 3, bits: 32, tags: [262: [8]])),
        ("ICCLab", TIFFFile.file([128, 175, 164], samples: 3, bits: 8, tags: [262: [9]])),
        ("ITULab", TIFFFile.file([128, 175, 164], samples: 3, bits: 8, tags: [262: [10]])),
        (
            "multiplied",
            TIFFFile.file(
                (0..<4).flatMap { _ in TIFFFile.fraction(0.5) }, samples: 4, bits: 32, tags: [338: [1], 339: [3]])
        ),
        ("multiplied", TIFFFile.file(Array(repeating: 99, count: 16), samples: 4, bits: 32, tags: [338: [1]])),
        ("12", TIFFFile.file([1, 2], samples: 1, bits: 12)),
        ("4 samples of 4", TIFFFile.file([1, 2], samples: 4, bits: 4, tags: [338: [2]])),
        ("old", TIFFFile.file([1], samples: 1, bits: 8, tags: [259: [6]])),
        ("lossless", TIFFFile.file(losslessJPEG, samples: 1, bits: 8, tags: [259: [7]])),
        // libvips mixes their rows up.
        (
            "grey and transparency",
            TIFFFile.file(
                [1, 255], samples: 2, bits: 8, tags: [284: [2], 338: [2], 273: [8, 264], 279: [256, 256]])
        ),
        ("raw", TIFFFile.file([1], samples: 1, bits: 8, tags: [262: [32_803]])),
        ("compression of the kind 50013", TIFFFile.file([1], samples: 1, bits: 8, tags: [259: [50_013]])),
        // A tag of no meaning stands where the colours are said.
        ("does not say", TIFFFile.file([1], samples: 1, bits: 8, tags: [262: [], 263: [1]])),
        (
            "tiles",
            TIFFFile.file(
                [1, 2, 3], samples: 3, bits: 8,
                tags: [284: [2], 322: [16], 323: [16], 324: [8, 264, 520], 325: [256, 256, 256]])
        ),
    ])
    func whatWouldBeWrongIsUnsupported(word: String, file: Data) {
        #expect {
            try ImageDecoder.decode(file, longestSide: nil)
        } throws: { error in
            guard case .unsupportedFormat(let kind)? = error as? ImageCodecError else { return false }
            return kind.contains(word)
        }
    }

    @Test func theFilesOfTheseTestsAreSound() throws {
        try isNear(TIFFFile.file([200, 80, 60], samples: 3, bits: 8), [200, 80, 60, 255])
        try isNear(TIFFFile.file([0, 128], samples: 1, bits: 16), [128, 128, 128, 255])
    }
}
