import Foundation
import Testing

@testable import ImageCodecs

@Suite struct DecodingLibrariesTests {
    @Test func thoseOfThisProcessAreKnown() {
        // A plain JPEG does not go through libvips.
        for name in ["libvips", "libjpeg", "libwebp", "librsvg", "liblcms2"] {
            #expect(ImageDecoder.version.contains("\n\(name)"), "\(name): \(ImageDecoder.version)")
        }
        #expect(!ImageDecoder.version.contains("libc.so"))
    }

    @Test func oneThatIsReplacedIsAnotherOne() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "libraries-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let library = folder.appending(path: "libheif.so.1.15.1")
        func marks() -> [String] {
            let line = "7f0000000000-7f0000001000 r-xp 00000000 fe:00 1     "
            return DecodingLibraries.marks(
                in: "\(line)\(library.path)\n\(line)\(library.path)\n\(line)/x/libother.so\n")
        }
        try Data("one".utf8).write(to: library)
        let before = marks()
        #expect(before.count == 1 && before == marks())
        try Data("other".utf8).write(to: library)
        #expect(marks() != before)
        try FileManager.default.removeItem(at: library)
        #expect(marks() == ["libheif.so.1.15.1 ?"])
    }
}
