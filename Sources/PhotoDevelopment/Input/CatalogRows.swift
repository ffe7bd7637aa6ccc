import FoundationEssentials
import PhotoPipeline
import Transfers

/// The rows of a catalog that a run develops: all of them but those that are the run's own output.
///
/// A folder that is both catalog and output holds the results of earlier runs beside the pictures. They are not developed
/// again, as every run would double them; nor by a run into another folder.
struct CatalogRows: Sendable {
    /// What is left out of the catalog's folder: first rows of the catalog, then what is no row of it.
    let leftOut: [LeftOutFile]

    /// What is wrong with rows, by their places, where that is known from elsewhere, as in a task of a plan.
    var flaws: [Int: String] = [:]

    private let catalog: Catalog
    /// The places in the catalog of the rows that are kept, in order; nil where all are.
    let kept: [Int]?

    /// Where the catalog was, without what might be a secret in an address.
    var source: String {
        switch catalog.origin {
        case .file(let path), .folder(let path, _): path
        case .standardInput: "standard input"
        case .remote(let url): String(url.absoluteString.prefix { $0 != "?" }.split(separator: "@").last ?? "")
        }
    }

    var count: Int { kept?.count ?? catalog.count }

    /// The row at a place among those that are kept.
    subscript(place: Int) -> Catalog.Row { catalog[kept?[place] ?? place] }

    /// The address of the row at a place, or why there is none.
    func address(of place: Int) -> Result<ResourceAddress, PhotoError> {
        if let flaw = flaws[place] { return .failure(PhotoError(.invalidEntry, flaw)) }
        return self[place].content.mapError { PhotoError($0) }
    }

    /// - Parameters:
    ///   - catalog: The catalog.
    ///   - options: Where the run writes to.
    init(of catalog: Catalog, options: DevelopmentOptions) {
        self.catalog = catalog
        guard case .folder(let folder, let includesSubfolders) = catalog.origin else {
            (leftOut, kept) = ([], nil)
            return
        }
        // One of an earlier run; any other picture is refused elsewhere.
        let sheet = options.contactSheet.flatMap {
            ContactSheet.isOne(at: $0) ? Self.name(of: $0, in: folder) : nil
        }
        let remainder = FolderRemainder.files(
            in: folder, includesSubfolders, beside: catalog, output: options.output, variants: options.variantNames)
        let isIntoItself = FileIdentity(path: folder) == FileIdentity(path: options.output)
        var folders = ResultFolders(in: folder, output: options.output)
        guard isIntoItself || folders.holdsOwnResults || includesSubfolders || sheet != nil else {
            (leftOut, kept) = (remainder, nil)
            return
        }
        let results =
            isIntoItself || folders.holdsOwnResults
            ? ResultNames(of: catalog.lazy.map(\.name), variants: options.variantNames) : nil
        var leftOut: [LeftOutFile] = []
        var kept: [Int] = []
        for row in catalog {
            let name = row.name
            if name == sheet {
                leftOut.append(LeftOutFile(name: name, reason: .contactSheet))
            } else if results?.contains(name) ?? false || folders.contain(name) {
                leftOut.append(LeftOutFile(name: name, reason: .result))
            } else {
                kept.append(row.index)
            }
        }
        self.kept = leftOut.isEmpty ? nil : kept
        self.leftOut = leftOut + remainder
    }

    /// The way to a file from a folder, as rows of a catalog of that folder are called; nil for a file that lies elsewhere.
    private static func name(of path: String, in folder: String) -> String? {
        let slash = path.lastSlash
        let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        return FileIdentity.way(to: TemporaryFile.resolved(parent) + "/" + name, from: folder)
    }
}
