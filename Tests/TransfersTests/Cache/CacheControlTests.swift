import Testing

@testable import Transfers

@Suite struct CacheControlTests {
    @Test(
        "Directives are read in any case, spacing and quoting, and the stricter of two counts",
        arguments: [
            ("max-age=60", 60), ("Max-Age = 60", 60), ("max-age=\"60\"", 60), ("public,max-age=60", 60),
            (" ,, max-age=60 ,", 60), ("max-age=60, max-age=10", 10), ("max-age=10, max-age=60", 10),
            // What is no number of seconds makes the answer stale.
            ("max-age", 0), ("max-age=", 0), ("max-age=-1", 0), ("max-age=1.5", 0), ("max-age=abc", 0),
            ("max-age=60;", 0), ("max-age=٦٠", 0), ("max-age=60 60", 0),
            ("max-age=2147483648", 1 << 31), ("max-age=99999999999999999999999999", 1 << 31),
            // Others' directives and others' arguments.
            ("s-maxage=5", nil), ("x=\"max-age=60\"", nil), ("x=\"a, max-age=60\"", nil), ("x=\"\\\"\", max-age=7", 7),
            ("maxage=60", nil), ("max-age-of=60", nil), ("", nil), ("=", nil), ("=60", nil), ("\"max-age\"=60", nil),
        ] as [(String, Int?)])
    func maxAge(text: String, expected: Int?) {
        #expect(CacheControl(HeaderFields(["Cache-Control": text])).maxAge == expected)
    }

    @Test("Several fields are one list")
    func fields() {
        let control = CacheControl(
            HeaderFields([
                "cache-control": "public", "Cache-Control": "max-age=5, immutable", "CACHE-CONTROL": "MUST-REVALIDATE",
            ]))
        #expect(control.isPublic && control.isImmutable && control.mustRevalidate && control.maxAge == 5)
        #expect(!control.noStore && !control.noCache)
    }

    @Test("With field names, no-cache is about everything, as a cache may take it")
    func qualified() {
        let control = CacheControl(HeaderFields(["cache-control": "no-cache=\"set-cookie, x\", private"]))
        #expect(control.noCache)
    }

    @Test("Whatever stands in the field, reading it ends well", arguments: UInt64(1)...20)
    func hostile(seed: UInt64) {
        var random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func next(_ bound: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1
            return Int(random >> 33) % bound
        }
        let pieces = ["max-age", "=", "\"", "\\", ",", " ", "no-store", "9", "\u{0}", "é", "stale-if-error=", "\t"]
        for _ in 0..<500 {
            let text = (0..<next(30)).map { _ in pieces[next(pieces.count)] }.joined()
            let control = CacheControl(HeaderFields(["cache-control": text]))
            #expect((control.maxAge ?? 0) >= 0 && control.staleIfError >= 0, "\(seed): \(text)")
            _ = HTTPDate.seconds(text)
        }
        let long = CacheControl(HeaderFields(["cache-control": String(repeating: "\"\\,=", count: 50_000)]))
        #expect(long.maxAge == nil)
    }
}

@Suite struct HTTPDateTests {
    @Test(
        "The three forms, those that servers send in their place, and what is none",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("sun, 06 nov 1994 8:49:37 gmt", 784_111_777), ("Sun, 06-Nov-1994 08:49:37 UTC", 784_111_777),
            ("Sun, 06 Nov 1994 08:49:37 PST", 784_140_577), ("Sun, 06 Nov 1994 09:49:37 +0100", 784_111_777),
            ("Sun,  06  Nov  1994 08:49:37", 784_111_777), ("Sunday, 01-Jan-69 00:00:00 GMT", 3_124_224_000),
            ("0", nil), ("-1", nil), ("", nil), ("now", nil), ("Sun, 06 Nov 1994 08:49:37 AEST", nil),
            ("Sun, 06 Nov 1994 24:00:00 GMT", nil), ("Sun, 00 Nov 1994 08:49:37 GMT", nil),
            ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("1994-11-06T08:49:37Z", nil),
        ] as [(String, Int?)])
    func forms(text: String, expected: Int?) {
        #expect(HTTPDate.seconds(text) == expected)
    }
}
