import Foundation
import ImageCodecs
import OperationsTesting

/// Breaks sound files in the ways in which files break, and in those in which people break them; a seed repeats all.
struct FileMutator {
    private var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    /// One of the files after a few changes, one more often than several; parts may come from the others.
    mutating func broken(_ files: [Data], _ format: ImageFormat) -> Data {
        var bytes = [UInt8](files[below(files.count)])
        for _ in 0...min(below(6), below(6)) {
            switch below(10) {
            case 0...2: changeBits(&bytes)
            case 3: changeBytes(&bytes)
            case 4, 5: changeLength(&bytes)
            case 6: cut(&bytes)
            case 7: splice(&bytes, [UInt8](files[below(files.count)]))
            default: shuffleChunks(&bytes, format)
            }
        }
        return Data(format == .png && below(2) == 0 ? Self.withChecksums(bytes) : bytes)
    }

    private mutating func below(_ bound: Int) -> Int {
        Int.random(in: 0..<max(1, bound), using: &random)
    }

    /// Half of all changes hit the headers.
    private mutating func place(_ bytes: [UInt8]) -> Int {
        below(below(2) == 0 ? min(bytes.count, 200) : bytes.count)
    }

    private mutating func changeBits(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        for _ in 0...below(3) { bytes[place(bytes)] ^= 1 << UInt8(below(8)) }
    }

    private mutating func changeBytes(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let start = place(bytes)
        let value: UInt8? = [nil, 0, 0xFF, 0x7F, 0x80][below(5)]
        for index in start..<min(bytes.count, start + 1 + below(8)) {
            bytes[index] = value ?? UInt8(below(256))
        }
    }

    /// Writes a number of two or four bytes that somebody may add to, multiply, or believe.
    private mutating func changeLength(_ bytes: inout [UInt8]) {
        let width = [2, 4][below(2)]
        guard bytes.count > width else { return }
        let start = min(place(bytes), bytes.count - width)
        let numbers: [UInt32] = [
            0, 1, 2, 0x7F, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x1_0000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFF0, 0xFFFF_FFFF,
            UInt32(bytes.count), UInt32(bytes.count - start),
        ]
        let number = numbers[below(numbers.count)]
        let isBig = below(2) == 0
        for index in 0..<width {
            bytes[start + index] = UInt8(truncatingIfNeeded: number >> UInt32(8 * (isBig ? width - 1 - index : index)))
        }
    }

    private mutating func cut(_ bytes: inout [UInt8]) {
        guard bytes.count > 20 else { return }
        switch below(3) {
        case 0: bytes.removeLast(below(bytes.count / 2))
        case 1:
            let start = place(bytes)
            bytes.removeSubrange(start..<min(bytes.count, start + 1 + below(40)))
        default: bytes += bytes.suffix(below(100))
        }
    }

    private mutating func splice(_ bytes: inout [UInt8], _ other: [UInt8]) {
        guard !bytes.isEmpty, !other.isEmpty else { return }
        let from = below(other.count)
        let piece = other[from..<min(other.count, from + 1 + below(200))]
        let start = place(bytes)
        let replaced = below(2) == 0 ? min(bytes.count, start + piece.count) : start
        bytes.replaceSubrange(start..<replaced, with: piece)
    }

    private mutating func shuffleChunks(_ bytes: inout [UInt8], _ format: ImageFormat) {
        var chunks = Self.chunks(bytes, format)
        guard chunks.count > 2 else { return changeLength(&bytes) }
        let a = 1 + below(chunks.count - 1)
        let b = 1 + below(chunks.count - 1)
        switch below(3) {
        case 0: chunks.swapAt(a, b)
        case 1: chunks.remove(at: a)
        default: chunks.insert(chunks[a], at: b)
        }
        bytes = chunks.reduce(into: []) { $0 += $1 }
    }

    /// The parts that a format is made of; the first is what they all begin with.
    static func chunks(_ bytes: [UInt8], _ format: ImageFormat) -> [ArraySlice<UInt8>] {
        func number(_ at: Int, _ width: Int, isBig: Bool) -> Int? {
            guard at + width <= bytes.count else { return nil }
            let digits = bytes[at..<at + width]
            return (isBig ? Array(digits) : digits.reversed()).reduce(0) { $0 << 8 | Int($1) }
        }
        var start = 0
        let length: (Int) -> Int?
        switch format {
        case .png: (start, length) = (8, { number($0, 4, isBig: true).map { $0 + 12 } })
        case .webp: (start, length) = (12, { number($0 + 4, 4, isBig: false).map { $0 + 8 + $0 % 2 } })
        case .heif, .avif, .jxl: length = { number($0, 4, isBig: true) }
        case .jpeg: (start, length) = (2, { number($0 + 2, 2, isBig: true).map { $0 + 2 } })
        // Entries of a directory, wherever it is; and elements of text.
        case .tiff: length = { _ in 12 }
        case .gif: length = { _ in 16 }
        case .svg: length = { at in bytes[at...].dropFirst().firstIndex(of: 0x3C).map { $0 - at } }
        }
        var parts = [bytes[0..<min(start, bytes.count)]]
        while start < bytes.count, parts.count < 400 {
            let end = min(bytes.count, start + max(1, length(start) ?? bytes.count))
            parts.append(bytes[start..<end])
            start = end
        }
        parts.append(bytes[min(start, bytes.count)...])
        return parts
    }

    /// Sets right the checksums of all chunks, so that what is inside them is looked at.
    private static func withChecksums(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for chunk in chunks(bytes, .png) {
            guard chunk.count >= 12, !result.isEmpty else {
                result += chunk
                continue
            }
            let content = chunk.dropFirst(4).dropLast(4)
            result += chunk.prefix(4) + content + PNGFile.bigEndian(Int(PNGFile.checksum(Array(content))))
        }
        return result
    }
}
