/// Reads the dates of HTTP's header fields (RFC 9110, 5.6.7).
enum HTTPDate {
    /// Seconds since 1970 for a date in any of the three forms that a recipient has to read; nil for anything else.
    ///
    /// ```
    /// Sun, 06 Nov 1994 08:49:37 GMT    ; what servers are to send
    /// Sunday, 06-Nov-94 08:49:37 GMT   ; obsolete, RFC 850
    /// Sun Nov  6 08:49:37 1994         ; obsolete, asctime()
    /// ```
    /// - Parameter now: Decides the century of a year of two digits: it is not more than 50 years ahead.
    static func seconds(_ text: String, now: Int) -> Int? {
        guard text.utf8.count <= 64 else { return nil }
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
        let date: (day: String, month: String, year: String, time: String)
        switch (words.count, text.contains(",")) {
        case (6, true) where words[5] == "GMT" || words[5] == "UTC":
            date = (words[1], words[2], words[3], words[4])
        case (5, false): date = (words[2], words[1], words[4], words[3])
        default: return nil
        }
        guard let day = number(date.day, digits: 1...2), let month = months.firstIndex(of: date.month.lowercased()),
            let year = year(date.year, now: now)
        else { return nil }
        let time = date.time.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard time.count == 3, let hour = number(time[0], digits: 2...2), let minute = number(time[1], digits: 2...2),
            let second = number(time[2], digits: 2...2), hour < 24, minute < 60, second <= 60, day >= 1,
            day <= length(ofMonth: month + 1, year)
        else { return nil }
        return daysSince1970(year, month + 1, day) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func year(_ text: String, now: Int) -> Int? {
        if let year = number(text, digits: 4...4) { return year >= 1601 ? year : nil }
        guard let year = number(text, digits: 2...2) else { return nil }
        let thisYear = 1970 + now / 31_556_952
        let guess = thisYear - thisYear % 100 + year
        return guess > thisYear + 50 ? guess - 100 : guess
    }

    private static func length(ofMonth month: Int, _ year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1970-01-01 in the Gregorian calendar: whole years of 365.2425 days, counted from March, so that the day
    /// that comes and goes is a year's last.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
