import Transfers

extension DevelopmentReport {
    /// The page of the run as its journal is now.
    ///
    /// - Parameter path: Where the page will be; nil where nobody knows.
    func page(at path: String?) -> HTMLReport {
        let totals = (try? journal.totals()) ?? totals
        let options = (try? journal.recipe())?.byImportance ?? []
        let source = (try? journal.source())?.pathParts.last.map(String.init)
        return HTMLReport(
            run: HTMLReport.Run(
                name: source ?? output, started: try? journal.started(),
                ended: totals.unfinished == 0 ? try? journal.latest() : nil,
                recipe: options.map { HTMLReport.Setting(name: String($0.option.dropFirst(2)), value: $0.value) },
                totals: HTMLReport.Totals(
                    filtered: totals.filtered, damaged: totals.damaged, failed: totals.failed,
                    cancelled: totals.unfinished),
                results: HTMLReport.Run.way(to: output, fromPage: path), variants: variants,
                wholeReport: "classicphotos report \(Self.quoted(output)) --format csv"))
    }

    /// A path as shells read it.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
    }
}
