import Testing

@testable import Transfers

/// Tables after RFC 9111, with an answer that is asked for at 1,000,000,000 (Sun, 09 Sep 2001 01:46:40 GMT).
@Suite struct FreshnessTests {
    static let now = 1_000_000_000
    static let date = "Sun, 09 Sep 2001 01:46:40 GMT"
    static let tenHoursBefore = "Sat, 08 Sep 2001 15:46:40 GMT"
    static let hourLater = "Sun, 09 Sep 2001 02:46:40 GMT"

    struct Case: Sendable, CustomTestStringConvertible {
        let fields: KeyValuePairs<String, String>
        let lifetime: Int
        var age = 0
        var delay = 0
        var testDescription: String { "\(fields)" }
    }

    @Test(
        "Lifetime and age on arrival",
        arguments: [
            Case(fields: [:], lifetime: 0),
            Case(fields: ["Cache-Control": "max-age=60"], lifetime: 60),
            // max-age comes before Expires (5.3), also when it is none.
            Case(fields: ["Date": date, "Cache-Control": "max-age=60", "Expires": hourLater], lifetime: 60),
            Case(fields: ["Date": date, "Cache-Control": "max-age=x", "Expires": hourLater], lifetime: 0),
            // A shared cache's directive is not ours (5.2.2.10).
            Case(fields: ["Date": date, "Cache-Control": "s-maxage=5", "Expires": hourLater], lifetime: 3_600),
            Case(fields: ["Date": date, "Expires": hourLater], lifetime: 3_600),
            Case(fields: ["Expires": hourLater], lifetime: 3_600),
            Case(fields: ["Date": hourLater, "Expires": date], lifetime: 0),
            Case(fields: ["Date": date, "Expires": "0"], lifetime: 0),
            Case(fields: ["Date": date, "Expires": "-1", "Last-Modified": tenHoursBefore], lifetime: 0),
            Case(fields: ["Expires": hourLater, "expires": date], lifetime: 0),
            // A tenth of the time since the last change (4.2.2), at most a day.
            Case(fields: ["Date": date, "Last-Modified": tenHoursBefore], lifetime: 3_600),
            Case(fields: ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], lifetime: 86_400),
            Case(fields: ["Date": date, "Last-Modified": hourLater], lifetime: 0),
            Case(fields: ["Date": date, "Last-Modified": "long ago"], lifetime: 0),
            // What was said counts before the guess.
            Case(fields: ["Last-Modified": tenHoursBefore, "Cache-Control": "max-age=0"], lifetime: 0),
            // 4.2.3
            Case(fields: ["Date": tenHoursBefore, "Cache-Control": "max-age=9"], lifetime: 9, age: 36_000),
            Case(fields: ["Date": hourLater, "Cache-Control": "max-age=9"], lifetime: 9, age: 0),
            Case(fields: ["Date": date, "Age": "20"], lifetime: 0, age: 20),
            Case(fields: ["Date": date, "Age": "20"], lifetime: 0, age: 25, delay: 5),
            Case(fields: ["Date": date], lifetime: 0, age: 5, delay: 5),
            Case(fields: ["Date": tenHoursBefore, "Age": "20"], lifetime: 0, age: 36_000, delay: 5),
            Case(fields: ["Date": date, "Age": "-20"], lifetime: 0),
            Case(fields: ["Date": date, "Age": "20, 30"], lifetime: 0, age: 20),
            Case(fields: ["Date": date, "Age": "99999999999999999999"], lifetime: 0, age: 1 << 31),
        ])
    func table(row: Case) {
        let freshness = Freshness(
            HeaderFields(row.fields), requestedAt: Self.now - row.delay, receivedAt: Self.now)
        #expect(freshness.lifetime == row.lifetime)
        #expect(freshness.initialAge == row.age)
    }

    @Test("An answer that is confirmed without a date is as new as its confirmation")
    func confirmedWithoutDate() {
        let stored = HeaderFields(["Date": Self.tenHoursBefore, "Age": "20", "Cache-Control": "max-age=60"])
        let updated = stored.updated(by: HeaderFields(["ETag": "1"]))
        #expect(Freshness(updated, requestedAt: Self.now, receivedAt: Self.now).initialAge == 0)
        let dated = stored.updated(by: HeaderFields(["Date": Self.date]))
        #expect(dated.values("date") == [Self.date])
    }

    @Test("Fresh is younger than its lifetime, and unknown where the clock was set back")
    func staleness() {
        let fields = HeaderFields(["Cache-Control": "max-age=60", "Age": "10"])
        let freshness = Freshness(fields, requestedAt: Self.now, receivedAt: Self.now)
        #expect(freshness.staleness(at: Self.now + 49) == 0)
        #expect(freshness.staleness(at: Self.now + 50) == 1)
        #expect(freshness.staleness(at: Self.now - 1) == .max)
    }

    @Test(
        "What may be stored",
        arguments: [
            (200, [:], true), (203, [:], true), (204, [:], false), (206, [:], false), (404, [:], false),
            (404, ["Cache-Control": "max-age=9"], true), (410, ["Expires": date], true),
            (404, ["Last-Modified": date], true),
            (204, ["Cache-Control": "public"], true), (201, ["Last-Modified": date], false),
            (201, ["Expires": date], true),
            (403, ["Last-Modified": date], false), (403, ["Cache-Control": "max-age=9"], false),
            (429, ["Cache-Control": "max-age=9"], false), (401, ["Cache-Control": "public"], false),
            (503, ["Cache-Control": "max-age=9"], false), (501, ["Cache-Control": "max-age=9"], true),
            (206, ["Cache-Control": "max-age=9"], false), (304, ["Cache-Control": "max-age=9"], false),
            (404, ["Cache-Control": "max-age=9, no-store"], false),
            (200, ["Cache-Control": "no-store, must-understand"], true),
            (499, ["Cache-Control": "max-age=9, no-store, must-understand"], false),
            (200, ["Cache-Control": "no-store"], false), (200, ["Cache-Control": "max-age=9, NO-STORE"], false),
            (200, ["Cache-Control": "private"], true), (200, ["Cache-Control": "no-cache"], true),
            (200, ["Vary": "Accept-Encoding"], true), (200, ["Vary": "accept, Origin"], true),
            (200, ["Vary": "*"], false), (200, ["Vary": "Accept", "vary": "*"], false),
            (200, ["Vary": "User-Agent, Accept"], true), (200, ["Vary": "X-Anything"], true),
            (200, ["Vary": "Range"], false), (200, ["Vary": "Accept, If-Range"], false), (200, ["Vary": "Host"], true),
            (200, ["Vary": " , "], true),
            (200, ["ETag": String(repeating: "x", count: 9_000)], false),
            (200, ["X-Other": String(repeating: "x", count: 9_000)], true),
        ] as [(Int, KeyValuePairs<String, String>, Bool)])
    func storing(status: Int, fields: KeyValuePairs<String, String>, expected: Bool) {
        #expect(StorageRule.mayStore(status: status, HeaderFields(fields)) == expected)
    }
}
