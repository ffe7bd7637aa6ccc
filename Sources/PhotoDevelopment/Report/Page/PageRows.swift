import Catalogs
import FoundationEssentials
import PhotoPipeline

/// The rows of a page's table, as blocks of JSON that its script reads.
///
/// A block is `{"texts": […], "rows": [[number, name, address, host, outcome, result, bytes, milliseconds], …]}`. Host, and for
/// failed rows the result (the detail), are places in the block's texts; outcome is a place in ``outcomes``; for filtered rows the
/// result is the file, or a list of the variants' files; or `{"files": …, "damage": …}` with these and the place of what is wrong with
/// the photo's data. Two more fields are the small pictures before and after, in base64.
struct PageRows {
    /// What became of a row, for its field: two words, and each reason.
    static let outcomes = ["filtered", "cancelled"] + reasons.map(\.rawValue)
    private static let reasons = PhotoError.Reason.allCases
    private static let places = Dictionary(uniqueKeysWithValues: reasons.enumerated().map { ($1, $0 + 2) })

    /// Longer texts are cut: one row must not fill the page.
    private enum Longest {
        static let name = 300
        static let detail = 500
        static let address = 2_000
    }

    private var selection: TableSelection
    /// How many rows there were, and how many are in the table.
    private(set) var seen = HTMLReport.Totals()
    private(set) var shown = HTMLReport.Totals()

    private var rows: [UInt8] = []
    private var count = 0
    private var texts: [UInt8] = []
    private var textPlaces: [String: Int] = [:]

    init(selection: TableSelection) {
        self.selection = selection
    }

    /// Counts a row, and says whether it is to be added.
    mutating func take(_ row: ReportRow) -> Bool {
        let kind: WritableKeyPath<HTMLReport.Totals, Int> =
            switch row.outcome {
            case .filtered: \.filtered
            case .failed: \.failed
            case .cancelled: \.cancelled
            }
        seen[keyPath: kind] += 1
        let isTaken = selection.take(kind)
        if isTaken { shown[keyPath: kind] += 1 }
        return isTaken
    }

    mutating func add(_ row: ReportRow, number: Int, host: String, images: ReportImages.Pair?) {
        rows += count == 0 ? "[" : ",\n["
        rows += "\(number &+ 1),"
        PageText.appendJSON(row.name.shortened(toBytes: Longest.name), to: &rows)
        rows.append(UInt8(ascii: ","))
        PageText.appendJSON(row.address.shortened(toBytes: Longest.address), to: &rows)
        rows += ",\(place(of: host)),"
        switch row.outcome {
        case .filtered(let files, nil):
            rows += "0,"
            append(files)
        case .filtered(let files, let damage?):
            rows += "0,{\"files\":"
            append(files)
            rows += ",\"damage\":\(place(of: damage.shortened(toBytes: Longest.detail)))}"
        case .cancelled: rows += "1,0"
        case .failed(let error):
            let detail = place(of: error.detail.shortened(toBytes: Longest.detail))
            rows += "\(Self.places[error.reason] ?? 1),\(detail)"
        }
        rows += ",\(row.bytes),\(row.milliseconds)"
        if let images {
            rows += ",\"\(images.original.base64EncodedString())\",\"\(images.result.base64EncodedString())\""
        }
        rows.append(UInt8(ascii: "]"))
        count += 1
    }

    private mutating func append(_ files: [String]) {
        if files.count == 1 { return PageText.appendJSON(files[0], to: &rows) }
        rows.append(UInt8(ascii: "["))
        for (place, file) in files.enumerated() {
            if place > 0 { rows.append(UInt8(ascii: ",")) }
            PageText.appendJSON(file, to: &rows)
        }
        rows.append(UInt8(ascii: "]"))
    }

    /// The place of a text that many rows share.
    private mutating func place(of text: String) -> Int {
        if let place = textPlaces[text] { return place }
        let place = textPlaces.count
        textPlaces[text] = place
        if place > 0 { texts.append(UInt8(ascii: ",")) }
        PageText.appendJSON(text, to: &texts)
        return place
    }

    var isBlockFull: Bool { count >= 2_000 || rows.count + texts.count >= 262_144 }

    /// Writes the rows that were added since the last block.
    mutating func writeBlock(to page: inout PageBuffer) {
        guard count > 0 else { return }
        page += "<script type=\"application/json\" class=\"rows\">{\"texts\":["
        page += texts
        page += "],\"rows\":["
        page += rows
        page += "]}</script>\n"
        rows.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: true)
        textPlaces.removeAll(keepingCapacity: true)
        count = 0
    }
}

extension [UInt8] {
    fileprivate static func += (bytes: inout [UInt8], text: String) { bytes.append(contentsOf: text.utf8) }
}
