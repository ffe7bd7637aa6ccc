import PhotoPipeline
import Wording

/// What is said of a catalog whose captions and the like are in another encoding, as such rows are read all the same.
enum UndecodedTextWarning {
    /// Says it on standard error, if there is something to say.
    static func tell(_ text: Catalog.UndecodedText?) {
        guard let text else { return }
        let rows =
            text.rows == 1
            ? tr("Line \(text.line) has text that is not UTF-8.")
            : tr("\(text.rows) rows have text that is not UTF-8, the first of them at line \(text.line).")
        let advice = tr(
            "Data sets get � for what cannot be read. Save the catalog in UTF-8, as iconv -f WINDOWS-1252 -t UTF-8 does."
        )
        Console.error("classicphotos: \(rows) \(advice)\n")
    }
}
