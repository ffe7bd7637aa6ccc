import Foundation

/// A table that is Markdown and can be read as it is.
struct Table {
    private var rows: [[String]]

    init(_ header: [String]) { rows = [header] }

    mutating func add(_ row: [String]) { rows.append(row) }

    /// The first column is set to the left, the rest to the right.
    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            "| " + row.indices.map { pad(row[$0], widths[$0], isFirst: $0 == 0) }.joined(separator: " | ") + " |"
        }
        let rule = widths.indices.map { column in
            String(repeating: "-", count: widths[column] + 1) + (column == 0 ? "-" : ":")
        }
        lines.insert("|" + rule.joined(separator: "|") + "|", at: 1)
        return lines.joined(separator: "\n")
    }

    private func pad(_ text: String, _ width: Int, isFirst: Bool) -> String {
        let space = String(repeating: " ", count: width - text.count)
        return isFirst ? text + space : space + text
    }
}

/// A whole number with its thousands apart.
func grouped(_ value: Double) -> String {
    var digits = Substring(String(format: "%.0f", value))
    var groups: [Substring] = []
    while digits.count > 3 {
        groups.insert(digits.suffix(3), at: 0)
        digits = digits.dropLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
}

/// How many times as much, with as many digits as tell something.
func times(_ ratio: Double) -> String {
    ratio < 9.95 ? String(format: ratio < 1.995 ? "%.2f×" : "%.1f×", ratio) : grouped(ratio) + "×"
}
