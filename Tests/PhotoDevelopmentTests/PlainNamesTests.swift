import Testing

@testable import PhotoDevelopment

@Suite struct PlainNamesTests {
    /// What the rows with these names are called; nil where they are called by name and address.
    private func stems(_ names: [String]) -> [String?] {
        let plain = PlainNames(count: names.count) { names[$0] }
        return names.enumerated().map { plain.stem(of: $1, at: $0) }
    }

    @Test func aNameOfItsOwnIsKeptWithoutTheEndingOfAPicture() {
        #expect(
            stems(["Hồ Gươm", "dune.jpg", "b.JPEG", "v1.2", "a/b.png"]) == ["Hồ Gươm", "dune", "b", "v1.2", "a_b"])
        #expect(stems(["x.jpg.jpg", "notes.txt", "👨‍👩‍👧"]) == ["x.jpg", "notes.txt", "👨‍👩‍👧"])
    }

    @Test func aNameThatRepeatsIsNoneOfThoseWhoHaveIt() {
        #expect(stems(["a", "b", "a", "c", "a"]) == [nil, "b", nil, "c", nil])
        #expect(stems(["a.jpg", "a.png", "a"]) == [nil, nil, nil])
    }

    @Test(
        "Names that a file system may take for one count as one",
        arguments: [
            ("Dune", "dUNE"), ("é", "e\u{301}"), ("É", "e\u{301}"), ("straße", "STRASSE"), ("ẞ", "ß"), ("ﬁne", "FINE"),
            ("K", "\u{212A}"), ("σ", "ς"), ("ı", "I"), ("a\u{FE0F}b", "ab"), ("가", "\u{1100}\u{1161}"),
            ("x ", "x\u{A0}"), ("𝐁at", "bat"), ("\u{390}", "\u{3AA}\u{301}"),
            ("a:b", "a?b"), (".a", "a"), ("", "..."), ("nul", "_NUL"),
            (String(repeating: "a", count: 300) + "1", String(repeating: "a", count: 300) + "2"),
        ])
    func alike(first: String, second: String) {
        #expect(stems([first, second]) == [nil, nil], "\(first) and \(second)")
    }

    @Test func namesOfDevicesAreNotUsed() {
        #expect(
            stems(["con", "Nul.tar", "COM1.jpg", "lpt9 ", "common", "aux-1"]) == [
                "_con", "_Nul.tar", "_COM1", "_lpt9 ", "common", "aux-1",
            ])
        #expect(
            stems(["com¹", "LPT³.a", "prn            ", "com4a"]) == ["_com¹", "_LPT³.a", "_prn            ", "com4a"])
    }

    @Test func aNameInTheFormOfADistinctOneIsNotUsed() {
        let distinct = OutputName.stem(name: "a", address: "http://h/a.jpg")
        #expect(stems([distinct, distinct.uppercased() + "x", "b"]) == [nil, distinct.uppercased() + "x", "b"])
        #expect(stems([distinct.uppercased()]) == [nil])
    }

    @Test func longNamesFit() {
        for letter in ["a", "ế", "한"] {
            let stem = stems([String(repeating: letter, count: 400)])[0]
            #expect((stem ?? "").utf8.count <= 143 && stem != nil)
        }
    }

    /// Whatever the names, no two files have one that a file system takes for one.
    @Test func noTwoRowsShareAFile() {
        var random = SystemRandomNumberGenerator()
        let seed = UInt64.random(in: 0...UInt64.max, using: &random)
        var state = seed
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let letters = ["a", "A", "é", "e\u{301}", "É", ".", "-", " ", "ß", "ss", "/", "con", ".jpg", "\u{200D}"]
        let names = (0..<3_000).map { _ in (0...next(4)).map { _ in letters[next(letters.count)] }.joined() }
        let plain = PlainNames(count: names.count) { names[$0] }
        var keys: Set<UInt64> = []
        for (row, name) in names.enumerated() {
            let stem = plain.stem(of: name, at: row) ?? OutputName.stem(name: name, address: "http://h/\(row)")
            #expect(keys.insert(PlainNames.key(stem)).inserted, "\(name), seed \(seed)")
        }
        #expect(names.indices.contains { plain.stem(of: names[$0], at: $0) != nil })
    }
}
