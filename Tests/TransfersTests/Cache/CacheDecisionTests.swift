import Testing

@testable import Transfers

@Suite struct CacheDecisionTests {
    private static let now = FreshnessTests.now

    /// An answer that arrived `seconds` ago.
    private func record(_ fields: KeyValuePairs<String, String>, _ seconds: Int, redirect: Int? = nil) -> CacheRecord {
        CacheRecord(
            address: "http://a/", fingerprint: AddressFingerprint.of("http://a/"), status: 200,
            fields: HeaderFields(fields), requestedAt: Self.now - seconds, receivedAt: Self.now - seconds,
            redirectLifetime: redirect, places: [],
            bodyCount: 1, bodyChecksum: 0)
    }

    @Test(
        "What is done with what is stored",
        arguments: [
            (["Cache-Control": "max-age=60"], 10, .standard, .use),
            (["Cache-Control": "max-age=60"], 60, .standard, .fetch),
            (["Cache-Control": "max-age=60", "ETag": "\"a\""], 60, .standard, .validate),
            (["Cache-Control": "max-age=60", "Last-Modified": FreshnessTests.date], 60, .standard, .validate),
            (["Cache-Control": "max-age=60"], -5, .standard, .fetch),
            (["Cache-Control": "max-age=60, no-cache", "ETag": "\"a\""], 10, .standard, .validate),
            (["Cache-Control": "max-age=60, must-revalidate", "ETag": "\"a\""], 10, .standard, .use),
            (["Cache-Control": "max-age=60, must-revalidate", "ETag": "\"a\""], 70, .standard, .validate),
            (
                ["Cache-Control": "max-age=60, stale-while-revalidate=10", "ETag": "\"a\""], 69, .standard,
                .useAndRevalidate
            ),
            (["Cache-Control": "max-age=60, stale-while-revalidate=10", "ETag": "\"a\""], 70, .standard, .validate),
            (
                ["Cache-Control": "max-age=60, must-revalidate, stale-while-revalidate=10", "ETag": "\"a\""], 69,
                .standard, .validate
            ),
            (["Cache-Control": "max-age=60", "ETag": "\"a\""], 10, .revalidated, .validate),
            (["Cache-Control": "max-age=60"], 10, .revalidated, .fetch),
            (["Cache-Control": "max-age=60, immutable", "ETag": "\"a\""], 10, .revalidated, .use),
            (["Cache-Control": "max-age=60, immutable", "ETag": "\"a\""], 60, .revalidated, .validate),
            (["Cache-Control": "max-age=60, immutable", "ETag": "\"a\""], 10, .reload, .fetch),
            (["Cache-Control": "max-age=60"], 10, .onlyIfCached, .use),
            (["Cache-Control": "max-age=60"], 999_999, .onlyIfCached, .use),
            (["Cache-Control": "max-age=60, must-revalidate"], 10, .onlyIfCached, .use),
            (["Cache-Control": "max-age=60, must-revalidate"], 60, .onlyIfCached, .fail),
            (["Cache-Control": "max-age=60, no-cache"], 10, .onlyIfCached, .fail),
            // A tag that would break the request's head is none.
            (["ETag": "\"a\u{1}\""], 10, .standard, .fetch),
        ] as [(KeyValuePairs<String, String>, Int, CachePolicy, CacheDecision)])
    func table(fields: KeyValuePairs<String, String>, age: Int, policy: CachePolicy, expected: CacheDecision) {
        #expect(CacheDecision(for: record(fields, age), policy, now: Self.now) == expected)
    }

