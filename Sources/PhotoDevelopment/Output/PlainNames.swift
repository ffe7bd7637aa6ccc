import FoundationEssentials
import PhotoPipeline
import Transfers

/// Which rows give their results their own names, `NAME.jpg`: those whose names are theirs alone in the whole catalog.
///
/// A plain value, a bit a row; making it takes about two bytes a row for the moment. A name that several rows have is none's: each of
/// them gets the form that ``OutputName`` makes of name and address. So what a row's file is called depends on nothing but the catalog, of
/// which a folder has only one: not on which rows came first, nor on what failed, was killed or is taken again. To refuse such
/// catalogs instead would be of no use to whoever has a million captions.
///
/// Names count as equal where any usual file system takes them for one, see ``FoldedName``.
struct PlainNames: Sendable {
    private var repeated: RowSet

    /// - Parameters:
    ///   - count: How many rows there are.
    ///   - name: The name of a row.
    init(count: Int, name: (Int) -> String) {
        repeated = RowSet(count: count)
        for rows in RowGroups.sharing(count: count, bits: { $0 }, key: { Self.key(Self.stem(name($0))) }) {
            for row in rows { repeated.insert(row) }
        }
    }

    /// What the result of a row is called, without an ending; nil where its name is not its own, or has the form of one that is
    /// made to be distinct.
    func stem(of name: String, at row: Int) -> String? {
        guard !repeated.contains(row) else { return nil }
        let stem = Self.stem(name)
        return OutputName.isDistinct(FoldedName.of(stem)) ? nil : stem
    }

    /// A name made safe, without the ending of a picture.
    private static func stem(_ name: String) -> String {
        let bare = Catalog.isImage(named: name) ? name.lastIndex(of: ".").map { String(name[..<$0]) } : nil
        let stem = OutputName.readable(bare ?? name)
        return isDevice(stem) ? "_" + stem : stem
    }

    private static let devices: Set<String> = {
        var names: Set = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
        for digit in "0123456789¹²³" { names.formUnion(["COM\(digit)", "LPT\(digit)"]) }
        return names
    }()

    /// Whether Windows takes a name for a device, whatever its ending.
    private static func isDevice(_ stem: String) -> Bool {
        let base = stem.prefix { $0 != "." }
        guard base.utf8.count(where: { $0 != UInt8(ascii: " ") }) <= 8 else { return false }
        return devices.contains(base.filter { $0 != " " }.uppercased())
    }

    /// The same number for all names that a file system may take for one. It is the same in each run: what is no repetition but
    /// happens to have the number of another name, which nobody will see, must be so each time.
    static func key(_ stem: String) -> UInt64 { Checksum.of(Data(FoldedName.of(stem).utf8)) }
}
