import Foundation
import ImageCodecs
import Pixels
import XCTest

/// Which bytes of strangers are read where.
final class IsolationTests: XCTestCase {
    /// Whether `body` has a helper do something. Those that live are ended before, so that any use starts one.
    private func usesHelper(_ body: () throws -> Void) rethrows -> Bool {
        for helper in HelperProcessTests.helpers() { kill(helper, SIGKILL) }
        let deadline = ContinuousClock.now + .seconds(60)
        while !HelperProcessTests.helpers().isEmpty, .now < deadline { usleep(2_000) }
        try body()
        return !HelperProcessTests.helpers().isEmpty
    }

    private func colour(_ file: Data, _ limits: DecodeLimits = DecodeLimits()) throws -> [Int] {
        TestImages.colour(try ImageDecoder.decode(file, longestSide: 8, limits: limits), 4, 4)
    }

    private func solid(_ colour: [UInt8]) throws -> Data {
        try ImageEncoder(format: .jpeg, quality: 100).encode(TestImages.solid(32, 32, colour + [255]))
    }

    /// 200, 80, 60 of sRGB, in Adobe RGB: 174, 80, 63.
    private static let sienna: [UInt8] = [200, 80, 60]
    private static let siennaInAdobe: [UInt8] = [174, 80, 63]

    func testAProfileOfKnownColoursIsAppliedInTheProgram() throws {
        let curve = (0..<1_024).flatMap { index -> [UInt8] in
            let value = Int(65_535 * pow(Double(index) / 1_023, 563.0 / 256))
            return [UInt8(value >> 8), UInt8(value & 255)]
        }
        let table = Array("curv".utf8) + TestProfiles.number(0) + TestProfiles.number(1_024) + curve
        let parametric = Array("para".utf8) + TestProfiles.number(0) + [0, 0, 0, 0] + TestProfiles.number(144_128)
        for curve in [TestProfiles.adobeCurve, table, parametric] {
            let profile = TestProfiles.profile(
                TestProfiles.primaries(TestProfiles.adobePrimaries) + TestProfiles.curves(curve))
            let file = TestProfiles.jpeg(try solid(Self.siennaInAdobe), with: profile)
            var seen: [Int] = []
            XCTAssertFalse(try usesHelper { seen = try colour(file) })
            XCTAssertTrue(zip(seen, Self.sienna).allSatisfy { abs($0 - Int($1)) <= 3 }, "\(seen)")
            // What the library of profiles makes of the file's own bytes, in another kind of file.
            XCTAssertTrue(zip(seen, try colour(tiff(with: profile))).allSatisfy { abs($0 - $1) <= 3 })
        }
    }

    private func tiff(with profile: [UInt8]) throws -> Data {
        try TestVipsImage(TestImages.solid(32, 32, Self.siennaInAdobe + [255]), bands: 3)
            .with(profile: profile).file("tiffsave_buffer")
    }

    func testDisplayP3AndSRGBAreKnown() throws {
        for name in ["srgb", "p3"] {
            let file = try TestVipsImage(TestImages.solid(32, 32, Self.sienna + [255]), bands: 3).with(
                "icc_transform", ["output-profile": name, "input-profile": "srgb", "intent": "relative"]
            ).file("jpegsave_buffer", ["Q": "100"])
            var seen: [Int] = []
            XCTAssertFalse(try usesHelper { seen = try colour(file) }, name)
            XCTAssertTrue(zip(seen, Self.sienna).allSatisfy { abs($0 - Int($1)) <= 4 }, "\(name): \(seen)")
        }
    }

    /// Whatever is not one of the known ones to the last number is for a helper, which takes or refuses it.
    func testAnyOtherProfileIsForAHelper() throws {
        try XCTSkipIf(ProcessStatus.isSanitized, "helpers with a sanitizer start slowly")
        let primaries = TestProfiles.primaries(TestProfiles.adobePrimaries)
        let curves = TestProfiles.curves(TestProfiles.adobeCurve)
        func curve(_ bytes: [UInt8]) -> [UInt8] { TestProfiles.profile(primaries + TestProfiles.curves(bytes)) }
        var shifted = TestProfiles.adobePrimaries
        shifted[1][0] += 3_000
        // Off by less in light than a level of the middle, but by several levels where it is dark.
        let dark = (0...255).map { Int((pow(Double($0) / 255, 563.0 / 256) + ($0 < 40 ? 0.0015 : 0)) * 65_535) }
        let brightened =
            Array("curv".utf8) + TestProfiles.number(0) + TestProfiles.number(256)
            + dark.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        var cyclic = TestProfiles.adobe
        // Every tag's body lies in the table itself.
        for tag in 0..<6 { cyclic.replaceSubrange(136 + 12 * tag..<140 + 12 * tag, with: TestProfiles.number(128)) }
        let hostile: [(String, [UInt8])] = [
            ("other primaries", TestProfiles.profile(TestProfiles.primaries(shifted) + curves)),
            ("a table beside the known numbers", TestProfiles.profile(primaries + curves + [("A2B0", [7, 7, 7, 7])])),
            ("a table for one intent", TestProfiles.profile(primaries + curves + [("A2B1", [])])),
            ("another curve", curve(Array("curv".utf8) + TestProfiles.number(0) + TestProfiles.number(1) + [1, 0])),
            ("a curve that is brighter in the shadows", curve(brightened)),
            ("a curve without end", curve(Array("curv".utf8) + TestProfiles.number(0) + TestProfiles.number(-1) + [1])),
            ("a curve of no kind", curve(Array("para".utf8) + TestProfiles.number(0) + [0, 9, 0, 0])),
            ("no curve", TestProfiles.profile(primaries)),
            ("grey", TestProfiles.profile([("kTRC", TestProfiles.adobeCurve)], space: "GRAY")),
            ("bodies in the table", cyclic),
            ("cut off", Array(TestProfiles.adobe.prefix(200))),
            ("no profile at all", [UInt8](repeating: 0xA5, count: 300)),
            (
                "four billion tags",
                TestProfiles.profile([("zzzz", [])]) { $0.replaceSubrange(128..<132, with: [255, 255, 255, 255]) }
            ),
            (
                "bodies beyond the end",
                TestProfiles.profile(primaries + curves) { profile in
                    for tag in 0..<6 {
                        profile.replaceSubrange(
                            136 + 12 * tag..<144 + 12 * tag, with: [UInt8](repeating: 255, count: 8))
                    }
                }
            ),
            ("three megabytes", TestProfiles.adobe.prefix(131) + [UInt8](repeating: 0x41, count: 3 << 20)),
        ]
        for (name, profile) in hostile {
            let file = TestProfiles.jpeg(try solid(Self.siennaInAdobe), with: profile)
            var seen: [Int]?
            XCTAssertTrue(usesHelper { seen = try? colour(file) }, name)
            // Some are sound, the others are ignored: the picture is there.
            XCTAssertNotNil(seen, name)
        }
    }

