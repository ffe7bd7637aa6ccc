import CVips
import Foundation
import ImageCodecs
import Pixels
import Testing

struct ColourTests {
    /// sRGB 200, 80, 60 in Display P3 is about 187, 90, 69; read as sRGB it would come out dull.
    @Test(arguments: ["jpegsave_buffer", "pngsave_buffer", "tiffsave_buffer", "webpsave_buffer", "heifsave_buffer"])
    func anEmbeddedProfileIsApplied(saver: String) throws {
        let source = TestImages.solid(64, 64, [200, 80, 60, 255])
        let wide = try TestVipsImage(source, bands: 3).with(
            "icc_transform", ["output-profile": "p3", "input-profile": "srgb", "intent": "relative"])
        let file = try wide.file(saver, saver.hasPrefix("png") || saver.hasPrefix("tiff") ? [:] : ["Q": "100"])
        for side in [nil, 16] as [Int?] {
            let colour = TestImages.colour(try ImageDecoder.decode(file, longestSide: side), 5, 5)
            #expect(zip(colour, [200, 80, 60, 255]).allSatisfy { abs($0 - $1) <= 4 }, "\(saver): \(colour)")
        }
    }

    @Test func deepImagesWithAProfileAreConverted() throws {
        let wide = try TestVipsImage(TestImages.solid(16, 16, [200, 80, 60, 255]), bands: 3).with(
            "icc_transform", ["output-profile": "p3", "input-profile": "srgb", "intent": "relative", "depth": "16"])
        let decoded = try ImageDecoder.decode(wide.file("pngsave_buffer"), longestSide: 8)
        let colour = TestImages.colour(decoded, 4, 4)
        #expect(zip(colour, [200, 80, 60, 255]).allSatisfy { abs($0 - $1) <= 2 }, "\(colour)")
    }

    /// Half transparent stays half transparent, whatever the depth of the file. Of AVIF libheif writes no such file.
    @Test(arguments: [
        ("pngsave_buffer", [:]), ("tiffsave_buffer", [:]), ("jxlsave_buffer", ["lossless": "true"]),
        ("heifsave_buffer", ["bitdepth": "10", "compression": "hevc", "Q": "95"]),
    ])
    func transparencyOfDeepImagesIsNotConverted(saver: String, options: [String: String]) throws {
        for alpha in [0, 64, 128, 255] as [UInt8] {
            let source = TestImages.solid(64, 64, [200, 80, 60, alpha])
            let wide = try TestVipsImage(source).with(
                "icc_transform", ["output-profile": "p3", "input-profile": "srgb", "intent": "relative"]
            ).with("colourspace", ["space": "rgb16"])
            for side in [nil, 16] as [Int?] {
                let decoded = try ImageDecoder.decode(wide.file(saver, options), longestSide: side)
                let colour = TestImages.colour(decoded, 5, 5)
                #expect(abs(colour[3] - Int(alpha)) <= 1, "\(saver) \(options): \(colour)")
                guard alpha > 0 else { continue }
                #expect(zip(colour, [200, 80, 60]).allSatisfy { abs($0 - $1) <= 5 }, "\(saver): \(colour)")
            }
        }
    }

    /// In pictures of fractions, opaque is 1, and these are linear light.
    @Test func fractionsOfJPEGXLAreRead() throws {
        var numbers: [Float] = []
        for _ in 0..<256 { numbers += [0.2, 0.5, 0.7, 0.5] }
        let fractions = try TestVipsImage(
            numbers.withUnsafeBytes { Array($0) }, 16, 16, bands: 4, format: VIPS_FORMAT_FLOAT,
            kind: VIPS_INTERPRETATION_scRGB)
        let decoded = try ImageDecoder.decode(
            fractions.file("jxlsave_buffer", ["lossless": "true"]), longestSide: nil)
        let colour = TestImages.colour(decoded, 5, 5)
        #expect(zip(colour, [124, 188, 218, 128]).allSatisfy { abs($0 - $1) <= 2 }, "\(colour)")
    }

