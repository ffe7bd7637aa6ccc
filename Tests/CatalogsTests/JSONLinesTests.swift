import Catalogs
import FoundationEssentials
import Testing

/// A line costs its own row, whatever is wrong with it.
struct JSONLinesTests {
    @Test func eachLineIsARow() throws {
        let catalog = try Sample.catalog(
            """
            {"URL": "1.jpg", "name": "Sea", "tags": [{"a": "}"}], "width": 3}

            {"url": "2.jpg"}
            "3.jpg"
            """)
        #expect(catalog.format == .jsonLines)
        #expect(catalog.names == ["Sea", "2.jpg", "3.jpg"])
        #expect(catalog.map(\.place.line) == [1, 3, 4])
        #expect(catalog.outcome(0) == "file:///photos/1.jpg")
    }

    @Test(arguments: [
        (#"{"url": "x.jpg""#, "the entry breaks the rules of its format"),
        (#"{"url": "x.jpg}"#, "the entry breaks the rules of its format"),
        (#"{"url": tru}"#, "the entry breaks the rules of its format"),
        (#"}"#, "the entry breaks the rules of its format"),
        (#"{"name": "x"}"#, "the entry has no “url”"),
        ("7", "an entry must be an address or have a “url”, not be a number"),
        (String(repeating: "[", count: 300), "an entry must be an address or have a “url”, not be an array"),
        (#"{"url": "\uD800"}"#, "the text has half of a surrogate pair"),
    ])
    func aFaultInALineCostsItsRow(_ line: String, _ message: String) throws {
        let catalog = try Sample.catalog("{\"url\": \"1.jpg\"}\n{\"url\": \"2.jpg\"}\n\(line)\n{\"url\": \"9.jpg\"}\n")
        #expect(catalog.count == 4)
        #expect([0, 1, 3].map { catalog.outcome($0) } == [1, 2, 9].map { "file:///photos/\($0).jpg" })
        #expect(catalog.outcome(2).hasPrefix("line 3, column "), "\(catalog.outcome(2))")
        #expect(catalog.outcome(2).contains("($[2]"), "\(catalog.outcome(2))")
        #expect(catalog.outcome(2).contains(message), "\(catalog.outcome(2))")
    }

    @Test func whatFollowsAValueInItsLineIsARowOfItsOwn() throws {
        let catalog = try Sample.catalog(
            "{\"url\": \"1.jpg\"}\n{\"url\": \"2.jpg\"} {\"url\": \"3.jpg\"}\n{\"url\": \"4.jpg\"}")
        #expect(catalog.addresses == ["1.jpg", "2.jpg", "", "4.jpg"])
        #expect(catalog.outcome(2).contains("breaks the rules"), "\(catalog.outcome(2))")
    }

    @Test func oneObjectOnSeveralLinesIsJSON() throws {
        #expect(try Sample.catalog("{\n\"a\": \"1\"\n}\n").format == .json)
        #expect(try Sample.catalog("{\"a\": \"1\"}\n").format == .json)
        #expect(throws: CatalogError.self) { try Sample.catalog("{\"a\": \"1\"} {\"a\": \"1\"}") }
    }

    @Test(arguments: ["NaN", "Infinity", "-Infinity"])
    func whatIsNoNumberMakesNoDifference(_ word: String) throws {
        let line = "{\"url\": \"http://h/1.jpg\", \"alt\": \(word)}\n"
        for text in [line, line + line, line + "{\"url\": \"http://h/2.jpg\"}", "\(word)\n\(line)"] {
            let catalog = try Sample.catalog(text)
            #expect(catalog.format == .jsonLines, "\(text)")
            #expect(catalog.addresses.contains("http://h/1.jpg"), "\(text)")
        }
    }

    /// Which line is broken makes no difference.
    @Test(arguments: [
        "null", "7", "\"", "x", #"{"url":"http"#, #"{"a":1,}"#, "{", "}", "{url: 2}",
    ])
    func oneBrokenLineAtTheStartCostsItsRow(_ line: String) throws {
        let sound = (1...3).map { "{\"url\":\"\($0).jpg\"}" }
        for index in 0...2 {
            for count in 1...3 where count >= index {
                var lines = Array(sound.prefix(count))
                lines.insert(line, at: index)
                // One that is sound and one that is not may be a JSON text in which something is wrong at the end.
                if count == 1, index == 1 { continue }
                let catalog = try Sample.catalog(lines.joined(separator: "\n") + "\n")
                #expect(catalog.format == .jsonLines, "\(lines)")
                #expect(catalog.count == lines.count, "\(lines)")
                let good = catalog.indices.filter { catalog.outcome($0).hasPrefix("file:") }
                #expect(good == lines.indices.filter { $0 != index }, "\(lines)")
            }
        }
    }

    @Test func aTextAmongObjectsIsARowToo() throws {
        for texts in [[#""1.jpg""#, #"{"url":"2.jpg"}"#], [#"{"url":"1.jpg"}"#, #""2.jpg""#, #"{"url":"3.jpg"}"#]] {
            let catalog = try Sample.catalog(texts.joined(separator: "\n"))
            #expect(catalog.format == .jsonLines)
            #expect(catalog.addresses == texts.indices.map { "\($0 + 1).jpg" })
        }
    }

    @Test func anObjectAloneIsARowIfItHasAnAddress() throws {
        let catalog = try Sample.catalog(#"{"URL":"1.jpg","caption":"README"}"#)
        #expect(catalog.format == .jsonLines)
        #expect(catalog.addresses == ["1.jpg"])
        let named = try Catalog(
            parsing: Data(#"{"image":"1.jpg","url":"2.jpg"}"#.utf8), origin: Sample.local,
            keys: CatalogKeys(address: "image"))
        #expect(named.addresses == ["1.jpg"])
        // No address of its own: names and addresses, or a list under a name.
        #expect(try Sample.catalog(#"{"a":"1.jpg"}"#).format == .json)
        #expect(try Sample.catalog(#"{"url":["1.jpg","2.jpg"]}"#).addresses == ["1.jpg", "2.jpg"])
        #expect(try Sample.catalog(#"{"a":[{"url":"1.jpg"}]}"#).format == .json)
        #expect(try Sample.catalog("{\n\"url\": \"1.jpg\"\n}").format == .json)
    }

    /// Lines that look like JSON Lines, in texts that are JSON.
    @Test(arguments: [
        "{\"photos\": [\n{\"url\": \"1.jpg\"},\n{\"url\": \"2.jpg\"}\n]}",
        "{\"photos\": [\n{\"url\": \"1.jpg\"}\n,{\"url\": \"2.jpg\"}\n]\n}",
        "[\n{\"url\": \"1.jpg\"}\n,\n{\"url\": \"2.jpg\"}\n]",
        "{\n\"photos\":\n[\n{\"url\": \"1.jpg\"},\n{\"url\": \"2.jpg\"}]}",
    ])
    func jsonOnManyLinesStaysJSON(_ text: String) throws {
        let catalog = try Sample.catalog(text)
        #expect(catalog.format == .json)
        #expect(catalog.addresses == ["1.jpg", "2.jpg"])
    }

    @Test func twoHundredThousandBrokenLinesCostTheSameEach() throws {
        let catalog = try Sample.catalog("{}\n" + String(repeating: "{\"url\": [\"\n", count: 200_000))
        #expect(catalog.count == 200_001)
        #expect(catalog.outcome(200_000).hasPrefix("line 200001, "))
    }
}
