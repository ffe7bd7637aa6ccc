import Foundation
import ImageCodecs
import Testing

struct SniffingTests {
    private func outcome(_ bytes: [UInt8]) -> ImageCodecError? {
        do throws(ImageCodecError) {
            _ = try ImageDecoder.decode(Data(bytes), longestSide: 16)
            return nil
        } catch {
            return error
        }
    }

    @Test func nothingIsEmpty() {
        #expect(outcome([]) == .empty)
    }

    @Test(arguments: [
        "<!DOCTYPE html><html><svg></svg></html>", "<html></html>", "hello", "2 2\n10 20\n30 40\n", "a,b\n1,2\n",
        "<?xml version='1.0'?><plist></plist>", "<svgx/>", "<!-- <svg> -->", "<!DOCTYPE svg [<!ENTITY a '>]><svg>",
        "\u{0}\u{0}\u{0}\u{18}ftypmp42\0\0\0\0mp42isom",
        "{}", "\u{feff}", "#!/bin/sh\n",
    ])
    func otherThingsAreNoImages(text: String) {
        #expect(outcome(Array(text.utf8)) == .notAnImage)
    }

    @Test(arguments: [
        ("%PDF-1.7\n", "PDF document"), ("8BPS\0\u{1}", "Photoshop document"), ("%!PS-Adobe-3.0 EPSF", "PostScript"),
        ("\0\0\0\u{18}ftypavis\0\0\0\0msf1miaf", "AVIF sequence"), ("\0\0\u{1}\0\u{1}\0", "Windows icon"),
        ("\0\0\u{2}\0\u{1}\0", "Windows cursor"),
        ("P6\n2 2\n255\n", "Netpbm"), ("qoif\0\0", "QOI"),
        ("BM\0\0\0\0\0\0\0\0\0\0\0\0\u{28}\0\0\0", "Windows bitmap"), ("II*\0\u{8}\0\0\0CR\u{2}\0", "Canon raw (CR2)"),
    ])
    func knownKindsAreNamed(text: String, name: String) {
        #expect(outcome(Array(text.utf8)) == .unsupportedFormat(name))
    }

    @Test(arguments: [
        (0, 2, 24, "TGA"), (0, 10, 32, "TGA"), (1, 1, 8, "TGA"), (0, 3, 8, "TGA"), (0, 2, 23, nil),
        (0, 4, 24, nil), (1, 11, 24, nil),
    ])
    func pictureByTruevisionIsNoCursor(palette: UInt8, kind: UInt8, depth: UInt8, name: String?) {
        let header = [0, palette, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, depth, 0, 0, 0, 0, 0]
        #expect(outcome(header) == (name.map { .unsupportedFormat($0) } ?? .notAnImage))
    }

    @Test(arguments: [
        "<svg xmlns='a'/>", "\u{feff}<?xml version='1.0'?>\n<!-- a > b --><!DOCTYPE svg [<!ENTITY a '>'>]>\n<svg>",
        "  <svg:svg>", "<svg>", "<svg/>",
    ])
    func vectorGraphicsAreFound(text: String) {
        #expect(ImageFormat(sniffing: Data(text.utf8)) == .svg)
    }

    @Test(arguments: [
        ("avif", "mif1", ImageFormat.avif), ("mif1", "avif", .avif), ("heic", "mif1", .heif), ("mif1", "heic", .heif),
        ("msf1", "hevc", .heif), ("avis", "msf1", .avif),
    ])
    func brandsTellHEIFAndAVIF(major: String, other: String, format: ImageFormat) {
        let bytes = [0, 0, 0, 20] + Array("ftyp\(major)".utf8) + [0, 0, 0, 0] + Array(other.utf8)
        #expect(ImageFormat(sniffing: Data(bytes)) == format)
    }

    @Test func aSliceOfDataIsReadFromItsOwnBeginning() {
        let data = Data([1, 2, 3] + Array("GIF89a".utf8))
        #expect(ImageFormat(sniffing: data.dropFirst(3)) == .gif)
    }
}
