/// How the folders inside an output folder are called that results go into where there are too many for one: `00000`, `00001` and
/// so on, each for so many rows of the catalog, whatever becomes of them.
enum ResultFolderNames {
    /// How many rows a folder is for: so many files can be looked at, listed and removed with any tool.
    static let rowsPerFolder = 10_000
    private static let fewestDigits = 5

    /// The folder of a row, counted from 0 as the row is.
    static func folder(ofRow index: Int) -> String {
        let number = String(index / rowsPerFolder)
        return String(repeating: "0", count: max(0, fewestDigits - number.count)) + number
    }

    /// Whether a folder may be one of some run by its name.
    static func isOne(_ name: some StringProtocol) -> Bool {
        name.utf8.count >= fewestDigits && name.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
