import FoundationEssentials
import PhotoDevelopment
import PhotoPipeline
import Transfers
import Wording

/// Loads the catalog that a person names, and says what is wrong with it by that name.
enum CatalogLoading {
    /// - Parameters:
    ///   - options: Which catalog, and how it is read.
    ///   - transfers: How a catalog that is at an address is fetched. Default: as a run does without options.
    /// - Returns: The catalog; nil where it cannot be had, which is said on standard error.
    static func load(
        _ options: CatalogOptions, transfers: DevelopmentOptions = DevelopmentOptions(output: "")
    ) async -> Catalog? {
        let argument = options.argument
        do {
            let catalog = try await Catalog.load(
                from: Catalog.Source(argument: argument), keys: options.keys,
                includingSubfolders: options.includesSubfolders,
                retries: transfers.transferRetries, longestRetryAfter: transfers.hostPatience,
                client: transfers.catalogClient, keepingRowsIn: .temporaryFile)
            return isOfUse(catalog, named: argument) ? catalog : nil
        } catch {
            tell(error, about: argument)
            return nil
        }
    }

    /// Whether there is something to be taken from a folder that a person named by `argument`; where not, why is said on standard error.
    /// Any other catalog is of use, also an empty one.
    static func isOfUse(_ catalog: Catalog, named argument: String) -> Bool {
        guard !hasPicturesInsideOnly(catalog) else {
            Console.problem(
                "There is no picture in \(argument.printable) itself. "
                    + "--recursive takes those of the folders inside.")
            return false
        }
        if catalog.isEmpty, let files = OtherFiles(of: catalog) {
            Console.problem(files.sentence(argument.printable))
            return false
        }
        return true
    }

    /// Says why the catalog cannot be had that a person named by `argument`.
    static func tell(_ error: Catalog.LoadingError, about argument: String) {
        Console.error("classicphotos: \(message(error, about: argument).printable)\n")
        if let hint = hint(about: argument, after: error) { Console.error("\(hint.printable)\n") }
    }

    /// What downloads and filters one photo.
    static func commandForOne(_ address: String) -> String {
        "echo '\(address)' | classicphotos develop - --output DIR"
    }

    /// Whether something that is no picture is a folder, or a file that names photos.
    static func isCatalog(_ path: String) async -> Bool {
        // What is neither may have no end, or nobody who writes to it.
        guard let kind = FileStatus(path: path, followsLinks: true)?.kind, kind == .file || kind == .folder,
            let catalog = try? await Catalog.load(from: .path(path), keepingRowsIn: .temporaryFile)
        else { return false }
        if case .folder = catalog.origin { return true }
        return catalog.contains { row in
            switch row.content {
            case .success(.web): return true
            // Any text is a list of relative paths.
            case .success: return catalog.format != .list
            case .failure: return false
            }
        }
    }

    /// Whether a folder without a picture has folders that may have some; what runs wrote into counts for nothing.
    private static func hasPicturesInsideOnly(_ catalog: Catalog) -> Bool {
        guard catalog.isEmpty, case .folder(let folder, includesSubfolders: false) = catalog.origin else {
            return false
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { name in
            var isFolder = false
            let path = folder + "/" + name
            return !name.hasPrefix(".") && FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                && isFolder
                && !FileManager.default.fileExists(atPath: path + "/.classicphotos")
        }
    }

    private static func message(_ error: Catalog.LoadingError, about argument: String) -> String {
        switch error {
        // These name their file.
        case .notRead(.notFound), .notRead(.cannotRead), .notRead(.isDevice): error.told
        default: "\(argument == "-" ? tr("standard input") : argument): \(error.told)"
        }
    }

    /// What those do who have one photo instead of a catalog.
    private static func hint(about argument: String, after error: Catalog.LoadingError) -> String? {
        guard case .notRead(.notACatalog) = error else { return nil }
        switch Catalog.Source(argument: argument) {
        case .path(let path) where LocalImage.isImage(path):
            return tr("For one picture try: classicphotos filter \(path) OUT")
        case .address: return tr("For one photo try: \(commandForOne(argument))")
        case .path, .standardInput: return nil
        }
    }
}
