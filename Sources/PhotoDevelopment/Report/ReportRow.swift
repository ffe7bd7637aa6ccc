import Catalogs
import PhotoPipeline

/// What became of one entry of the catalog.
struct ReportRow: Sendable {
    enum Outcome: Sendable {
        /// With the paths of its results in the output folder, in the order of the variants; without variants one; and with what
        /// is wrong with its data, if it was kept all the same.
        case filtered(files: [String], damage: String? = nil)
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

    /// The names of the columns as RFC 4180 writes them: with variants, one more for the file of each.
    static func header(variants: [String]) -> String {
        let further = variants.map { ",file_" + $0 }.joined()
        return "name,url,status,error,detail,file,bytes,milliseconds\(further)\n"
    }

    /// The row as RFC 4180 writes it, with a line feed at the end.
    func csv(variants: [String] = []) -> String {
        let (status, error, detail, files) = fields
        var columns = [
            name, address, status, error?.rawValue ?? "", detail ?? "", files.first ?? "", String(bytes),
            String(milliseconds),
        ]
        columns += variants.indices.map { $0 < files.count ? files[$0] : "" }
        return columns.map(Self.field).joined(separator: ",") + "\n"
    }

    /// The row as an object of JSON, with a line feed at the end.
    func json(variants: [String]) -> String { "{\(jsonFields(variants: variants))}\n" }

    /// What stands in that object; with variants, also the file of each.
    func jsonFields(variants: [String]) -> String {
        let (status, error, detail, files) = fields
        let texts: [(name: String, value: String?)] = [
            ("name", name), ("url", address), ("status", status), ("error", error?.rawValue),
            ("detail", detail), ("file", files.first),
        ]
        var text =
            texts.map { "\"\($0)\":\($1.map(CatalogText.json) ?? "null")" }.joined(separator: ",")
            + ",\"bytes\":\(bytes),\"milliseconds\":\(milliseconds)"
        if !variants.isEmpty {
            let named = zip(variants, files).map { "\"\($0)\":\(CatalogText.json($1))" }
            text += ",\"files\":\(files.isEmpty ? "null" : "{\(named.joined(separator: ","))}")"
        }
        return text
    }

    /// The words of the outcome.
    var fields: (status: String, error: PhotoError.Reason?, detail: String?, files: [String]) {
        switch outcome {
        case .filtered(let files, let damage): ("filtered", nil, damage, files)
        case .failed(let error): ("failed", error.reason, error.detail, [])
        case .cancelled: ("cancelled", nil, nil, [])
        }
    }

    /// A spreadsheet takes a field that begins with one of `= + - @` for a formula, which a catalog from elsewhere must not be
    /// able to plant: such a field gets an apostrophe in front.
    private static func field(_ text: String) -> String {
        let isFormula = text.unicodeScalars.first.map { "=+-@".unicodeScalars.contains($0) } ?? false
        return CatalogText.field(isFormula ? "'" + text : text, separator: ",")
    }
}
