import Catalogs
import Testing

/// A fault inside a property list costs its own row; those after it are kept.
struct CatalogRecoveryTests {
    /// What is put between two sound members, and what their dictionary is then: names, and the message of the first
    /// row that has one.
    @Test(arguments: [
        ("<key>b</key><string>x < y</string>", ["a", "b", "z"], "“<” in text must be written “&lt;”"),
        ("<key>b</key><string>x <y z</string>", ["a", "b", "z"], "“<” in text must be written “&lt;”"),
        ("<key>b</key><string>x <y and z> w</string>", ["a", "b", "z"], "the text has an element inside"),
        ("<key>b</key><string>x <y \"z</string>", ["a", "b", "z"], "“<” in text must be written “&lt;”"),
        ("<key>b</key><string>x</string y>", ["a", "b", "z"], "an end tag is missing"),
        ("<key>b</key><string>x</strin>", ["a", "b", "z"], "an end tag is missing"),
        ("<key>b</key><string>x</string", ["a", "b", "z"], "an end tag is missing"),
        ("<key>b</key><string>x", ["a", "b", "z"], "an end tag is missing"),
        ("<key>b</key><string x", ["a", "b", "z"], "an end tag is missing"),
        ("<key>b<string>x</string>", ["a", "b", "z"], "an end tag is missing"),
        ("<key>b</ke><string>x</string>", ["a", "b", "z"], "an end tag is missing"),
        ("<key>b</key><integer>5", ["a", "b", "z"], "an end tag is missing"),
        ("<key>b</key><dict x <key>c</key></dict>", ["a", "b", "z"], "the entry breaks the rules of its format"),
        ("<key>b</key><x><y></x></y>", ["a", "b", "z"], "the entry breaks the rules of its format"),
        ("</array>", ["", "a", "z"], "an end tag has no start"),
        ("<", ["", "a", "z"], "the entry breaks the rules of its format"),
    ])
    func aFaultInAnXMLPropertyListCostsItsRow(_ fault: String, _ names: [String], _ message: String) throws {
        let catalog = try Sample.catalog(
            Sample.plist("<dict><key>a</key><string>1</string>\(fault)<key>z</key><string>9</string></dict>"))
        #expect(catalog.names == names)
        let outcomes = catalog.indices.map { catalog.outcome($0) }
        #expect(outcomes.count { $0.hasPrefix("file:") } == 2)
        #expect(outcomes.contains { $0.hasPrefix("line 4, column ") && $0.hasSuffix(message) }, "\(outcomes)")
    }

    @Test func anEntryWithoutItsEndTagCostsItsRow() throws {
        let catalog = try Sample.catalog(
            Sample.plist(
                """
                <array><string>1</string>
                <dict><key>url</key><string>2</string>
                <dict><key>url</key><string>3</string></dict>
                <dict><key>url</key><string>4</string>
                </array>
                """))
        #expect(catalog.addresses == ["1", "2", "3", "4"])
        #expect([0, 2].map { catalog.outcome($0) } == ["file:///photos/1", "file:///photos/3"])
        #expect(catalog.outcome(1) == "line 6, column 1 ($[1]): an end tag is missing")
        #expect(catalog.outcome(3) == "line 8, column 1 ($[3]): an end tag is missing")
    }

    @Test func theEndOfTheDictionaryThatIsMissingIsFound() throws {
        let catalog = try Sample.catalog("<plist><dict><key>a</key><string>1</string></plist>")
        #expect(catalog.addresses.contains("1"))
        let wrapped = try Sample.catalog(
            "<plist><dict><key>a</key><array><string>1</string><string>2</string></array></plist>")
        #expect(wrapped.addresses == ["1", "2", ""])
        #expect(wrapped.outcome(2).hasSuffix("($.a[2]): an end tag is missing"))
    }

    @Test(arguments: [200, 100_000])
    func whatIsNestedTooDeepCostsItsRow(depth: Int) throws {
        func nested(_ open: String, _ close: String) -> String {
            String(repeating: open, count: depth) + String(repeating: close, count: depth)
        }
        let deep = [nested("<array>", "</array>"), nested("<x>", "</x>")]
        for value in deep {
            let object = try Sample.catalog(
                Sample.plist(
                    "<dict><key>a</key><string>1</string><key>b</key>\(value)<key>z</key><string>9</string></dict>"))
            #expect(object.names == ["a", "b", "z"])
            #expect([0, 2].map { object.outcome($0) } == ["file:///photos/1", "file:///photos/9"])
            let array = try Sample.catalog(
                Sample.plist(
                    """
                    <array>\(value)<dict><key>url</key><string>2</string><key>x</key>\(value)</dict><string>3</string></array>
                    """))
            #expect(array.count == 3)
            #expect(array.outcome(1).hasSuffix("the entry is nested too deep"), "\(array.outcome(1))")
            #expect(array.outcome(2) == "file:///photos/3")
        }
        let value = nested("(", ")")
        let object = try Sample.catalog("{ a = 1; b = \(value); z = 9; }")
        #expect(object.names == ["a", "b", "z"])
        #expect(object.outcome(2) == "file:///photos/9")
        let array = try Sample.catalog("( \(value), { url = 2; x = \(value); }, 3 )")
        #expect(array.count == 3)
        #expect(array.outcome(0).hasSuffix("an entry must be an address or have a “url”, not be an array"))
        #expect(array.outcome(1).hasSuffix("the entry is nested too deep"))
        #expect(array.outcome(2) == "file:///photos/3")
    }

