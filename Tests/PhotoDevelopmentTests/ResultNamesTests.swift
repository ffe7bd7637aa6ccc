import Testing

@testable import PhotoDevelopment

@Suite struct ResultNamesTests {
    private func result(_ name: String, _ ending: String = "jpg") -> String {
        OutputName(name: name, address: name, fileExtension: ending).file
    }

    private let unsafe = ["a:b.jpg", "- x.png", String(repeating: "한", count: 80) + ".jpg", "tab\t.gif"]

    @Test("Results are known, of pictures that are there and of plain names whose picture is gone")
    func known() {
        let names = ResultNames(of: ["a.jpg"] + unsafe)
        for name in ["a.jpg", "gone.jpg", "a-b-c.heic", "Hồ Gươm.png"] + unsafe {
            for ending in ["jpg", "png", "webp", "avif"] {
                #expect(names.contains(result(name, ending)), "\(name)")
            }
        }
        #expect(names.contains(result(result("a.jpg"))))
    }

    @Test("Pictures are not taken for results, whatever they are called")
    func images() {
        let names = ResultNames(of: ["a.jpg"] + unsafe)
        var others = [
            "a.jpg", "", ".jpg", "-.jpg", "a.jpg-0123456789abc.jpg", "a-1.jpg", "-0123456789abc.jpg", "a-",
            OutputName(name: "a.jpg", address: "http://h/a.jpg", fileExtension: "jpg").file,
        ]
        others += [result("a.jpg") + ".gif", "b" + result("a.jpg"), String(result("a.jpg").dropLast(4)), result("x:y")]
        for name in others + unsafe { #expect(!names.contains(name), "\(name)") }
    }
}
