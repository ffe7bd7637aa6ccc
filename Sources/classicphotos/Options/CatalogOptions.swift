import Glibc
import PhotoPipeline
import Wording

/// Which catalog is read, and how: which of its columns count, and what of a folder.
struct CatalogOptions {
    /// A path, an address, or `-` for standard input.
    let argument: String
    let keys: CatalogKeys
    /// Whether folders in a folder are looked through too.
    let includesSubfolders: Bool

    static func add(to parser: inout OptionParser) {
        parser.flag("recursive", short: "r", "Of a folder take the pictures in the folders inside, too")
        parser.value("url-column", "COLUMN", "The column or key with the address (default: url)")
        parser.value("name-column", "COLUMN", "The column or key with the name (default: name)")
    }

    /// - Parameter keepsEntries: Whether all columns are wanted, whatever the layout is.
    init(_ argument: String, _ values: OptionValues, keepsEntries: Bool = false) throws(UsageError) {
        for name in ["url-column", "name-column"] where values.text(name)?.isEmpty == true {
            throw UsageError("--\(name) needs the name of a column")
        }
        self.argument = argument
        let usual = CatalogKeys()
        keys = CatalogKeys(
            address: values.text("url-column") ?? usual.address, name: values.text("name-column") ?? usual.name,
            // Data sets say what a photo is about, too.
            keepsEntries: keepsEntries || values.text("layout") == "webdataset")
        includesSubfolders = values.has("recursive")
        var status = stat()
        if includesSubfolders, stat(argument, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
            throw UsageError("--recursive is for a folder of pictures; \(argument.printable) is none")
        }
    }
}
