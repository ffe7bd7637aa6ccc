import PhotoPipeline

/// What became of one entry of the catalog.
struct ReportRow: Sendable {
    enum Outcome: Sendable {
        case filtered(file: String)
        case failed(PhotoError)
        case cancelled
    }

    let name: String
    let address: String
    let outcome: Outcome
    /// The bytes that were received.
    var bytes = 0
    /// From the first start to the rename, or to the failure.
    var milliseconds: Int64 = 0

    static let header = "name,url,status,error,detail,file,bytes,milliseconds\n"

    /// The row as RFC 4180 writes it, with a line feed at the end.
    var csv: String {
        let (status, error, detail, file) =
            switch outcome {
            case .filtered(let file): ("filtered", "", "", file)
            case .failed(let error): ("failed", error.reason.rawValue, error.detail, "")
            case .cancelled: ("cancelled", "", "", "")
            }
        return [name, address, status, error, detail, file, String(bytes), String(milliseconds)]
            .map(Self.field).joined(separator: ",") + "\n"
    }

    /// Quotes where that is needed. A spreadsheet takes a field that begins with one of `= + - @` for a formula, which a
    /// catalog from elsewhere must not be able to plant: such a field gets an apostrophe in front.
    private static func field(_ text: String) -> String {
        var field = text
        if let first = text.unicodeScalars.first, "=+-@".unicodeScalars.contains(first) { field = "'" + field }
        guard field.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return field }
        var quoted = "\""
        for scalar in field.unicodeScalars {
            if scalar == "\"" { quoted.unicodeScalars.append("\"") }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