    @Test("A failure is used while it is fresh, five minutes at most, and asked for whole then")
    func failures() {
        var failure = record(["Cache-Control": "max-age=60", "ETag": "\"a\""], 10)
        failure.status = 404
        let stale = Self.now + 60
        #expect(CacheDecision(for: failure, .standard, now: Self.now) == .use)
        #expect(CacheDecision(for: failure, .standard, now: stale) == .fetch)
        #expect(CacheDecision(for: failure, .revalidated, now: Self.now) == .fetch)
        #expect(CacheDecision(for: failure, .onlyIfCached, now: Self.now) == .use)
        #expect(CacheDecision(for: failure, .onlyIfCached, now: stale) == .fail)
        #expect(!failure.mayStandIn(for: .unreachable("x"), now: stale))
        failure.fields = HeaderFields(["Cache-Control": "max-age=9999, stale-while-revalidate=9999"])
        #expect(CacheDecision(for: failure, .standard, now: Self.now + 289) == .use)
        #expect(CacheDecision(for: failure, .standard, now: Self.now + 290) == .fetch)
    }

    @Test("Nothing stored")
    func nothing() {
        #expect(CacheDecision(for: nil, .standard, now: Self.now) == .fetch)
        #expect(CacheDecision(for: nil, .onlyIfCached, now: Self.now) == .fail)
    }

    @Test("An answer behind a redirect is as fresh as the redirect")
    func redirects() {
        let fields: KeyValuePairs = ["Cache-Control": "max-age=60", "ETag": "\"a\""]
        #expect(CacheDecision(for: record(fields, 10, redirect: 11), .standard, now: Self.now) == .use)
        #expect(CacheDecision(for: record(fields, 10, redirect: 10), .standard, now: Self.now) == .validate)
        var answer = CacheExchange.Answer()
        #expect(answer.redirectLifetime(receivedAt: Self.now) == nil)
        answer.redirects = [.init(status: 301, fields: HeaderFields())]
        #expect(answer.redirectLifetime(receivedAt: Self.now) == 86_400)
        answer.redirects.append(.init(status: 302, fields: HeaderFields(["Cache-Control": "max-age=7"])))
        #expect(answer.redirectLifetime(receivedAt: Self.now) == 7)
        answer.redirects.append(.init(status: 302, fields: HeaderFields()))
        #expect(answer.redirectLifetime(receivedAt: Self.now) == 0)
    }

    @Test("What an answer allows while it is stale says nothing about the redirects that led to it")
    func staleRedirects() {
        let fields: KeyValuePairs = ["Cache-Control": "max-age=60, stale-while-revalidate=99", "ETag": "\"a\""]
        #expect(CacheDecision(for: record(fields, 70, redirect: 80), .standard, now: Self.now) == .useAndRevalidate)
        #expect(CacheDecision(for: record(fields, 70, redirect: 70), .standard, now: Self.now) == .validate)
        var record = record(fields, 10, redirect: 0)
        #expect(CacheDecision(for: record, .onlyIfCached, now: Self.now) == .use)
        #expect(record.mayStandIn(for: .unreachable("x"), now: Self.now))
        record.mustAskRedirects = true
        #expect(CacheDecision(for: record, .onlyIfCached, now: Self.now) == .fail)
        #expect(!record.mayStandIn(for: .unreachable("x"), now: Self.now))
    }

    @Test(
        "Which redirects are followed anew each time",
        arguments: [
            ([:], false), (["Cache-Control": "max-age=9"], false), (["Cache-Control": "no-store"], true),
            (["Cache-Control": "no-cache"], true), (["Cache-Control": "max-age=9, must-revalidate"], true),
            (["Vary": "*"], true), (["Vary": "Range"], true), (["Vary": "Accept"], false),
            (["Vary": "User-Agent"], false),
        ] as [(KeyValuePairs<String, String>, Bool)])
    func redirectsToAsk(fields: KeyValuePairs<String, String>, mustAsk: Bool) {
        var answer = CacheExchange.Answer()
        #expect(!answer.mustAskRedirects)
        answer.redirects = [
            .init(status: 301, fields: HeaderFields()), .init(status: 301, fields: HeaderFields(fields)),
        ]
        #expect(answer.mustAskRedirects == mustAsk)
        if fields.contains(where: { $0.key == "Vary" }), mustAsk {
            #expect(answer.redirectLifetime(receivedAt: Self.now) == 0)
        }
    }

