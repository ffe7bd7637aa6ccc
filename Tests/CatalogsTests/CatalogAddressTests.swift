import Catalogs
import FoundationEssentials
import Testing
import Transfers

/// Addresses become URLs by the place of their catalog, or say why not.
struct CatalogAddressTests {
    @Test func aListOnThisMachineOpensOnlyWhatItNames() throws {
        for origin in [Sample.local, .standardInput(currentDirectory: "/"), .folder(path: "/")] {
            let catalog = try Sample.catalog("http://192.168.1.5/a.jpg", origin)
            #expect(catalog.addressGuard == .named)
        }
        #expect(try Sample.catalog("a.jpg", Sample.remote).addressGuard == .closed)
    }

    private func outcome(_ address: String, _ origin: Catalog.Origin) throws -> String {
        let quoted = address.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        return try Sample.catalog("[\"\(quoted)\"]", origin).outcome(0)
    }

    @Test(arguments: [
        ("/a b.jpg", "file:///a%20b.jpg"), ("a b.jpg", "file:///photos/a%20b.jpg"),
        (" a.jpg\n", "file:///photos/a.jpg"),
        ("a%20b#1?.jpg", "file:///photos/a%2520b%231%3F.jpg"), ("../x.jpg", "file:///photos/../x.jpg"),
        ("ảnh.jpg", "file:///photos/%E1%BA%A3nh.jpg"), ("file:///a%20b/c.jpg", "file:///a%20b/c.jpg"),
        ("FILE://localhost/ảnh 1.jpg?x", "file:///%E1%BA%A3nh%201.jpg"), ("file:/x.jpg", "file:///x.jpg"),
        ("http://h/a b|c[1].jpg", "http://h/a%20b|c[1].jpg"),
        ("HTTPS://h:443/%20%zz?q=ă#f", "https://h/%20%zz?q=%C4%83"),
        ("http://한국.kr/x", "http://xn--3e0b707e.kr/x"), ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://bu\u{308}cher.example/", "http://xn--bcher-kva.example/"), ("http://ｇｏ.com/", "http://go.com/"),
        ("http://Faß.example/", "http://xn--fa-hia.example/"), ("http://한국。kr", "http://xn--3e0b707e.kr/"),
        ("http://me@home:p@h/", "http://me%40home:p@h/"), ("http:\\\\h\\x", "http://h/x"),
        ("http://user:p%40@h/", "http://user:p%40@h/"), ("http://[::1]:80/x", "http://[::1]/x"),
        ("http:/h", "http://h/"), ("http://h/a\nb", "http://h/ab"), ("http://☕.example/", "http://xn--53h.example/"),
    ])
    func aLocalCatalogsAddresses(_ address: String, _ url: String) throws {
        #expect(try outcome(address, Sample.local) == url)
    }

    @Test(arguments: [
        ("", "it is empty"), ("http://", "it has no host"),
        ("http://:80/", "it has no host"), ("http://h:65536/", "its port is no number from 0 to 65535"),
        ("http://h:8a/", "its port is no number from 0 to 65535"), ("http://a b/", "its host is no host"),
        ("http://[]/", "its host is no host"), ("http://[::1::]/", "its host is no host"),
        ("http://256.256.256.256/", "its host is no host"), ("http://1.2.3.4.5/", "its host is no host"),
        ("http://a.0x7f/", "its host is no host"), ("http://a／b.com/", "its host is no host"),
        ("http://xn--ü.de/", "its host is no host"), ("http://a|b/", "its host is no host"),
        ("http://[::1/", "the host's “]” is missing"), ("http://[fe80::1%25eth0]/", "its host is no host"),
        ("file://other/x.jpg", "it names a file of another machine"), ("file:///%00", "it is no path"),
        ("file:x.jpg", "a file's address needs a path from the root"), ("file:///%FF", "its path is not UTF-8"),
    ])
    func addressesThatAreNone(_ address: String, _ reason: String) throws {
        #expect(try outcome(address, Sample.local) == "“\(address)” is not an address: \(reason)")
    }

    @Test(arguments: ["ftp", "data", "javascript", "c"])
    func otherSchemesAreForbidden(_ scheme: String) throws {
        for origin in [Sample.local, Sample.remote] {
            let catalog = try Sample.catalog("[\"\(scheme.uppercased()):x\"]", origin)
            guard case .failure(.forbiddenAddress(scheme)) = catalog[0].content else {
                Issue.record("\(catalog.outcome(0))")
                continue
            }
        }
    }

    @Test(arguments: [
        ("a b.jpg", "https://example.org/albums/a%20b.jpg"), ("a%20b.jpg", "https://example.org/albums/a%20b.jpg"),
        ("../x/./y.jpg", "https://example.org/x/y.jpg"), ("/y.jpg", "https://example.org/y.jpg"),
        ("//other/z.jpg", "https://other/z.jpg"), ("?q=1", "https://example.org/albums/list.json?q=1"),
        ("1:2.jpg", "https://example.org/albums/1:2.jpg"), ("http://h/x", "http://h/x"),
        ("../../../../etc/x.jpg", "https://example.org/etc/x.jpg"),
        ("file:///etc/x.jpg", "addresses that begin with “file:” are not allowed in this catalog"),
    ])
    func aRemoteCatalogsAddresses(_ address: String, _ expected: String) throws {
        #expect(try outcome(address, Sample.remote) == expected)
    }

    @Test func standardInputIsRelativeToTheCurrentDirectory() throws {
        #expect(try outcome("a.jpg", .standardInput(currentDirectory: "/here")) == "file:///here/a.jpg")
        #expect(try outcome("a.jpg", .file(path: "/list")) == "file:///a.jpg")
    }

    @Test func namesComeFromAddresses() throws {
        let text = #"["http://h/x/%C4%91.jpg?a=/b#/c", "http://h", "a%20b.jpg", "dir/", "http://h/%ff", "x/?"]"#
        #expect(try Sample.catalog(text).names == ["đ.jpg", "http://h", "a%20b.jpg", "dir/", "%ff", "?"])
        #expect(try Sample.catalog(#"["a%20b.jpg?x"]"#, Sample.remote).names == ["a b.jpg"])
    }

    /// Tables without a header, quoted lists, and what a program writes that was not asked for addresses alone.
    @Test(arguments: [
        "Dune,https://a/1.jpg\nMoon,HTTPS://a/2.jpg\n", "\"https://a/1.jpg\"\n\"https://a/2.jpg\"\n",
        "1\thttps://a/1.jpg\n2\thttp://a/2.jpg\n", "name, url\na, \"https://a/1.jpg\"\nb, \"https://a/2.jpg\"\n",
    ])
    func whatHoldsAnAddressIsNoFile(_ text: String) throws {
        let catalog = try Sample.catalog(text)
        #expect(catalog.count == 2)
        for row in 0..<2 {
            #expect(
                catalog.outcome(row).hasSuffix("it has more than an address; a table begins with its columns' names"))
        }
        let tab = try Sample.catalog("https://a/1.jpg\tA cat\nhttps://a/2.jpg\t\n a\tb.jpg\n")
        #expect(
            tab.outcome(0)
                == "line 1, column 16: it has more than an address; a table begins with its columns' names, such as “url”"
        )
        #expect(tab.outcome(1) == "https://a/2.jpg" && tab.outcome(2) == "file:///photos/a%09b.jpg")
        let file = try Sample.catalog("a,http:/b.jpg\nx/https.jpg\n")
        #expect(file.outcome(0) == "file:///photos/a,http:/b.jpg" && file.outcome(1) == "file:///photos/x/https.jpg")
    }
}