    /// One colour in fractions of other kinds, made by `cjxl` from PFM; libvips writes linear light alone.
    @Test(arguments: [
        // sRGB, as it is and with the primaries of P3.
        (
            [124, 188, 218],
            "/wpByGUCABKIANwAj/wpAQBQoTLKuMHLuZ4vP3RYTNu4ztBW2xaWJIqMY5N0AocksRhsXIBhGDADADNnuFwcCFYlCQ=="
        ),
        (
            [102, 190, 222],
            "/wpByCVkciMAEogA3ACP/CkBAFChMsq4wcu5ni8/dFhM27jO0FbbFpYkioxjk3QChySxGGxcgGEYYAwAM+e3VhgIViUJ"
        ),
        // Grey as sRGB has it, and as light.
        (
            [128, 128, 128],
            "/wpByCXFjQASiADUAI/8KQEAUKEyyrjBy7meLz90WEzbuM7QVtsWliSKjGOTdAKHJLEUY1yAYRgAADBzVIbRVJIA"
        ),
        (
            [188, 188, 188],
            "/wpByCVFiwASiADUAI/8KQEAUKEyyrjBy7meLz90WEzbuM7QVtsWliSKjGOTdAKHJLEYY1yAYRgAAMDMHTOMppIE"
        ),
    ])
    func fractionsMeanWhatTheirFileSays(expected: [Int], file: String) throws {
        let pixels = try ImageDecoder.decode(try #require(Data(base64Encoded: file)), longestSide: nil)
        let colour = TestImages.colour(pixels, 5, 5)
        #expect(zip(colour, expected).allSatisfy { abs($0 - $1) <= 3 }, "\(colour)")
    }

    @Test func anSRGBProfileChangesNothing() throws {
        let image = TestImages.gradient(64, 64)
        let tagged = try TestVipsImage(image, bands: 3).with(
            "icc_transform", ["output-profile": "srgb", "input-profile": "srgb"])
        let decoded = try ImageDecoder.decode(tagged.file("pngsave_buffer"), longestSide: nil)
        #expect(TestImages.difference(decoded, image) < 0.5)
    }

    @Test(arguments: [[255, 255, 255], [230, 60, 40], [30, 30, 30], [40, 120, 60]] as [[UInt8]])
    func inksBecomeColours(colour: [UInt8]) throws {
        let inks = try TestVipsImage(TestImages.solid(64, 64, colour + [255]), bands: 3).with(
            "icc_transform", ["output-profile": "cmyk", "input-profile": "srgb", "intent": "relative"])
        for (saver, options) in [("jpegsave_buffer", ["Q": "100"]), ("tiffsave_buffer", [:])] {
            for strip in ["false", "true"] {
                let file = try inks.file(saver, options.merging(["strip": strip]) { $1 })
                let pixels = try ImageDecoder.decode(file, longestSide: 16)
                #expect(pixels.isOpaque, "\(saver), stripped \(strip)")
                let decoded = TestImages.colour(pixels, 5, 5)
                // Without the profile it is another press.
                #expect(
                    zip(decoded, colour.map(Int.init)).allSatisfy { abs($0 - $1) <= (strip == "true" ? 40 : 24) },
                    "\(saver), stripped \(strip): \(decoded)")
            }
        }
    }

    /// Each way that leads to a profile: colours of bytes, and deep ones.
    @Test func aProfileWithATableForOneIntentIsApplied() throws {
        let jpeg = try ImageEncoder(format: .jpeg, quality: 100).encode(TestImages.solid(32, 32, [200, 80, 60, 255]))
        let deep = [200, 200, 80, 80, 60, 60] as [UInt8]
        for file in [
            TestProfiles.jpeg(jpeg, with: TestProfiles.perceptualTable),
            TIFFFile.file([200, 80, 60], samples: 3, bits: 8, profile: TestProfiles.perceptualTable),
            TIFFFile.file(deep, samples: 3, bits: 16, profile: TestProfiles.perceptualTable),
        ] {
            let colour = TestImages.colour(try ImageDecoder.decode(file, longestSide: 8), 4, 4)
            #expect(zip(colour, [60, 80, 200, 255]).allSatisfy { abs($0 - $1) <= 4 }, "\(colour)")
        }
    }

    /// libvips only counts the channels, which are three for Lab, too.
    @Test(arguments: ["Lab ", "XYZ ", "YCbr", "HSV ", "GRAY"])
    func aProfileOfOtherNumbersIsIgnored(space: String) throws {
        let profile = TestProfiles.perceptualTable(of: space)
        let jpeg = try ImageEncoder(format: .jpeg, quality: 100).encode(TestImages.solid(32, 32, [200, 80, 60, 255]))
        for file in [
            TestProfiles.jpeg(jpeg, with: profile),
            TIFFFile.file([200, 80, 60], samples: 3, bits: 8, profile: profile),
            TIFFFile.file([200, 200, 80, 80, 60, 60], samples: 3, bits: 16, profile: profile),
        ] {
            let colour = TestImages.colour(try ImageDecoder.decode(file, longestSide: 8), 4, 4)
            #expect(zip(colour, [200, 80, 60, 255]).allSatisfy { abs($0 - $1) <= 3 }, "\(space): \(colour)")
        }
    }

    @Test func greyPicturesIgnoreProfilesOfColours() throws {
        let grey = try TestVipsImage(TestImages.solid(32, 32, [200, 200, 200, 255]), bands: 1).file("jpegsave_buffer")
        for profile in [TestProfiles.adobe, TestProfiles.perceptualTable, TestProfiles.perceptualTable(of: "Lab ")] {
            let colour = TestImages.colour(
                try ImageDecoder.decode(TestProfiles.jpeg(grey, with: profile), longestSide: 8), 4, 4)
            #expect(zip(colour, [200, 200, 200, 255]).allSatisfy { abs($0 - $1) <= 3 }, "\(colour)")
        }
    }

    @Test func aBrokenProfileIsIgnored() throws {
        let plain = try ImageEncoder(format: .jpeg).encode(TestImages.solid(32, 32, [200, 80, 60, 255]))
        let body = Array("ICC_PROFILE\0".utf8) + [1, 1] + Array(repeating: 7, count: 300)
        let length = body.count + 2
        let file =
            plain.prefix(2) + Data([0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)] + body) + plain.dropFirst(2)
        let colour = TestImages.colour(try ImageDecoder.decode(file, longestSide: 8), 4, 4)
        #expect(zip(colour, [200, 80, 60, 255]).allSatisfy { abs($0 - $1) <= 3 })
    }
}
