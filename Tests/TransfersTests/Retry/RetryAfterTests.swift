import Testing

@testable import Transfers

@Suite struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT, the date of the standard's examples.
    private static let now = 784_111_777

    @Test(arguments: [
        ("7", 7), ("007", 7), ("21601", 21_601), ("2592000", 2_592_000), ("7.5", 7), ("7 s", 7), ("120, 5", 120),
        ("Sun, 06 Nov 1994 08:49:38 GMT", 1), ("Sun, 06 Nov 1994 20:49:37 GMT", 43_200),
        ("Sunday, 06-Nov-94 08:50:37 GMT", 60), ("Sun Nov  6 08:50:37 1994", 60), ("06 Nov 1994 08:50:37 GMT", 60),
    ])
    func waits(text: String, seconds: Int) {
        #expect(RetryAfter.wait(text, now: Self.now) == .seconds(seconds))
    }

    @Test(arguments: [
        "", "0", "000", "-5", "soon", "s 7", "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1993 08:49:37 GMT",
    ])
    func noWaits(text: String) {
        #expect(RetryAfter.wait(text, now: Self.now) == nil)
    }

    @Test(arguments: ["315360001", "9223372036854775807", "99999999999999999999", "Sun, 06 Nov 2594 08:49:37 GMT"])
    func atMostTenYears(text: String) {
        #expect(RetryAfter.wait(text, now: Self.now) == .seconds(315_360_000))
    }
}