    func testAJPEGInInksIsForAHelper() throws {
        let inks = try TestVipsImage(TestImages.solid(32, 32, Self.sienna + [255]), bands: 3).with(
            "icc_transform", ["output-profile": "cmyk", "input-profile": "srgb", "intent": "relative"])
        for strip in ["false", "true"] {
            let file = try inks.file("jpegsave_buffer", ["Q": "100", "strip": strip])
            var seen: [Int] = []
            XCTAssertTrue(try usesHelper { seen = try colour(file) }, "stripped: \(strip)")
            XCTAssertTrue(zip(seen, Self.sienna).allSatisfy { abs($0 - Int($1)) <= 40 }, "\(seen)")
        }
    }

    /// Passes are drawn in the program; a file that is for a helper has none.
    func testOnlyAPlainJPEGHasPasses() throws {
        let plain = try TestVipsImage(TestImages.gradient(160, 120), bands: 3)
            .file("jpegsave_buffer", ["interlace": "true"])
        let unknown = TestProfiles.jpeg(plain, with: [UInt8](repeating: 0xA5, count: 300))
        for (file, limits, hasPass) in [
            (plain, DecodeLimits(), true), (TestProfiles.jpeg(plain, with: TestProfiles.adobe), DecodeLimits(), true),
            (unknown, DecodeLimits(), false), (unknown, DecodeLimits(isolation: .nothing), true),
            (plain, DecodeLimits(isolation: .everything), false),
        ] {
            let decoder = ProgressiveDecoder(longestSide: 80, limits: limits)
            XCTAssertEqual(decoder.append(file), hasPass)
            XCTAssertEqual(try decoder.nextPass() != nil, hasPass)
        }
    }

    func testWithEverythingIsolatedNoJPEGIsOpenedInTheProgram() throws {
        let limits = DecodeLimits(isolation: .everything)
        for options in [[:], ["interlace": "true"]] {
            let file = try TestVipsImage(TestImages.gradient(160, 120), bands: 3).file("jpegsave_buffer", options)
            var there: DecodedImage?
            XCTAssertTrue(
                try usesHelper { there = try ImageDecoder.decodeWithInfo(file, longestSide: 50, limits: limits) })
            let here = try ImageDecoder.decodeWithInfo(file, longestSide: 50)
            XCTAssertEqual(there?.pixels, here.pixels)
            XCTAssertEqual(there?.info, here.info)
            XCTAssertTrue(try usesHelper { XCTAssertEqual(try ImageDecoder.probe(file, limits: limits), here.info) })
        }
        let turned = try TestImages.jpeg(TestImages.gradient(96, 64), orientation: 6)
        XCTAssertEqual(
            try ImageDecoder.decode(turned, longestSide: nil, limits: limits),
            try ImageDecoder.decode(turned, longestSide: nil))
        let broken = turned.prefix(turned.count / 2)
        XCTAssertThrowsError(try ImageDecoder.decode(broken, longestSide: nil, limits: limits)) { error in
            guard case ImageCodecError.damaged? = error as? ImageCodecError else { return XCTFail("\(error)") }
        }
    }

    /// The header comes with the pixels, for every kind.
    func testWhatTheHeaderSaysComesWithThePixels() throws {
        for format in ImageFormat.allCases {
            let file = try FormatTests.file(format)
            for isolation in DecodeIsolation.allCases where isolation != .nothing || !ProcessStatus.isSanitized {
                let limits = DecodeLimits(isolation: isolation)
                let info = try ImageDecoder.probe(file, limits: limits)
                let image = try ImageDecoder.decodeWithInfo(file, longestSide: 16, limits: limits)
                XCTAssertEqual(image.info, info, "\(format)")
                XCTAssertEqual(image.pixels.size, info.size.fitting(longestSide: 16), "\(format)")
            }
        }
    }
}
