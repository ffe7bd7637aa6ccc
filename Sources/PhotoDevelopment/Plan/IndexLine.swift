import Glibc
import PhotoPipeline

/// A line in the index of a shard, looked at as it stands: what ``SampleText`` has written.
///
/// Names of fields are looked for as texts, since in a string of JSON a quotation mark has a backslash in front.
struct IndexLine {
    /// The number of the row, from 0.
    let row: Int
    let isWritten: Bool
    /// Why it failed, as reports say it; nil where it was written.
    let reason: String?
    /// What the detail of the failure begins with, where there is one: of an answer of HTTP the status.
    private(set) var detailStart: UInt8?

    /// Nil for what is no such line.
    init?(_ text: UnsafeRawBufferPointer) {
        guard text.starts(with: "{\"key\":\"".utf8) else { return nil }
        var (number, position) = (0, 8)
        while position < text.count, (0x30...0x39).contains(text[position]), number < 1 << 50 {
            number = number * 10 + Int(text[position] - 0x30)
            position += 1
        }
        guard number > 0, let status = Self.find(",\"status\":\"", in: text, from: position) else { return nil }
        row = number - 1
        let rest = UnsafeRawBufferPointer(rebasing: text[status.upperBound...])
        isWritten = rest.starts(with: "filtered\"".utf8)
        guard !isWritten else {
            reason = nil
            return
        }
        let beginning = "failed\",\"error\":\""
        guard rest.starts(with: beginning.utf8) else { return nil }
        let word = rest.dropFirst(beginning.utf8.count).prefix { $0 != 0x22 }
        reason = String(decoding: word, as: UTF8.self)
        let detail = "\",\"detail\":\"".utf8
        let further = rest[word.endIndex...]
        if further.starts(with: detail) { detailStart = further.dropFirst(detail.count).first }
    }

    /// Whether it failed, and with one of these failures.
    func failed(with failures: FailureSelection) -> Bool {
        guard let reason = reason.flatMap({ PhotoError.Reason(rawValue: $0) }) else { return false }
        return failures.contains(reason, detailStart: detailStart)
    }

    /// Goes through the lines of an index.
    ///
    /// - Parameter body: Takes a line and its text without the line feed; whether to go on.
    /// - Returns: Whether all of them are lines of an index, and were taken.
    static func each(
        of bytes: UnsafeRawBufferPointer, _ body: (IndexLine, UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        var start = 0
        while start < bytes.count {
            guard let end = bytes[start...].firstIndex(of: 0x0A) else { return false }
            let text = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            guard let line = IndexLine(text), body(line, text) else { return false }
            start = end + 1
        }
        return true
    }

    /// The line of a task that takes a row again that failed.
    ///
    /// - Parameter text: The line.
    static func appendTaskLine(_ line: IndexLine, _ text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        guard let name = find(",\"name\":", in: text, from: 0),
            let status = find(",\"status\":\"", in: text, from: name.upperBound),
            let detail = find(",\"detail\":", in: text, from: status.upperBound),
            let file = find(",\"file\":", in: text, from: detail.upperBound)
        else { return }
        let isBroken = line.reason == PhotoError.Reason.invalidEntry.rawValue
        let entry = find(",\"catalog\":", in: text, from: file.upperBound)
        TaskLine.append(
            number: line.row, texts: text[name.lowerBound..<status.lowerBound],
            flaw: isBroken ? text[detail.upperBound..<file.lowerBound] : nil,
            entry: entry.map { text[$0.upperBound..<text.count - 1] }, to: &bytes)
    }

    private static func find(_ word: StaticString, in text: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
        guard let base = text.baseAddress else { return nil }
        let length = word.utf8CodeUnitCount
        var position = start
        while position + length <= text.count {
            let last = text.count - length
            guard let place = memchr(base + position, Int32(word.utf8Start[0]), last - position + 1) else { return nil }
            if memcmp(place, word.utf8Start, length) == 0 {
                let offset = UnsafeRawPointer(place) - base
                return offset..<offset + length
            }
            position = UnsafeRawPointer(place) - base + 1
        }
        return nil
    }
}
