import Testing

@testable import PhotoDevelopment

@Suite struct OutputNameTests {
    private func file(_ name: String, _ address: String = "http://a/b.jpg") -> String {
        OutputName(name: name, address: address, fileExtension: "jpg").file
    }

    @Test("A plain name stays readable")
    func plain() {
        #expect(file("Hồ Gươm").hasPrefix("Hồ Gươm-"))
        #expect(file("경복궁").hasPrefix("경복궁-"))
        #expect(file("👨‍👩‍👧 family").hasPrefix("👨‍👩‍👧 family-"))
        #expect(file("sunset").hasSuffix(".jpg"))
    }

    @Test(
        "No name leaves the folder, hides, or looks like an option",
        arguments: [
            "..", ".", "", "/etc/passwd", "../../x", "-rf", "--help", ".hidden", " . - x", "a/b\\c", "nul\0byte",
            "line\nbreak", "\u{1B}[31mred", "\u{202E}gpj.exe", "\u{2066}x", "a:b*c?d\"e<f>g|h", "\u{2028}", "\u{7F}",
        ])
    func hostile(name: String) {
        let file = file(name)
        #expect(!file.contains("/"))
        #expect(!file.hasPrefix(".") && !file.hasPrefix("-"))
        for scalar in file.unicodeScalars {
            #expect(scalar.value >= 0x20 && scalar.value != 0x7F)
            #expect(scalar.properties.generalCategory != .format)
        }
        #expect(file.utf8.count <= 143)
    }

    @Test("Names of any length fit a file system, also in letters of many bytes")
    func long() {
        for letter in ["a", "ế", "한", "👩🏽‍🚀"] {
            let file = file(String(repeating: letter, count: 400))
            #expect(file.utf8.count <= 143)
            #expect(file.hasPrefix(letter))
        }
    }

    @Test("Equal names at different addresses, and different names that look the same when made safe, stay apart")
    func distinct() {
        let files = [
            file("a", "http://a/1"), file("a", "http://a/2"), file("a/b"), file("a\\b"), file("a:b"), file("a_b"),
            file("A"), file("a"), file(""), file("photo"), file("."), file("a", ""), file("", "a"),
        ]
        #expect(Set(files.map { $0.lowercased() }).count == files.count)
    }

    @Test("A name depends on nothing but name and address")
    func stable() {
        #expect(file("sunset", "http://a/b.jpg") == file("sunset", "http://a/b.jpg"))
        // Written down, because files of earlier runs are found again by it.
        #expect(file("sunset", "http://a/b.jpg") == "sunset-8jat4e8068l9a.jpg")
    }
}
