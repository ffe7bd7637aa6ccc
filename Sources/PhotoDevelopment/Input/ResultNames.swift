import ImageCodecs

/// Knows by their names which files of a folder were made, by earlier runs, of pictures in that folder.
///
/// Such a name ends in letters that are a digest of the picture's own name. So it is known without the picture as long as
/// the name could be kept as it is; of pictures whose names had to be made safe the names are worked out.
struct ResultNames {
    /// What names of results end in.
    static let endings = Set(ImageFormat.allCases.map(\.fileExtension))

    private var stems: Set<String> = []

    /// - Parameter images: The names of the folder's pictures.
    init(of images: some Sequence<String>) {
        for name in images {
            let stem = OutputName.stem(name: name, address: name)
            if stem != Self.stem(readable: name) { stems.insert(stem) }
        }
    }

    func contains(_ file: String) -> Bool {
        // Results may lie in folders inside.
        let slash = file.lastIndex(of: "/")
        if let slash, !ResultFolderNames.isOne(file[..<slash]) { return false }
        let file = slash.map { String(file[file.index(after: $0)...]) } ?? file
        guard let dot = file.lastIndex(of: "."), Self.endings.contains(String(file[file.index(after: dot)...])) else {
            return false
        }
        let stem = String(file[..<dot])
        guard let hyphen = stem.lastIndex(of: "-") else { return false }
        return stem == Self.stem(readable: String(stem[..<hyphen])) || stems.contains(stem)
    }

    /// What a picture's result is called where its name is kept as it is.
    private static func stem(readable name: String) -> String {
        name + "-" + OutputName.distinct(name: name, address: name)
    }
}
