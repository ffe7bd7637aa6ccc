extension OperationTrace {
    /// The operations and what they depend on, in Graphviz's DOT language; arrows lead from what is done first.
    ///
    /// Cancelled operations are dashed, failed ones red. Dependencies of operations that have not finished are left
    /// out, as they may change.
    public func dot() -> String {
        let records = records
        var lines = ["digraph operations {", "    rankdir=LR;", "    node [shape=box];"]
        for record in records where record.hasHappened {
            var attributes = ["label=\(Self.quoted("\(record.name)\n\(record.queue)"))"]
            if record.isCancelled { attributes.append("style=dashed") }
            if record.hasFailed { attributes.append("color=red") }
            lines.append("    n\(record.identifier) [\(attributes.joined(separator: ", "))];")
        }
        for record in records {
            for dependency in record.dependencies where records[dependency].hasHappened {
                lines.append("    n\(dependency) -> n\(record.identifier);")
            }
        }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    /// The text as a string of DOT's.
    ///
    /// Scalar by scalar: with a mark that combines behind it, a quotation mark is another character, and ends the string as well.
    private static func quoted(_ text: String) -> String {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
            var escaped = String.UnicodeScalarView()
            for scalar in line.unicodeScalars {
                if scalar == "\"" || scalar == "\\" { escaped.append("\\") }
                escaped.append(scalar)
            }
            return String(escaped)
        }
        return "\"\(lines.joined(separator: "\\n"))\""
    }
}
