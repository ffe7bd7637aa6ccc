import FoundationEssentials
import PhotoPipeline
import Testing

/// What is wrong with one entry is that row's failure, with its place; the others stay.
struct CatalogFlawTests {
    @Test(arguments: [
        (
            #"{"a":"1",\#n"b":2,"c":null,"d":{"e":[]},"f":[1],"g":true,"h":"8"}"#, 7, 1,
            "line 2, column 5 ($.b): the address must be text, not a number"
        ),
        (#"["a.jpg",\#n {"name":"x"}]"#, 2, 1, "line 2, column 2 ($[1]): the entry has no “url”"),
        (#"[{"url":1,"name":2}]"#, 1, 0, "line 1, column 9 ($[0].url): the address must be text, not a number"),
        (#"[{"url":"a","name":2}]"#, 1, 0, "line 1, column 20 ($[0].name): the name must be text, not a number"),
        (#"[{"url":"a","url":"b"},"c"]"#, 2, 0, "line 1, column 13 ($[0].url): the entry has “url” more than once"),
        (#"["é\x","b"]"#, 2, 0, "line 1, column 3 ($[0]): the text has an unknown escape after “\\”"),
        (#"["a","\ud800"]"#, 2, 1, "line 1, column 7 ($[1]): the text has half of a surrogate pair"),
        (
            #"{"old mill":[],"x":"y"}"#, 2, 0,
            #"line 1, column 13 ($["old mill"]): the address must be text, not an array"#
        ),
        (
            Sample.plist("<dict><key>a</key>\n<key>b</key><string>x?a&b=1</string><true/></dict>"), 3, 1,
            "line 4, column 7 ($.a): the key has no value"
        ),
        (
            Sample.plist("<dict><key>a</key>\n<key>b</key><string>x?a&b=1</string><true/></dict>"), 3, 2,
            "line 5, column 21 ($.b): “&” must be written “&amp;”"
        ),
        (
            Sample.plist("<dict><key>a</key>\n<key>b</key><string>x?a&b=1</string><true/></dict>"), 3, 0,
            "line 5, column 37 ($): the value has no key"
        ),
        (
            Sample.plist("<array><string>&nbsp;</string><url>x</url></array>"), 2, 0,
            "line 4, column 16 ($[0]): the text has an entity that nothing defines; “&” must be written “&amp;”"
        ),
        (
            Sample.plist("<array><string>&nbsp;</string><url>x</url></array>"), 2, 1,
            "line 4, column 31 ($[1]): an entry must be an address or have a “url”, not be an unknown element"
        ),
        (
            Sample.plist("<array><string>a<b>c</b></string><string>d</string></array>"), 2, 0,
            "line 4, column 16 ($[0]): the text has an element inside"
        ),
        ("{ a = b; c; }", 2, 1, "line 1, column 10 ($.c): the key has no value"),
        (
            #"( "\351" )"#, 1, 0,
            #"line 1, column 4 ($[0]): octal escapes past \177 are not supported; write \U and four hexadecimal digits"#
        ),
        ("name,url\na,1.jpg\nb\nc,3.jpg\n", 3, 1, "line 3, column 1: the row has 1 field, the header 2"),
        ("name,url\n\"a\nb\",1.jpg\nb,2,3\n", 2, 1, "line 4, column 1: the row has 3 fields, the header 2"),
        ("name,url\n\"a\"b,1.jpg\nb,2\n", 2, 0, "line 2, column 2: there is text after a closing quotation mark"),
    ])
    func aBrokenEntryIsOneFailedRow(_ text: String, _ count: Int, _ index: Int, _ message: String) throws {
        let catalog = try Sample.catalog(text)
        #expect(catalog.count == count)
        #expect(catalog.outcome(index) == message)
    }

    @Test func bytesThatAreNotUTF8AreTheirRowsFlaw() throws {
        let bad = [UInt8](arrayLiteral: 0xE9)
        for (format, text) in Sample.all {
            // The second address's letter b becomes a byte that no UTF-8 has.
            var bytes = Array(text.utf8)
            let places = bytes.indices.filter { bytes[$0...].starts(with: "b.jpg".utf8) }
            let place = try #require(places.last)
            bytes.replaceSubrange(place...place, with: bad)
            let catalog = try Catalog(parsing: Data(bytes), origin: Sample.local)
            #expect(catalog.count == 2, "\(format)")
            #expect(catalog[1].address == "\u{FFFD}.jpg")
            #expect(catalog.outcome(1).hasSuffix("the address is not UTF-8"), "\(format): \(catalog.outcome(1))")
            #expect(catalog.outcome(0) == "http://h/a.jpg")
        }
        for bad: [UInt8] in [[0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE1, 0x80], [0x80]] {
            let catalog = try Catalog(parsing: Data("/12345678.jpg\n/".utf8 + bad), origin: Sample.local)
            #expect(catalog.outcome(1) == "line 2, column 1: the address is not UTF-8")
        }
        let good = "/\u{7FF}\u{800}\u{FFFD}\u{10000}\u{10FFFF}.jpg"
        #expect(try Sample.catalog(good)[0].address == good)
        guard case .success = try Sample.catalog(good)[0].content else {
            Issue.record("\(good) is UTF-8")
            return
        }
    }

    @Test func aHalfSurrogateInUTF16IsItsRowsFlaw() throws {
        let data = Data([0xFE, 0xFF, 0, 0x2F, 0xD8, 0x00, 0, 0x0A, 0, 0x2F, 0, 0x62])
        let catalog = try Catalog(parsing: data, origin: Sample.local)
        #expect(catalog.count == 2)
        #expect(catalog.outcome(0) == "line 1, column 1: the address is not UTF-8")
        #expect(catalog.outcome(1) == "file:///b")
    }

    @Test func aMillionFlawsInOneLineTakeNoTimeOfTheirOwn() throws {
        let catalog = try Sample.catalog("[" + String(repeating: "1,", count: 200_000) + "\"a.jpg\"]")
        #expect(catalog.count == 200_001)
        #expect(catalog.outcome(199_999).hasPrefix("line 1, column 400000 ($[199999])"))
    }

    @Test func controlCharactersStayInNames() throws {
        #expect(try Sample.catalog(#"{"a\u001b[0m":"x"}"#)[0].name == "a\u{1B}[0m")
    }
}
