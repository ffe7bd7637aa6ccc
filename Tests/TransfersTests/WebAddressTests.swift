import FoundationEssentials
import Testing

@testable import Transfers

@Suite struct WebAddressTests {
    private func text(_ address: String, _ base: String? = nil) throws -> String {
        let base = try base.map { try WebAddress($0) }
        return try WebAddress(address, relativeTo: base).text
    }

    @Test(arguments: [
        ("/b", "http://host/b"), ("b", "http://host/dir/b"), ("//other/b", "http://other/b"),
        ("https://other:8443/b#part", "https://other:8443/b"), ("?q", "http://host/dir/a?q"),
        ("/a b", "http://host/a%20b"), ("/h\u{f6}he", "http://host/h%C3%B6he"), ("../../up", "http://host/up"),
        ("", "http://host/dir/a"), ("#part", "http://host/dir/a"), ("1:2.jpg", "http://host/dir/1:2.jpg"),
        ("\\b", "http://host/b"), ("\\\\other\\b", "http://other/b"), ("///other/b", "http://other/b"),
        ("%2e%2E/x", "http://host/x"), (".%2e/./%2e/y/..", "http://host/"), ("http:b", "http://host/dir/b"),
        ("http:/b", "http://host/b"), ("https:other", "https://other/"), ("b?c=/../d", "http://host/dir/b?c=/../d"),
        (" \tb\n", "http://host/dir/b"), ("%2ehidden", "http://host/dir/%2ehidden"),
    ])
    func references(reference: String, expected: String) throws {
        #expect(try text(reference, "http://host/dir/a") == expected)
        #expect(try WebAddress("http://host/dir/a").redirected(to: Array(reference.utf8)).text == expected)
    }

    @Test(arguments: [
        ("HTTP:\\\\Host:80/a b", "http://host/a%20b"), ("http:host", "http://host/"), ("http:////host", "http://host/"),
        ("https://h:443/?", "https://h/"), ("http://h:0081/", "http://h:81/"), ("http://h:/x", "http://h/x"),
        ("ht\ntp://h/a\tb", "http://h/ab"), ("\u{0}http://h/\u{1f} ", "http://h/"),
        ("http://h/a|b[c]^`{}\"<>\\'", "http://h/a|b[c]%5E%60%7B%7D%22%3C%3E/'"),
        ("http://h/%zz%20", "http://h/%zz%20"),
        ("http://h?a'b\"\\ ü", "http://h/?a%27b%22\\%20%C3%BC"), ("http://h/\u{0}\u{7f}", "http://h/%00%7F"),
        ("http://me@home:p@q@h/", "http://me%40home:p%40q@h/"), ("http://@h/", "http://h/"),
        ("http://:@h/", "http://h/"), ("http://u:@h/", "http://u@h/"), ("http://:p@h/", "http://:p@h/"),
        ("http://u:a:b/@h/", "invalid"), ("http://h/x@y", "http://h/x@y"),
        ("http://h/../../a/./b/..", "http://h/a/"),
    ])
    func addressesAsBrowsersReadThem(address: String, expected: String) throws {
        #expect((try? text(address)) ?? "invalid" == expected)
    }