    @Test("What a stale copy may stand in for")
    func standingIn() {
        let plain = record(["Cache-Control": "max-age=60"], 100)
        let errors = record(["Cache-Control": "max-age=60, stale-if-error=41"], 100)
        let late = record(["Cache-Control": "max-age=60, stale-if-error=40"], 100)
        let strict = record(["Cache-Control": "max-age=60, stale-if-error=99, must-revalidate"], 100)
        let asking = record(["Cache-Control": "max-age=60, stale-if-error=99, no-cache"], 100)
        for error: TransferError in [.unreachable("x"), .timeout(.idle, .zero), .truncated] {
            let answers = [plain, errors, strict, asking].map { $0.mayStandIn(for: error, now: Self.now) }
            #expect(answers == [true, true, false, false])
        }
        for status in [500, 502, 503, 504] {
            let answers = [plain, errors, late, strict, asking].map {
                $0.mayStandIn(for: .http(status: status), now: Self.now)
            }
            #expect(answers == [false, true, false, false, false])
        }
        for error: TransferError in [.http(status: 404), .http(status: 403), .tooLarge(limit: 1), .cancelled] {
            #expect(!errors.mayStandIn(for: error, now: Self.now))
        }
    }

    @Test("Status 304 replaces what it names and nothing else")
    func update() {
        let old = HeaderFields([
            "Content-Type": "image/png", "ETag": "\"a\"", "Cache-Control": "max-age=1", "Age": "9", "Vary": "accept",
        ])
        let new = old.updated(
            by: HeaderFields(["Cache-Control": "max-age=5", "Content-Type": "text/html", "X-Other": "1", "Date": "d"]))
        #expect(new.first("content-type") == "image/png" && new.first("etag") == "\"a\"")
        #expect(new.values("cache-control") == ["max-age=5"] && new.first("age") == nil && new.first("date") == "d")
        #expect(new.first("x-other") == nil && new.first("vary") == "accept")
    }

    @Test("Conditions go to the address that gave the answer only, and a tag has to be the same")
    func validators() {
        let validators = record(["ETag": "W/\"a\"", "Last-Modified": "then"], 0).validators
        #expect(validators.lines(for: "http://a/") == ["If-None-Match: W/\"a\"", "If-Modified-Since: then"])
        #expect(validators.lines(for: "http://b/").isEmpty)
        #expect(validators.matches(HeaderFields(["etag": "\"a\""])) && validators.matches(HeaderFields()))
        #expect(!validators.matches(HeaderFields(["etag": "\"b\""])))
        // Where there is no tag to compare, the date says what is meant.
        #expect(validators.matches(HeaderFields(["last-modified": "then"])))
        #expect(!validators.matches(HeaderFields(["last-modified": "earlier"])))
        #expect(validators.matches(HeaderFields(["etag": "\"a\"", "last-modified": "earlier"])))
        let dated = record(["Last-Modified": "then"], 0)
        #expect(dated.validators.matches(HeaderFields(["last-modified": "then", "etag": "W/\"a\""])))
        #expect(!dated.validators.matches(HeaderFields(["last-modified": "then", "etag": "\"a\""])))
        #expect(!dated.validators.matches(HeaderFields(["last-modified": "earlier", "etag": "W/\"a\""])))
        // What is no tag says nothing.
        #expect(dated.validators.matches(HeaderFields(["last-modified": "then", "etag": ""])))
        // A body does not get a tag that it came without.
        #expect(dated.fields.updated(by: HeaderFields(["ETag": "W/\"a\""])).first("etag") == nil)
    }

    @Test("A guarded request does not see what it could not have fetched")
    func seenThroughGuards() {
        var guarded = record([:], 0)
        guarded.places = [.init(host: "a", address: "10.0.0.1")]
        #expect(guarded.mayBeSeen(through: .open) && !guarded.mayBeSeen(through: .closed))
        guarded.places = [.init(host: "a", address: "93.184.216.34")]
        #expect(guarded.mayBeSeen(through: .closed))
    }
}
