internal import FoundationEssentials

/// Reads the values of EXIF's fields; whatever is no value that makes sense is left out.
struct EXIFReader {
    private(set) var values: [String: EXIFFields.Value] = [:]
    private let bigEndian: Bool

    private typealias Field = TIFFDirectories.Field

    private static let longestText = 1_000
    private static let mostNumbers = 16
    private static let mostFields = 500

    init(_ block: ByteReader, _ selection: EXIFFields.Selection) {
        let directories = TIFFDirectories(block)
        bigEndian = directories?.bigEndian ?? false
        guard let directories, let first = directories.first else { return }
        func directory(_ pointer: Int) -> TIFFDirectories.Directory? {
            first.value(pointer).flatMap { directories.directory(at: $0) }
        }
        add(first, EXIFNames.main, selection)
        if let exif = directory(34_665) { add(exif, EXIFNames.exif, selection) }
        guard selection == .all, let place = directory(34_853) else { return }
        add(place, EXIFNames.place, selection)
        addDegrees("GPSLatitude", of: place, 2, reference: 1, negative: UInt8(ascii: "S"), upTo: 90)
        addDegrees("GPSLongitude", of: place, 4, reference: 3, negative: UInt8(ascii: "W"), upTo: 180)
        if let height = place.field(6).flatMap(numbers)?.first {
            values["GPSAltitude"] = .number(place.field(5)?.bytes.first == 1 ? -height : height)
        }
    }

    private mutating func add(
        _ directory: TIFFDirectories.Directory, _ names: [Int: EXIFNames.Field], _ selection: EXIFFields.Selection
    ) {
        var seen: Set<Int> = []
        let fields = directory.fields(upTo: Self.mostFields) { tag, _ in
            guard let known = names[tag], selection == .all || known.isTechnical else { return false }
            return seen.insert(tag).inserted
        }
        for field in fields {
            guard let known = names[field.tag], values[known.name] == nil, let value = value(field) else { continue }
            values[known.name] = value
        }
    }

    /// Degrees, minutes and seconds as one number, below zero in the south and in the west.
    private mutating func addDegrees(
        _ name: String, of directory: TIFFDirectories.Directory, _ tag: Int, reference: Int, negative: UInt8,
        upTo most: Double
    ) {
        guard let all = directory.field(tag).flatMap(quotients), all.count <= 3 else { return }
        // Minutes and seconds may be unknown.
        let parts = all.prefix(while: \.isFinite)
        guard !parts.isEmpty, all.dropFirst(parts.count).allSatisfy(\.isNaN) else { return }
        let degrees = zip(parts, [1, 60, 3_600]).reduce(0) { $0 + $1.0 / $1.1 }
        guard (0...most).contains(degrees) else { return }
        values[name] = .number(directory.field(reference)?.bytes.first == negative ? -degrees : degrees)
    }

    private func value(_ field: Field) -> EXIFFields.Value? {
        switch (field.tag, field.type) {
        case (40_091...40_095, _): return text(utf16: field.bytes, bigEndian: false)
        case (37_510, _): return comment(field.bytes)
        // A version is four digits in bytes of no type.
        case (36_864, 7), (_, 2), (_, 129): return text(field.bytes)
        default:
            if let numbers = numbers(field) { return numbers.count == 1 ? .number(numbers[0]) : .numbers(numbers) }
            return partlyUnknown(field)
        }
    }

    // MARK: Texts

    /// A text up to its first zero, in UTF-8, or in Latin-1 where that is not what it is.
    private func text(_ bytes: [UInt8]) -> EXIFFields.Value? {
        let bytes = bytes.prefix { $0 != 0 }
        return trimmed(
            String(validating: bytes, as: UTF8.self) ?? String(decoding: bytes.map(UInt16.init), as: UTF16.self))
    }

    private func text(utf16 bytes: [UInt8], bigEndian: Bool) -> EXIFFields.Value? {
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map { place in
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return bigEndian ? first << 8 | second : second << 8 | first
        }
        return trimmed(String(decoding: units.prefix { $0 != 0 }, as: UTF16.self))
    }

    /// A comment begins with the name of its encoding.
    private func comment(_ bytes: [UInt8]) -> EXIFFields.Value? {
        guard bytes.count > 8 else { return nil }
        let content = Array(bytes.dropFirst(8))
        return bytes.starts(with: "UNICODE".utf8) ? text(utf16: content, bigEndian: bigEndian) : text(content)
    }

    private func trimmed(_ text: String) -> EXIFFields.Value? {
        let isSpace: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace || $0.value < 0x20 }
        var scalars = text.unicodeScalars.drop(while: isSpace)
        while let last = scalars.last, isSpace(last) { scalars.removeLast() }
        var bytes = 0
        let kept = scalars.prefix { scalar in
            bytes += UTF8.width(scalar)
            return bytes <= Self.longestText
        }
        return kept.isEmpty ? nil : .text(String(Substring(kept)))
    }

    // MARK: Numbers

    /// The numbers of a field; nil where it has none, too many, or one that is not finite.
    private func numbers(_ field: Field) -> [Double]? {
        quotients(field).flatMap { $0.allSatisfy(\.isFinite) ? $0 : nil }
    }

    /// Numbers of which some are unknown, which is 0/0 in EXIF: the f-numbers of an adapted lens in `LensInfo`. As exiftool writes them.
    private func partlyUnknown(_ field: Field) -> EXIFFields.Value? {
        guard let numbers = quotients(field), numbers.contains(where: \.isFinite),
            numbers.allSatisfy({ !$0.isInfinite })
        else { return nil }
        let words = numbers.map { number in
            if number.isNaN { return "undef" }
            return Int(exactly: number).map { "\($0)" } ?? "\(number)"
        }
        return .text(words.joined(separator: " "))
    }

    /// The numbers of a field, which need not be finite; nil where it has none, or too many.
    private func quotients(_ field: Field) -> [Double]? {
        guard field.count <= Self.mostNumbers else { return nil }
        let size = field.bytes.count / field.count
        let numbers = (0..<field.count).compactMap { index in
            number(Array(field.bytes[index * size..<(index + 1) * size]), field.type)
        }
        return numbers.isEmpty || numbers.count < field.count ? nil : numbers
    }

    private func number(_ bytes: [UInt8], _ type: Int) -> Double? {
        func bits(_ part: some Collection<UInt8>) -> UInt64 {
            (bigEndian ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
        }
        func signed(_ part: some Collection<UInt8>) -> Double { Double(Int32(truncatingIfNeeded: bits(part))) }
        switch type {
        case 1, 3, 4: return Double(bits(bytes))
        case 5: return Double(bits(bytes.prefix(4))) / Double(bits(bytes.suffix(4)))
        case 6: return Double(Int8(truncatingIfNeeded: bits(bytes)))
        case 8: return Double(Int16(truncatingIfNeeded: bits(bytes)))
        case 9: return signed(bytes)
        case 10: return signed(bytes.prefix(4)) / signed(bytes.suffix(4))
        case 11: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits(bytes))))
        case 12: return Double(bitPattern: bits(bytes))
        default: return nil
        }
    }
}