    /// Everybody reads a host alike, wherever it stands.
    @Test(arguments: [
        ("①②⑦.0.0.2", "127.0.0.2"), ("bu\u{308}cher.de", "xn--bcher-kva.de"), ("b%C3%BCcher.de", "xn--bcher-kva.de"),
        ("ＬＯＣＡＬＨＯＳＴ", "localhost"), ("ｇｏ.com", "go.com"), ("Faß.de", "xn--fa-hia.de"), ("한국。kr", "xn--3e0b707e.kr"),
        ("☕.example", "xn--53h.example"), ("💩ü.la", "xn--tda7496w.la"), ("XN--53H.Example", "xn--53h.example"),
        ("1.2.3.4.", "1.2.3.4"), ("0x7F.1", "127.0.0.1"), ("0177.0.0.01", "127.0.0.1"), ("2130706433", "127.0.0.1"),
        ("%31%32%37.1", "127.0.0.1"), ("1%2e2%2E3.4", "1.2.3.4"), ("[0:0::0:1]", "[::1]"), ("[::ABCD]", "[::abcd]"),
        ("[::ffff:7f00:1]", "[::ffff:127.0.0.1]"), ("a_b.c", "a_b.c"), ("host.", "host."), ("a..b", "a..b"),
        ("XN--a", "xn--a"), ("FAẞ.de", "xn--fa-hia.de"), ("r3---SN.bücher。de", "r3---sn.xn--bcher-kva.de"),
        ("-x-.bücher.de", "-x-.xn--bcher-kva.de"),
    ])
    func hosts(host: String, expected: String) throws {
        for text in ["http://\(host)/b", "//\(host)/b", "\\\\\(host)/b", "https://u:p@\(host):8443/"] {
            let address = try WebAddress(text, relativeTo: WebAddress("http://elsewhere/"))
            #expect(address.host == expected)
            #expect(
                (address.literal != nil) == (expected.contains("[") || expected.allSatisfy { $0 == "." || $0.isNumber })
            )
            #expect(try WebAddress(address.text) == address)
        }
    }

    @Test(arguments: [
        "256.256.256.256", "1.2.3.4.5", "a.0x7f", "1..2", "09.1.1.1", "0x1ffffffff", "a／b.de", "ａ＠b.de", "ü\u{0}.de",
        "a%2fb", "a%00b", "a%40b", "a%3a80", "a%5bb", "a%7Cb", "a|b", "a b", "a%20b", "a%b", "%", "%C3", "a<b", "a^b",
        "a\u{7f}b",
        "[]", "[::g]", "[::1%25lo]", "[::1]x", "[127.0.0.1]", "xn--ü.de", "\u{ad}", "\u{5D0}1\u{5D0}a",
        "xn--a.ß", "xN--a.ß", "look\u{5BE}out.net",
    ])
    func hostsThatAreNone(host: String) {
        #expect(throws: WebAddress.ParsingError.host) { try WebAddress("http://\(host)/") }
        #expect(throws: WebAddress.ParsingError.host) {
            try WebAddress("http://host/a").redirected(to: Array("//u:p@\(host):81/b".utf8))
        }
    }

    @Test(
        arguments: [
            ("", .relative), ("host/a", .relative), ("//host/", .relative), ("http://", .noHost),
            ("http://:80/", .noHost),
            ("http://u@/x", .noHost), ("http:///?x", .noHost), ("http://h:65536/", .port), ("http://h:8a/", .port),
            ("http://h:-1/", .port), ("http://h:+80/", .port), ("http://h: 80/", .port), ("http://a:b@c:d/", .port),
            ("http://[::1/", .openBracket), ("ftp://host/a", .scheme("ftp")), ("FILE:///etc/passwd", .scheme("file")),
            ("gopher:x", .scheme("gopher")), ("c:\\x", .scheme("c")), ("http", .relative), ("1http://h", .relative),
        ] as [(String, WebAddress.ParsingError)])
    func textsThatAreNoAddress(text: String, error: WebAddress.ParsingError) {
        #expect(throws: error) { try WebAddress(text) }
        #expect(!"\(error)".isEmpty)
    }

    @Test func userAndPasswordStayWithTheirOrigin() throws {
        let address = try WebAddress("http://me:secret@host/a")
        #expect(try address.redirected(to: Array("/b".utf8)).text == "http://me:secret@host/b")
        #expect(try address.redirected(to: Array("http://HOST:80/b".utf8)).text == "http://me:secret@host/b")
        #expect(try address.redirected(to: Array("http://you@host/b".utf8)).text == "http://you@host/b")
        for other in ["http://other/b", "https://host/b", "http://host:81/b", "//other/b", "\\\\other\\b"] {
            #expect(try !address.redirected(to: Array(other.utf8)).text.contains("secret"))
        }
        #expect(address.hasCredentials && address.withoutCredentials.text == "http://host/a")
        #expect("\(address)" == "http://host/a")
    }

    /// A server's bytes need not be text; browsers escape them one by one.
    @Test(
        arguments: [
            ([0x2F, 0xE9, 0x3F, 0xFC], "http://h/%E9?%FC"), ([0x3F, 0x80, 0x20, 0xFF], "http://h/?%80%20%FF"),
            ([0x2F, 0xC3, 0xA9, 0xC3], "http://h/%C3%A9%C3"),
            (Array("//u:".utf8) + [0xE9] + Array("@i/".utf8), "http://u:%E9@i/"),
            (Array("//caf".utf8) + [0xE9], "invalid"), (Array("//caf".utf8) + [0xC3, 0xA9], "http://xn--caf-dma/"),
        ] as [([UInt8], String)])
    func redirectsInBytes(location: [UInt8], expected: String) throws {
        let address = try? WebAddress("http://h").redirected(to: location)
        #expect(address?.text ?? "invalid" == expected)
        if let address { #expect(try WebAddress(address.text) == address) }
    }

    @Test func parts() throws {
        let address = try WebAddress("https://u:p@Example.org/a/b?c?d#e")
        #expect(address.scheme == "https" && address.host == "example.org" && address.port == 443)
        #expect(address.path == "/a/b" && address.query == "c?d")
        #expect(try WebAddress("http://h").path == "/" && WebAddress("http://h").query == nil)
        #expect(try WebAddress("http://h:8080/?q").port == 8080 && WebAddress("http://h:8080/?q").query == "q")
        #expect(address.withoutCredentials.url.absoluteString == "https://example.org/a/b?c?d")
        // Foundation has no such signs in a path.
        #expect(try WebAddress("http://h/a|b").url.absoluteString == "http://h/a%7Cb")
    }

    @Test func originsAreComparable() throws {
        #expect(try WebAddress("http://Host/").origin == WebAddress("http://host:80/a").origin)
        #expect(try WebAddress("https://host/").origin != WebAddress("http://host/").origin)
        #expect(try WebAddress("http://Host:80") == WebAddress("http://host/#x"))
    }

    @Test func resources() throws {
        let web = ResourceAddress(try #require(URL(string: "HTTP://h/a")))
        #expect(web == .web(try WebAddress("http://h/a")) && web.text == "http://h/a")
        let file = URL(filePath: "/a b")
        #expect(ResourceAddress(file) == .file(file) && ResourceAddress(file).url == file)
        let other = try #require(URL(string: "ftp://h/a"))
        #expect(ResourceAddress(other) == .unusable(other, .scheme("ftp")))
        let base = try #require(URL(string: "http://host/dir/"))
        #expect(ResourceAddress(try #require(URL(string: "a", relativeTo: base))).text == "http://host/dir/a")
    }

    @Test func addressesOfAnyLength() throws {
        let long = "http://h/" + String(repeating: "a", count: 1_000_000)
        #expect(try text(long) == long)
        let longer = "http://h/" + String(repeating: "a", count: 9_000_000)
        #expect(throws: WebAddress.ParsingError.unreadable) { try WebAddress(longer) }
    }
}
