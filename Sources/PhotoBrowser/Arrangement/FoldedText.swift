import CGLib
import Catalogs
import Glibc

/// Text without case and accents, as it is searched.
///
/// All ways of writing the same text have one form here: letters with their accents as one character or as several (as names of
/// files from a Mac have them), and wide, narrow and joined letters.
enum FoldedText {
    /// So many bytes are brought into their form at a time: to bring a long run of accents into their order takes the square of its
    /// length.
    private static let longestRun = 1_024

    /// Appends a text in its folded form, as UTF-8.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { utf8 in
            var index = 0
            while index < utf8.count {
                let byte = utf8[index]
                guard byte >= 0x80 else {
                    bytes.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
                    index += 1
                    continue
                }
                let last = min(utf8.count, index + longestRun)
                var end = index + 1
                while end < last, utf8[end] >= 0x80 { end += 1 }
                // Not in the middle of a character.
                while end < utf8.count, utf8[end] & 0xC0 == 0x80 { end -= 1 }
                append(run: UnsafeBufferPointer(rebasing: utf8[index..<end]), to: &bytes)
                index = end
            }
        }
    }

    /// A text in its folded form.
    static func bytes(of text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return bytes
    }

    /// Appends characters of which none is ASCII.
    private static func append(run: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        if isFolded(run) { return bytes.append(contentsOf: run) }
        let start = bytes.count
        withNormalForm(of: run, cglib_decomposed) { decomposed in
            for scalar in String(decoding: decomposed, as: UTF8.self).unicodeScalars { append(scalar, to: &bytes) }
        }
        guard bytes[start...].contains(where: { $0 >= 0x80 }) else { return }
        // Together again: the first letters of a Korean syllable are not found in another one, and か is not が.
        let folded = Array(bytes[start...])
        bytes.removeSubrange(start...)
        folded.withUnsafeBufferPointer { folded in
            withNormalForm(of: folded, cglib_composed) { bytes.append(contentsOf: $0) }
        }
    }

    /// Whether characters are what they are folded to: syllables of Korean as most systems write them, and Chinese characters. This is told
    /// quickly.
    private static func isFolded(_ run: UnsafeBufferPointer<UInt8>) -> Bool {
        guard run.count.isMultiple(of: 3) else { return false }
        for index in stride(from: 0, to: run.count, by: 3) {
            guard run[index] & 0xF0 == 0xE0 else { return false }
            let character = Int(run[index] & 0xF) << 12 | Int(run[index + 1] & 0x3F) << 6 | Int(run[index + 2] & 0x3F)
            guard (0xAC00...0xD7A3).contains(character) || (0x4E00...0x9FFF).contains(character) else { return false }
        }
        return true
    }

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar.value {
        // Accents of Latin, Greek and Cyrillic letters.
        case 0x300...0x36F: return
        // The sigma at the end of a word.
        case 0x3C2: bytes.append(contentsOf: "σ".utf8)
        default:
            for lower in scalar.properties.lowercaseMapping.unicodeScalars {
                if let base = BaseLetter(of: lower) {
                    bytes.append(contentsOf: base.letters.utf8)
                } else {
                    bytes.append(contentsOf: UTF8.encode(lower) ?? UTF8.encodedReplacementCharacter)
                }
            }
        }
    }

    private static func withNormalForm(
        of text: UnsafeBufferPointer<UInt8>, _ form: (UnsafePointer<CChar>, Int) -> UnsafeMutablePointer<CChar>?,
        _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        guard let start = text.baseAddress,
            let made = form(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self), text.count)
        else { return body(text) }
        defer { g_free(made) }
        let first = UnsafeRawPointer(made).assumingMemoryBound(to: UInt8.self)
        body(UnsafeBufferPointer(start: first, count: strlen(made)))
    }
}
