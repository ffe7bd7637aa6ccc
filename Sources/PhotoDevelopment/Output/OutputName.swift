import Transfers

extension String {
    /// What follows the last dot of a file's name; nil where it has none.
    var nameEnding: String? { lastIndex(of: ".").map { String(self[index(after: $0)...]) } }
}

/// What the file of a photo is called.
///
/// The name depends on nothing but the photo's own name and address, so that it stays the same whatever else is in the
/// catalog: a readable part made safe, and a part that tells equal names apart, thirteen letters from the SHA-256 of
/// name and address. Only rows that are equal in both share a file, as they share the picture.
package struct OutputName: Hashable, Sendable {
    let file: String

    init(name: String, address: String, fileExtension: String) {
        file = Self.stem(name: name, address: address) + "." + fileExtension
    }

    /// The name without the ending that says the format.
    static func stem(name: String, address: String) -> String {
        readable(name) + "-" + distinct(name: name, address: address)
    }

    /// The longest readable part, in bytes; file systems allow 255 for the whole, some encrypting ones 143.
    private static let longest = 96

    /// A name made safe for file systems and shells, cut where it is too long.
    static func readable(_ name: String) -> String {
        var safe = ""
        var bytes = 0
        for character in name {
            let kept = isUnsafe(character) ? "_" : String(character)
            bytes += kept.utf8.count
            if bytes > longest { break }
            safe += kept
        }
        // A leading dot hides a file, a leading hyphen looks like an option.
        let trimmed = safe.unicodeScalars.drop { ".- ".unicodeScalars.contains($0) }
        return trimmed.isEmpty ? "photo" : String(trimmed)
    }

    /// A character that some file systems refuse, FAT among them, or that shows a name as another one.
    package static func isUnsafe(_ character: Character) -> Bool { character.unicodeScalars.contains(where: isUnsafe) }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        if "/\\:*?\"<>|".unicodeScalars.contains(scalar) { return true }
        return switch scalar.properties.generalCategory {
        // Format characters turn the reading direction round, and hide what a file really is called. The joiner that
        // emoji are made with is one of them, and harmless.
        case .format: scalar.value != 0x200D
        case .control, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: true
        default: false
        }
    }

    /// Whether a name without its ending has the form of one with a part that tells equal names apart.
    static func isDistinct(_ stem: String) -> Bool {
        let end = stem.utf8.suffix(14)
        return end.count == 14 && end.first == UInt8(ascii: "-")
            && end.dropFirst().allSatisfy { (0x30...0x39).contains($0) || (0x61...0x76).contains($0) }
    }

    /// The part that tells equal names apart.
    static func distinct(name: String, address: String) -> String {
        let digest = SHA256.digest(of: Array((name + "\0" + address).utf8))
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let letters = String(number, radix: 32)
        return String(repeating: "0", count: 13 - letters.count) + letters
    }
}
