import FoundationEssentials

/// Numbers and times as a page shows them.
enum PageFigures {
    /// `1,234,567`
    static func count(_ number: Int) -> String {
        var text = ""
        for (place, digit) in String(number.magnitude).reversed().enumerated() {
            if place > 0, place % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + String(text.reversed())
    }

    /// `12 %`; below ten with one more digit, and never 0 or 100 for what is not.
    static func share(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "0 %" }
        let percent = Double(part) * 100 / Double(whole)
        if part > 0, percent < 0.1 { return "under 0.1 %" }
        if part < whole, percent > 99.9 { return "over 99.9 %" }
        let rounded = (percent * 10).rounded() / 10
        let isWhole = rounded == rounded.rounded() || (rounded >= 10 && rounded <= 99)
        return isWhole ? "\(Int(rounded.rounded())) %" : "\(rounded) %"
    }

    /// `0.25 s`, `12 s`, `4 min 3 s`, `1 h 12 min`
    static func duration(_ seconds: Double) -> String {
        if seconds < 9.995 {
            let hundredths = Int((max(0, seconds) * 100).rounded())
            return "\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10) s"
        }
        let whole = Int(min(seconds.rounded(), 1e12))
        if whole < 60 { return "\(whole) s" }
        if whole < 3_600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(count(whole / 3_600)) h \(whole / 60 % 60) min"
    }

    /// `2026-11-22 16:31:36 UTC` in an element that says it to programs.
    static func time(_ date: Date) -> String {
        let text = Date.ISO8601FormatStyle().format(date)
        let shown = text.replacing("T", with: " ").replacing("Z", with: " UTC")
        return "<time datetime=\"\(text)\">\(shown)</time>"
    }
}
