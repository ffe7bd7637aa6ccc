import Testing

@testable import Transfers

@Suite struct StrongValidatorTests {
    private static let date = "Tue, 15 Nov 1994 08:12:31 GMT"

    @Test(arguments: ["\"abc\"", "\"\"", "\"a'b#\u{FC}\""])
    func strongTags(tag: String) {
        #expect(StrongValidator(entityTag: tag, lastModified: nil, date: nil)?.value == tag)
    }

    @Test(arguments: ["W/\"abc\"", "w/\"abc\"", "abc", "\"", "", "\"a\"b\"", "\"a b\"", "\"a\u{7F}\""])
    func whatIsNoStrongTagIsNotReplacedByADate(tag: String) {
        let validator = StrongValidator(entityTag: tag, lastModified: Self.date, date: "Wed, 16 Nov 1994 08:12:31 GMT")
        #expect(validator == nil)
    }

    @Test(arguments: [
        ("Tue, 15 Nov 1994 08:13:31 GMT", true), ("Tue, 15 Nov 1994 08:13:30 GMT", false), (date, false),
        ("Mon, 14 Nov 1994 08:12:31 GMT", false), ("yesterday", false),
    ])
    func datesAreStrongAMinuteLater(sent: String, isStrong: Bool) {
        let validator = StrongValidator(entityTag: nil, lastModified: Self.date, date: sent)
        #expect(validator?.value == (isStrong ? Self.date : nil))
    }

    @Test func aDateNeedsAnother() {
        #expect(StrongValidator(entityTag: nil, lastModified: Self.date, date: nil) == nil)
        #expect(StrongValidator(entityTag: nil, lastModified: "soon", date: Self.date) == nil)
        #expect(StrongValidator(entityTag: nil, lastModified: nil, date: Self.date) == nil)
    }
}

@Suite struct ContentRangeTests {
    @Test func ranges() throws {
        let range = try #require(ContentRange("bytes 5-99/100"))
        #expect((range.first, range.last, range.total) == (5, 99, 100))
        #expect(ContentRange("Bytes 0-0/*")?.total == nil)
        #expect(ContentRange("Bytes 0-0/*") != nil)
    }

    @Test(arguments: [
        "", "bytes", "bytes 5-99", "bytes */100", "bytes 5-4/100", "bytes 5-100/100", "bytes -5/100", "bytes 5-/100",
        "bytes +5-9/10", "items 5-9/10", "bytes 5-9/10 x", "bytes 5-9/10/11", "bytes 99999999999999999999-9/10",
        "bytes=5-9/10", "bytes 5-9223372036854775807/*", "bytes 9223372036854775807-9223372036854775807/*",
    ])
    func whatIsNone(text: String) { #expect(ContentRange(text) == nil) }
}

@Suite struct PartIntakeTests {
    private func verdict(
        _ status: Int = 206, _ range: String? = "bytes 40-99/100", length: Int? = 60, isEncoded: Bool = false,
        tag: String? = "\"a\"", total: Int? = 100, limit: Int = 1_000
    ) -> ResponseIntake.Verdict? {
        let part = ResponseIntake.Part(offset: 40, total: total, validator: StrongValidator(kept: "\"a\""))
        var intake = ResponseIntake(limits: TransferLimits(maxBytes: limit), part: part)
        var head = ResponseIntake.Head(status: status, contentLength: length, isEncoded: isEncoded, location: nil)
        (head.contentRange, head.entityTag) = (range, tag)
        _ = intake.end(of: head)
        return intake.verdict
    }

    @Test func theRestIsTaken() {
        #expect(verdict() == .part)
        #expect(verdict(tag: nil) == .part)
        #expect(verdict(length: nil, total: nil) == .part)
        #expect(verdict(206, "bytes 40-99/*") == .part)
    }

    @Test func whatDoesNotFitStartsOver() {
        for range in ["bytes 0-99/100", "bytes 41-100/101", "bytes 40-98/100", "bytes 40-98/99", "nonsense", nil] {
            #expect(verdict(206, range, length: nil) == .restart, "\(range ?? "none")")
        }
        #expect(verdict(length: 59) == .restart)
        #expect(verdict(isEncoded: true) == .restart)
        #expect(verdict(tag: "\"b\"") == .restart)
        #expect(verdict(tag: "W/\"a\"") == .restart)
        #expect(verdict(416, "bytes */40") == .restart)
    }

    /// Where a date was kept, the answer had no tag.
    @Test func aPartWithAnotherDateOrATagIsOfSomethingElse() {
        let date = "Tue, 15 Nov 1994 08:12:31 GMT"
        func verdict(_ modified: String?, _ tag: String? = nil) -> ResponseIntake.Verdict? {
            let part = ResponseIntake.Part(offset: 40, total: 100, validator: StrongValidator(kept: date))
            var intake = ResponseIntake(limits: TransferLimits(), part: part)
            var head = ResponseIntake.Head(status: 206, contentLength: 60, isEncoded: false, location: nil)
            (head.contentRange, head.lastModified, head.entityTag) = ("bytes 40-99/100", modified, tag)
            _ = intake.end(of: head)
            return intake.verdict
        }
        #expect(verdict(date) == .part && verdict(nil) == .part)
        #expect(verdict("Wed, 16 Nov 1994 08:12:31 GMT") == .restart)
        #expect(verdict(date, "\"a\"") == .restart && verdict(nil, "W/\"a\"") == .restart)
    }

    @Test func theWholeIsWelcomeAndFailuresAreFailures() {
        #expect(verdict(200, nil, length: 100) == .body)
        #expect(verdict(503) == .failure(.http(status: 503)))
        #expect(verdict(limit: 99) == .failure(.tooLarge(limit: 99)))
    }

    @Test func bytesAreCountedFromTheBeginning() {
        let part = ResponseIntake.Part(offset: 40, total: 100, validator: StrongValidator(kept: "\"a\""))
        var intake = ResponseIntake(limits: TransferLimits(), part: part)
        var head = ResponseIntake.Head(status: 206, contentLength: nil, isEncoded: false, location: nil)
        head.contentRange = "bytes 40-99/100"
        let goesOn = intake.end(of: head)
        var asked: [Int] = []
        let first = intake.piece(count: 50) { bytes in
            asked.append(bytes)
            return true
        }
        #expect(goesOn && first == .store && asked == [100] && intake.isIncomplete)
        let second = intake.piece(count: 11) { _ in true }
        #expect(second == .stop)
    }
}
