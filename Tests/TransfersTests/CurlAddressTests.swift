import FoundationEssentials
import Testing

@testable import Transfers

@Suite struct CurlAddressTests {
    @Test(arguments: [
        ("/b", "http://host/b"), ("b", "http://host/dir/b"), ("//other/b", "http://other/b"),
        ("https://other:8443/b#part", "https://other:8443/b"), ("?q", "http://host/dir/a?q"),
        ("/a b", "http://host/a%20b"), ("/h\u{f6}he", "http://host/h%c3%b6he"), ("../../up", "http://host/up"),
    ])
    func locations(location: String, expected: String) throws {
        #expect(try CurlAddress("http://host/dir/a").redirected(to: location).text == expected)
    }

    /// A redirect reads a host as a catalog does.
    @Test(arguments: [
        ("//①②⑦.0.0.2/b", "http://127.0.0.2/b"), ("//bu\u{308}cher.de/", "http://xn--bcher-kva.de/"),
        ("//b%C3%BCcher.de:81/x", "http://xn--bcher-kva.de:81/x"), ("//ＬＯＣＡＬＨＯＳＴ/", "http://localhost/"),
    ])
    func hostsInOtherLetters(location: String, expected: String) throws {
        let address = try CurlAddress("http://host/dir/a").redirected(to: location)
        #expect(address.text == expected)
        #expect(address.origin.host.utf8.allSatisfy { $0 < 0x80 })
        #expect((address.literal != nil) == location.contains("⑦"))
    }

    @Test(arguments: [
        "256.256.256.256", "1.2.3.4.5", "a.0x7f", "a／b.de", "ａ＠b.de", "☕.example", "ü\u{0}.de", "[]", "[::g]",
    ])
    func hostsThatAreNone(host: String) {
        #expect(throws: TransferError.invalidAddress) { try CurlAddress("http://\(host)/") }
    }

    @Test func userAndPasswordStayWithTheirOrigin() throws {
        let address = try CurlAddress("http://me:secret@host/a")
        #expect(try address.redirected(to: "/b").text == "http://me:secret@host/b")
        #expect(try address.redirected(to: "http://HOST:80/b").text == "http://me:secret@HOST:80/b")
        for other in ["http://other/b", "https://host/b", "http://host:81/b", "//other/b"] {
            #expect(try !address.redirected(to: other).text.contains("secret"))
        }
        #expect(address.publicURL?.absoluteString == "http://host/a")
    }

    @Test(arguments: [
        ("http://host/a?b=c", "http://host/a?b=c"), ("http://host/a#part", "http://host/a"),
        ("http://me:secret@host/a", "http://host/a"), ("http://host", "http://host/"),
        ("http://host/x/../a", "http://host/a"),
    ])
    func theAddressToShow(given: String, expected: String) throws {
        let url = try #require(URL(string: given))
        #expect(try CurlAddress(url).publicURL == URL(string: expected))
        let base = try #require(URL(string: "http://host/dir/"))
        let relative = try #require(URL(string: "a", relativeTo: base))
        #expect(try CurlAddress(relative).publicURL == URL(string: "http://host/dir/a"))
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://host/a", "gopher://host/"])
    func otherSchemesAreForbidden(location: String) throws {
        let address = try CurlAddress("http://host/a")
        #expect(throws: TransferError.forbiddenAddress(.scheme)) { try address.redirected(to: location) }
    }

    @Test func originsAreComparable() throws {
        #expect(try CurlAddress("http://Host/").origin == CurlAddress("http://host:80/a").origin)
        #expect(try CurlAddress("https://host/").origin != CurlAddress("http://host/").origin)
        #expect(throws: TransferError.invalidAddress) { try CurlAddress("http://") }
        #expect(throws: TransferError.invalidAddress) { try CurlAddress("http://host:99999/") }
    }
}
