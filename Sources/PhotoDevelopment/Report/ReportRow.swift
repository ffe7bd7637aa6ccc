import Catalogs
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
    /// From the first start until its file was written, or to the failure.
    var milliseconds: Int64 = 0

    /// The same row, of which nothing has come.
    var cancelled: ReportRow {
        ReportRow(name: name, address: address, outcome: .cancelled, bytes: bytes, milliseconds: milliseconds)
    }

    static let header = "name,url,status,error,detail,file,bytes,milliseconds\n"

    /// The row as RFC 4180 writes it, with a line feed at the end.
    var csv: String {
        let (status, error, file) = fields
        return [
            name, address, status, error?.reason.rawValue ?? "", error?.detail ?? "", file ?? "", String(bytes),
            String(milliseconds),
        ].map(Self.field).joined(separator: ",") + "\n"
    }

    /// The row as an object of JSON, with a line feed at the end.
    var json: String { "{\(jsonFields)}\n" }

    /// What stands in that object.
    var jsonFields: String {
        let (status, error, file) = fields
        let texts = [
            ("name", name), ("url", address), ("status", status), ("error", error?.reason.rawValue),
            ("detail", error?.detail), ("file", file),
        ]
        return texts.map { "\"\($0)\":\($1.map(CatalogText.json) ?? "null")" }.joined(separator: ",")
            + ",\"bytes\":\(bytes),\"milliseconds\":\(milliseconds)"
    }

    private var fields: (status: String, error: PhotoError?, file: String?) {
        switch outcome {
        case .filtered(let file): ("filtered", nil, file)
        case .failed(let error): ("failed", error, nil)
        case .cancelled: ("cancelled", nil, nil)
        }
    }

    /// A spreadsheet takes a field that begins with one of `= + - @` for a formula, which a catalog from elsewhere must not be
    /// able to plant: such a field gets an apostrophe in front.
    private static func field(_ text: String) -> String {
        let isFormula = text.unicodeScalars.first.map { "=+-@".unicodeScalars.contains($0) } ?? false
        return CatalogText.field(isFormula ? "'" + text : text, separator: ",")
    }
}
