import Foundation
import ImageCodecs
import Testing

/// What is not among the sound files is not among the broken ones that are made of them.
@Suite struct SampleFileTests {
    private typealias Parts = [ArraySlice<UInt8>]

    @Test func theyAreSound() throws {
        for (format, files) in try SampleFiles.all() {
            #expect(files.count > 1, "\(format)")
            for (index, file) in files.enumerated() {
                #expect(ImageFormat(sniffing: file) == format, "\(format) \(index)")
                #expect(throws: Never.self, "\(format) \(index)") { try ImageDecoder.decode(file, longestSide: 24) }
            }
        }
    }

    @Test func jpegsAreOfEveryKind() throws {
        func frame(_ marker: UInt8, components: UInt8) -> (Parts) -> Bool {
            { $0.contains { $0.starts(with: [0xFF, marker]) && $0.dropFirst(9).first == components } }
        }
        try expect(
            .jpeg,
            [
                "baseline": frame(0xC0, components: 3), "grey": frame(0xC0, components: 1),
                "four inks": frame(0xC0, components: 4), "progressive": frame(0xC2, components: 3),
                "progressive, four inks": frame(0xC2, components: 4),
            ])
    }

    @Test func pngsAreOfEveryKind() throws {
        func header(_ offset: Int, _ value: UInt8) -> (Parts) -> Bool {
            { $0.contains { $0.dropFirst(4).starts(with: "IHDR".utf8) && $0.dropFirst(offset).first == value } }
        }
        try expect(
            .png,
            [
                "16 bits": header(16, 16), "one bit": header(16, 1), "indexed": header(17, 3),
                "translucent": header(17, 6), "interlaced": header(20, 1), "animated": has("fdAT", at: 4),
            ])
    }

    @Test func webpsAreOfEveryKind() throws {
        try expect(.webp, ["lossy": has("VP8 "), "lossless": has("VP8L"), "animated": has("ANMF")])
    }

    private func has(_ name: String, at offset: Int = 0) -> (Parts) -> Bool {
        { $0.contains { $0.dropFirst(offset).starts(with: name.utf8) } }
    }

    private func expect(_ format: ImageFormat, _ kinds: [String: (Parts) -> Bool]) throws {
        let files = try #require(try SampleFiles.all().first { $0.format == format }).files
        let parts = files.map { FileMutator.chunks([UInt8]($0), format) }
        for (kind, isOne) in kinds {
            #expect(parts.contains(where: isOne), "no file is \(kind)")
        }
    }
}
