import Foundation
import Pixels
import Testing

@testable import ImageCodecs

/// Small files whose headers would take minutes, which are read before any limit can apply.
struct CostlyHeaderTests {
    /// The time that the calling thread computes for, which is a hundredth of these bounds.
    private func time<Result>(of body: () throws -> Result) rethrows -> (Result, spent: Duration) {
        let start = ThreadTime.now
        let result = try body()
        return (result, ThreadTime.now - start)
    }

    @Test func aJPEGOfEmptySegments() throws {
        let plain = try ImageEncoder(format: .jpeg).encode(TestImages.gradient(60, 40))
        let segments = (0..<250_000).flatMap { _ in [0xFF, 0xE2, 0, 2] as [UInt8] }
        let file = plain.prefix(2) + Data(segments) + plain.dropFirst(2)
        let (info, spent) = try time { try ImageDecoder.probe(file) }
        #expect(info.size == PixelSize(width: 60, height: 40))
        #expect(spent < .seconds(5), "\(spent)")
    }

    private func box(_ kind: String, _ body: [UInt8]) -> [UInt8] {
        PNGFile.bigEndian(8 + body.count) + Array(kind.utf8) + body
    }

    private func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }

    /// - Parameters:
    ///   - links: The entries that say which properties the second item has.
    ///   - references: From that item to the picture.
    private func heif(links: [UInt8], count: Int, references: [UInt8]) -> [UInt8] {
        let size = box("ispe", [0, 0, 0, 0] + PNGFile.bigEndian(64) + PNGFile.bigEndian(48))
        let items =
            [UInt8](repeating: 0, count: 4) + short(2)
            + [1, 2].flatMap { box("infe", [2, 0, 0, 0] + short($0) + [0, 0] + Array("hvc1\0".utf8)) }
        let properties = box("ipco", size) + box("ipma", [0, 0, 0, 0] + PNGFile.bigEndian(count) + links)
        let meta = box("pitm", [0, 0, 0, 0] + short(1)) + box("iinf", items) + box("iprp", properties)
        return box("ftyp", Array("heic\0\0\0\0heic".utf8))
            + box("meta", [0, 0, 0, 0] + meta + box("iref", [0, 0, 0, 0] + references))
    }

    private func size(_ file: [UInt8]) throws -> PixelSize? {
        try file.withUnsafeBytes { try HEIFPicture(ByteReader($0))?.size }
    }

    @Test func aHEIFOfManyLinks() throws {
        let entry = short(2) + [255] + [UInt8](repeating: 1, count: 255)
        let links = short(1) + [1, 1] + (0..<4_000).flatMap { _ in entry }
        let reference = box("auxl", short(2) + short(1) + short(1))
        let file = heif(links: links, count: 4_001, references: (0..<4_000).flatMap { _ in reference })
        let (found, spent) = try time { try size(file) }
        #expect(found == PixelSize(width: 64, height: 48))
        #expect(spent < .seconds(10), "\(spent)")
    }

    @Test func aHEIFThatSaysItHasManyReferences() throws {
        let reference = box("auxl", short(2) + short(65_535) + short(1))
        let file = heif(links: short(1) + [1, 1], count: 1, references: (0..<4_000).flatMap { _ in reference })
        let (found, spent) = try time { try size(file) }
        #expect(found == PixelSize(width: 64, height: 48))
        #expect(spent < .seconds(5), "\(spent)")
    }

    @Test func aPNGOfDirectoriesThatShareTheirBytes() throws {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        // An unknown tag of 120,000 bytes, 500 times.
        let entry = number(60_000, 2) + number(1, 2) + number(120_000, 4) + number(6_100, 4)
        let directory = number(500, 2) + (0..<500).flatMap { _ in entry }
        let exif = Array("II".utf8) + number(42, 2) + number(8, 4) + directory + [UInt8](repeating: 7, count: 121_000)
        let chunk = PNGFile.chunk("eXIf", exif)
        let file = PNGFile.header(1, 1, depth: 8, colour: 2) + Data((0..<100).flatMap { _ in chunk })
        let (parts, spent) = file.withUnsafeBytes { bytes in time { MetadataParts(ByteReader(bytes)) } }
        #expect(parts == nil)
        #expect(spent < .seconds(2), "\(spent)")
    }

    @Test func elementsOfXMPThatDoNotEnd() throws {
        let packet = Array(String(repeating: "<tiff:Orientation ", count: 3_000).utf8) + Array("/>".utf8)
        let chunk = PNGFile.chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet)
        let file = PNGFile.header(1, 1, depth: 8, colour: 2) + Data((0..<60).flatMap { _ in chunk })
        let (parts, spent) = file.withUnsafeBytes { bytes in time { MetadataParts(ByteReader(bytes)) } }
        #expect(parts == nil)
        #expect(spent < .seconds(10), "\(spent)")
    }
}
