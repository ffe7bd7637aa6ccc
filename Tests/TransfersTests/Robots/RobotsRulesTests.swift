import Foundation
import Testing

@testable import Transfers

@Suite struct RobotsRulesTests {
    private func allows(_ path: String, _ file: String, token: String = "ClassicPhotos") throws -> Bool {
        let address = try WebAddress("http://example.org\(path)")
        return RobotsRules(Data(file.utf8), for: token).allows(address)
    }

    /// Rules for everybody, and what they let through and what not.
    @Test(
        arguments: [
            ("Disallow: /a", ["/b", "/", "/A"], ["/a", "/a/b", "/ab", "/a?q"]),
            ("Disallow:", ["/", "/a"], []),
            ("Disallow: /", ["/robots.txt"], ["/", "/a", "/robots.txt/a"]),
            ("", ["/a"], []),
            // The longest counts, and of two as long the one that allows.
            ("Disallow: /a\nAllow: /a/b", ["/a/b", "/a/bc"], ["/a", "/a/c"]),
            ("Allow: /a\nDisallow: /a/b", ["/a", "/a/c"], ["/a/b"]),
            ("Disallow: /a\nAllow: /a", ["/a"], []),
            ("Allow: /p\nDisallow: /", ["/page"], ["/a"]),
            ("Allow: /$\nDisallow: /", ["/"], ["/a"]),
            ("Disallow: /*.jpg", ["/a.png", "/jpg"], ["/a.jpg", "/a/b.jpg?q", "/.jpgx"]),
            ("Disallow: /*.jpg$", ["/a.jpg?q", "/a.jpgx"], ["/a.jpg", "/a.jpg.jpg"]),
            ("Disallow: /a*b*c$", ["/abcd", "/acb", "/xabc"], ["/abc", "/a/b/c", "/abcbc"]),
            ("Disallow: *", [], ["/", "/a"]),
            ("Disallow: /***a****b", ["/a", "/%2A"], ["/ab", "/xa/b"]),
            ("Disallow: /%2A*%2A", ["/a*", "/*"], ["/**", "/*a*", "/%2a%2A"]),
            ("Disallow: /a$b", ["/a"], ["/a$b", "/a%24b"]),
            ("Disallow: /*?id=", ["/a?x=1", "/id="], ["/a?id=1"]),
            // It is for anything, a query too.
            ("Disallow: /*to=/", ["/p?to=x"], ["/p?to=/x", "/p/to=/x", "/p?to=%2Fx/to=/"]),
            ("Disallow: /*url=http://", ["/p?url=ftp://"], ["/p?url=http://a"]),
            ("Disallow: /*?c", ["/a?b"], ["/a?b?c", "/a?c"]),
            // What is written in two ways is one.
            ("Disallow: /foo/bar?baz=http://foo.bar", [], ["/foo/bar?baz=http%3A%2F%2Ffoo.bar"]),
            ("Disallow: /foo/bar?baz=http%3a%2f%2ffoo.bar", [], ["/foo/bar?baz=http://foo.bar"]),
            ("Disallow: /bücher", [], ["/b%C3%BCcher", "/b%c3%bccher/1"]),
            ("Disallow: /b%C3%BCcher", [], ["/bücher"]),
            ("Disallow: /%62%7Ea", [], ["/b~a"]),
            ("Disallow: /a%2Fb", ["/a/b"], ["/a%2fb"]),
            ("Disallow: /file-with-a-%2A.html", ["/file-with-a-b.html"], ["/file-with-a-*.html"]),
            // Other lines do not count, and neither does how these are written.
            ("Sitemap: /x\nCrawl-delay: 9\ndisALLOW :  /a  # all of it\r\n\rAllow:/a/b", ["/a/b"], ["/a"]),
            ("nonsense\n: /\nDisallow /b\nDisallow: /a", ["/b"], ["/a"]),
        ] as [(String, [String], [String])])
    func rules(_ rules: String, allowed: [String], disallowed: [String]) throws {
        for path in allowed { #expect(try allows(path, "User-agent: *\n\(rules)"), "\(path)") }
        for path in disallowed { #expect(try !allows(path, "User-agent: *\n\(rules)"), "\(path)") }
    }

    @Test func groupsAreForThoseThatTheyName() throws {
        let file = """
            \u{FEFF}Disallow: /nobody
            User-agent: *
            Disallow: /all
            User-agent: Other/2.0
            User-agent: classicphotos/1
            Sitemap: https://example.org/map
            Disallow: /ours
            User-Agent: Third
            Disallow: /third
            User-agent: CLASSICPHOTOS
            Disallow: /more
            """
        #expect(try allows("/nobody", file))
        // Who has a group of its own has no other; groups of one name are one.
        #expect(try allows("/all", file))
        #expect(try allows("/third", file))
        #expect(try !allows("/ours", file))
        #expect(try !allows("/more", file))
        #expect(try !allows("/ours", file, token: "other"))
        #expect(try allows("/more", file, token: "other"))
        for token in ["", "Fourth", "Classic", "ClassicPhotosX"] {
            #expect(try !allows("/all", file, token: token), "\(token)")
            #expect(try allows("/ours", file, token: token), "\(token)")
        }
        #expect(try allows("/a", "User-agent: other\nDisallow: /"))
    }

    @Test(arguments: [
        ("ClassicPhotos", "ClassicPhotos"), ("My_Photo-Bot/2.1 (+https://example.org)", "My_Photo-Bot"), ("", ""),
        ("2nd", ""), ("Bot 7", "Bot"),
    ])
    func tokens(userAgent: String, token: String) {
        #expect(RobotsRules.token(of: userAgent.utf8) == token)
    }

    /// All of 500 KiB is read, and bytes of any kind do no harm.
    @Test func longAndStrangeFiles() throws {
        let line = "Disallow: /x\n"
        let filler = String(repeating: line, count: (RobotsRules.longestFile - 60) / line.utf8.count)
        #expect(try !allows("/last", "User-agent: *\n" + filler + "Disallow: /last\n"))
        let bytes = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 2) })
        #expect(RobotsRules(bytes, for: "a").allows(try WebAddress("http://a/b")))
        #expect(RobotsRules(Data(), for: "a").allows(try WebAddress("http://a/b")))
        // Stars without end take no time without end.
        let stars = "User-agent: *\nDisallow: /" + String(repeating: "a*", count: 2_000) + "b$"
        #expect(try allows("/" + String(repeating: "a", count: 4_000), stars))
    }

    /// Rules longer than any path of a site that means them are left out.
    @Test func longRulesAreLeftOut() throws {
        let long = "/" + String(repeating: "a", count: 2_999)
        #expect(try allows(long, "User-agent: *\nDisallow: \(long)"))
        #expect(try !allows(long, "User-agent: *\nDisallow: \(long)\nDisallow: \(long.prefix(1_000))"))
    }

    /// Pieces are looked for in the beginning of a path; its end is its end.
    @Test func severalWildcardsInARowAreAsOne() {
        func canonical(_ text: String, escapesWildcards: Bool = false) -> String {
            String(
                decoding: RobotsPattern.canonical(Array(text.utf8), escapesWildcards: escapesWildcards), as: UTF8.self)
        }
        #expect(canonical("/***a**%2A**") == "/*a*%2A*")
        #expect(canonical("/***a", escapesWildcards: true) == "/%2A%2A%2Aa")
    }

    @Test func wildcardsInLongPaths() throws {
        let path = "/a" + String(repeating: "x", count: 10_000) + "b.jpg"
        #expect(try !allows(path, "User-agent: *\nDisallow: /*.jpg$"))
        #expect(try !allows(path, "User-agent: *\nDisallow: /a*x*.jpg$"))
        #expect(try !allows(path, "User-agent: *\nDisallow: /a*"))
        #expect(try allows(path, "User-agent: *\nDisallow: /*.png$"))
        #expect(try allows(path, "User-agent: *\nDisallow: /*b"))
    }

    /// What a file asks for is done up to a bound, and no more of it than that is counted.
    @Test func hostileRulesAreNotWorkedThrough() throws {
        let hostile = "Disallow: /*" + String(repeating: "a", count: 980) + "b\n"
        let path = "/" + String(repeating: "a", count: 60_000)
        let file = Data(("User-agent: *\n" + String(repeating: hostile, count: 510)).utf8)
        let rules = RobotsRules(file, for: "")
        var budget = RobotsRules.mostWork
        #expect(try !rules.allows(WebAddress("http://a\(path)"), budget: &budget))
        #expect((-2_000..<0).contains(budget), "\(budget)")
        // An address of the usual length is worth asking for.
        budget = RobotsRules.mostWork
        #expect(try rules.allows(WebAddress("http://a\(path.prefix(900))"), budget: &budget))
        #expect(budget > RobotsRules.mostWork / 2, "\(budget)")
        // So are all addresses where there are many rules without wildcards.
        let plain = Data(("User-agent: *\n" + String(repeating: "Disallow: /a\u{FC}b\n", count: 30_000)).utf8)
        budget = RobotsRules.mostWork
        #expect(try RobotsRules(plain, for: "").allows(WebAddress("http://a\(path)"), budget: &budget))
        #expect(budget > 0)
    }

    @Test(
        arguments: [
            (["noai"], "noai"), (["noindex, NoAI , nofollow"], "noai"), (["index", "noimageai"], "noimageai"),
            (["none"], nil), (["noindex"], nil), ([], nil), (["noaix"], nil),
            (["ClassicPhotos: noai"], "noai"), (["classicphotos: nofollow, noai"], "noai"), (["*: noai"], "noai"),
            (["otherbot: noai"], nil), (["otherbot: nofollow, noai"], nil), (["otherbot: nofollow", "noai"], "noai"),
            (["unavailable_after: Wednesday, 25-Jun-30 15:00:00 PST, noai"], "noai"),
            (["unavailable_after: Wed, 25 Jun 2030 15:00:00 GMT, noai"], "noai"),
            (["unavailable_after: 25 Jun 2030 15:00:00 PST, noai"], "noai"), (["max-snippet: 5", "noai"], "noai"),
            (["otherbot: max-snippet: 5, noai"], nil), ([":,:, ,noai:"], nil),
        ] as [([String], String?)])
    func tags(fields: [String], directive: String?) {
        let found = RobotsTag.directive(in: fields, respecting: ["noai", "noimageai"], token: "ClassicPhotos")
        #expect(found == directive)
    }

    @Test func noneStandsForTwo() {
        #expect(RobotsTag.directive(in: ["none"], respecting: ["noindex"], token: "") == "none")
    }

    @Test("A rule that the end of what is read cuts through does not count")
    func half() throws {
        let rule = "Disallow: /private\n"
        let head = "User-agent: *\nDisallow: /first\n#"
        let filler = String(
            repeating: "-", count: RobotsRules.longestFile - head.utf8.count - 1 - "Disallow: /p".utf8.count)
        let file = head + filler + "\n" + rule
        #expect(try allows("/pictures/a.jpg", file))
        #expect(try !allows("/first", file))
    }
}