    @Test(arguments: [
        ("{ a = 1; b = (x y); z = 9; }", "the address must be text, not an array"),
        ("{ a = 1; b = ; z = 9; }", "breaks the rules of its format"),
        ("{ a = 1; b = ]x; z = 9; }", "breaks the rules of its format"),
        ("{ a = 1; b = { c = \"}\" d }; z = 9; }", "the address must be text, not a dictionary"),
        ("{ a = 1; b = { c = <*D> d }; z = 9; }", "the address must be text, not a dictionary"),
        ("{ a = 1; b = <0f; z = 9; }", "breaks the rules of its format"),
        (#"{"a":"1","b":,"z":"9"}"#, "breaks the rules of its format"),
    ])
    func aFaultInBracesCostsItsRow(_ text: String, _ message: String) throws {
        let catalog = try Sample.catalog(text)
        #expect(catalog.names == ["a", "b", "z"])
        #expect([0, 2].map { catalog.outcome($0) } == ["file:///photos/1", "file:///photos/9"])
        #expect(catalog.outcome(1).hasSuffix(message), "\(catalog.outcome(1))")
    }

    /// Brackets that do not match, inside the second of four entries.
    @Test(arguments: [
        (#"{"url":"2","tags":["x"}"#, "{ url = 2; tags = (x; }"),
        (#"{"url":"2","tags":"x"]}"#, "{ url = 2; tags = x); }"),
        (#"{"url":"2","tags":[{"a":"x"]}"#, "{ url = 2; tags = ({ a = x; ); }"),
        (#"{"url":"2","tags":{"a":["x"}}"#, "{ url = 2; tags = { a = (x; }; }"),
        (#"{"url":"2","tags":[["x"}"#, "{ url = 2; tags = ((x; }"),
        (#"{"url":"2""#, "{ url = 2;"),
    ])
    func bracketsThatDoNotMatchCostTheirEntry(json: String, openStep: String) throws {
        let texts = [
            #"[{"url":"1"},\#(json),{"url":"3","tags":["y"]},"4"]"#,
            "({ url = 1; }, \(openStep), { url = 3; tags = (y); }, 4)",
        ]
        for text in texts {
            let catalog = try Sample.catalog(text)
            let outcomes = catalog.indices.map { catalog.outcome($0) }
            try #require(outcomes.count == 4, "\(text): \(outcomes)")
            #expect([0, 2, 3].map { outcomes[$0] } == [1, 3, 4].map { "file:///photos/\($0)" }, "\(text)")
            #expect(outcomes[1].contains("[1]): "), "\(outcomes[1])")
        }
    }

    @Test(arguments: [
        #"{"a":"1","b":x],"z":"9"}"#, #"{"a":"1","b":{"c":["x"},"z":"9"}"#, "{ a = 1; b = ^x); z = 9; }",
        "{ a = 1; b = { c = (x; }; z = 9; }",
    ])
    func bracketsThatDoNotMatchCostTheirMember(_ text: String) throws {
        let catalog = try Sample.catalog(text)
        try #require(catalog.names == ["a", "b", "z"])
        #expect([0, 2].map { catalog.outcome($0) } == ["file:///photos/1", "file:///photos/9"])
    }

    @Test func addressesWithoutQuotationMarksAreNoComments() throws {
        let catalog = try Sample.catalog(
            """
            (
             { name = a; url = http://h/1.jpg; extra = ; },
             { name = b; url = http://h/2.jpg; },
             { name = c; url = "http://h/3.jpg"; }
            )
            """)
        try #require(catalog.count == 3)
        #expect([1, 2].map { catalog.outcome($0) } == ["http://h/2.jpg", "http://h/3.jpg"])
        #expect(catalog.outcome(0).hasSuffix("breaks the rules of its format"), "\(catalog.outcome(0))")
    }

    /// An element that nobody ends, in the second of four entries.
    @Test(arguments: [
        "<dict><key>url</key><string>2</string><key>note</key><note>one<br>two</note></dict>",
        "<dict><key>url</key><string>2</string><key>note</key><note>one<br><br>two</dict>",
        "<dict><key>url</key><string>2</string><key>k</key><array><x></dict>",
        "<note>one<br>two</note>", "<br>",
    ])
    func tagsThatDoNotMatchCostTheirEntry(_ entry: String) throws {
        func dict(_ number: Int) -> String { "<dict><key>url</key><string>\(number)</string></dict>" }
        let catalog = try Sample.catalog(
            Sample.plist("<array>\(dict(1))\(entry)\(dict(3))\(dict(4))</array>"))
        let outcomes = catalog.indices.map { catalog.outcome($0) }
        try #require(outcomes.count == 4, "\(outcomes)")
        #expect([0, 2, 3].map { outcomes[$0] } == [1, 3, 4].map { "file:///photos/\($0)" })
        #expect(outcomes[1].contains("($[1]): "), "\(outcomes[1])")
        let last = try Sample.catalog(Sample.plist("<array>\(dict(1))\(entry)</array>"))
        #expect(last.count == 2)
    }

    @Test(arguments: ["<note>one<br>two</note>", "<br>", "<note>one<br>two"])
    func tagsThatDoNotMatchCostTheirMember(_ value: String) throws {
        let catalog = try Sample.catalog(
            Sample.plist(
                """
                <dict><key>a</key><string>1</string><key>b</key>\(value)
                <key>c</key><string>3</string><key>d</key><string>4</string></dict>
                """))
        try #require(catalog.names == ["a", "b", "c", "d"])
        #expect([0, 2, 3].map { catalog.outcome($0) } == [1, 3, 4].map { "file:///photos/\($0)" })
    }

    @Test(.timeLimit(.minutes(1))) func bracketsAndTagsThatDoNotMatchCostNoMoreTheMoreThereAre() throws {
        func many(_ text: String) -> String { String(repeating: text, count: 100_000) }
        for value in [many("<x>") + many("</y>"), many("<array>") + many("</dict>"), many("<x>") + many("<b><y></b>")] {
            _ = try? Sample.catalog(Sample.plist("<array><dict><key>k</key>\(value)</dict><string>3</string></array>"))
        }
        for value in [many("[") + many("}"), many("{") + many("]"), many("[{") + many("]")] {
            _ = try? Sample.catalog(#"[{"k":\#(value)},"3"]"#)
        }
    }

    @Test(arguments: ["a<b", "<b", "<b c> d"]) func dataThatIsNoneCostsItsEntry(note: String) throws {
        let catalog = try Sample.catalog("( { url = 1; }, { url = 2; note = \(note); }, { url = 3; } )")
        #expect(catalog.count == 3)
        #expect([0, 2].map { catalog.outcome($0) } == ["file:///photos/1", "file:///photos/3"])
    }

    @Test func aDoctypeHidesNothing() throws {
        let types = [
            "<!DOCTYPE plist [ <?x it's ]> ?> ]>", "<!DOCTYPE plist [ <!-- \"]> --> <?y \"?> <!ENTITY a 'b]>'> ]>",
        ]
        for type in types {
            let catalog = try Sample.catalog(
                "<?xml version='1.0'?>\(type)<plist><array><string>1</string></array></plist>")
            #expect(catalog.addresses == ["1"], "\(type)")
        }
    }

    @Test func lineEndsAreOneInSectionsToo() throws {
        let catalog = try Sample.catalog("<array><string><![CDATA[a\r\nb\rc]]>\r\nd\re</string></array>")
        #expect(catalog.addresses == ["a\nb\nc\nd\ne"])
    }

    /// No entity is ever replaced by what a document says, so that none can grow or read a file.
    @Test(.timeLimit(.minutes(1))) func entitiesNeitherGrowNorRead() throws {
        let levels = (1...30).map { "<!ENTITY a\($0) \"\(String(repeating: "&a\($0 - 1);", count: 10))\">" }.joined()
        let catalog = try Sample.catalog(
            """
            <!DOCTYPE plist [<!ENTITY a0 "x">\(levels)<!ENTITY f SYSTEM "file:///etc/passwd">]>
            <plist><array><string>&a30;</string><string>&f;</string><string>1</string></array></plist>
            """)
        #expect(catalog.count == 3)
        #expect(catalog.outcome(0).hasSuffix("an entity that nothing defines; “&” must be written “&amp;”"))
        #expect(catalog.outcome(1).hasSuffix("an entity that nothing defines; “&” must be written “&amp;”"))
        #expect(catalog.outcome(2) == "file:///photos/1")
    }
}
