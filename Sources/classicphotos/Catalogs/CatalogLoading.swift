import PhotoPipeline

/// Loads the catalog that a person names, and says what is wrong with it by that name.
enum CatalogLoading {
    /// - Parameter argument: A path, an address, or `-` for standard input.
    /// - Returns: The catalog; nil where it cannot be had, which is said on standard error.
    static func load(_ argument: String) async -> Catalog? {
        do {
            return try await Catalog.load(from: Catalog.Source(argument: argument))
        } catch {
            Console.error("classicphotos: \(message(error, about: argument).printable)\n")
            return nil
        }
    }

    private static func message(_ error: Catalog.LoadingError, about argument: String) -> String {
        switch error {
        // These name their file.
        case .notRead(.notFound), .notRead(.cannotRead), .notRead(.isDevice): "\(error)"
        default: "\(argument == "-" ? "standard input" : argument): \(error)"
        }
    }
}
