internal import FoundationEssentials

/// What EXIF says about a photograph, field by field, by the names that exiftool has for them: `Make`, `DateTimeOriginal`.
///
/// It is read from the block of an ``ImageMetadata``, which is of bounded size and holds no small pictures and no maker's notes. What
/// is damaged, unknown or too long is left out; nothing that a file says can make this large or fail.
///
/// ```swift
/// import ImageCodecs
///
/// let fields = EXIFFields(in: ImageMetadata(exif: nil))
/// print(fields.values.count)
/// ```
/// ```text
/// 0
/// ```
public struct EXIFFields: Hashable, Sendable {
    /// A field's value.
    public enum Value: Hashable, Sendable {
        /// A text, without spaces at its ends; at most 1,000 bytes of UTF-8.
        case text(String)
        /// A number, which is finite.
        case number(Double)
        /// Several numbers, at most 16, which are finite.
        case numbers([Double])
    }

    /// Which of the fields are wanted.
    public enum Selection: String, CaseIterable, Hashable, Sendable {
        /// Those about camera, lens, exposure, date and picture: not those that say where it was taken (GPS), who took it or owns the
        /// camera, serial numbers, comments and keywords.
        case technical
        /// All that are known.
        case all
    }

    /// The values by their fields' names.
    public let values: [String: Value]

    /// Reads the fields.
    ///
    /// - Parameters:
    ///   - metadata: Of a file; see ``ImageMetadata/init(of:)``.
    ///   - selection: Which are wanted. Default: the technical ones.
    public init(in metadata: ImageMetadata, _ selection: Selection = .technical) {
        values =
            metadata.exif.map { block in
                block.withUnsafeBytes { EXIFReader(ByteReader($0), selection).values }
            } ?? [:]
    }
}
