import Catalogs
import ImageCodecs

/// A photo's fields of EXIF as an object of JSON: numbers as numbers, several of them as a list, all else as texts.
enum EXIFText {
    /// The most bytes of an object: what goes beyond is left out, from the field that does.
    static let mostBytes = 16_000

    static func json(of metadata: ImageMetadata?, _ selection: EXIFFields.Selection) -> String {
        let values = metadata.map { EXIFFields(in: $0, selection).values } ?? [:]
        var text = ""
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            let field = "\(CatalogText.json(name)):\(json(value))"
            guard text.utf8.count + field.utf8.count + 3 <= mostBytes else { break }
            text += (text.isEmpty ? "" : ",") + field
        }
        return "{\(text)}"
    }

    private static func json(_ value: EXIFFields.Value) -> String {
        switch value {
        case .text(let text): CatalogText.json(text)
        case .number(let number): json(number)
        case .numbers(let numbers): "[" + numbers.map(json).joined(separator: ",") + "]"
        }
    }

    /// Whole numbers without a fraction.
    private static func json(_ number: Double) -> String { Int64(exactly: number).map { "\($0)" } ?? "\(number)" }
}
