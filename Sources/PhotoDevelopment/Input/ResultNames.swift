import ImageCodecs
import Transfers

/// Knows by their names which files of a folder were made, by earlier runs, of pictures in that folder.
///
/// Such a name ends in letters that are a digest of the picture's own name. So it is known without the picture as long as
/// the name could be kept as it is; of pictures whose names had to be made safe the names are worked out.
struct ResultNames {
    /// What names of results end in.
    static let endings = Set(ImageFormat.allCases.map(\.fileExtension))

    private var stems: Set<String> = []
    private let variants: Set<String>

    /// - Parameters:
    ///   - images: The names of the folder's pictures.
    ///   - variants: The names of the run's variants, whose results are in folders of these names.
    init(of images: some Sequence<String>, variants: [String] = []) {
        self.variants = Set(variants)
        for name in images {
            let stem = OutputName.stem(name: name, address: name)
            if stem != Self.stem(readable: name) { stems.insert(stem) }
        }
    }

    func contains(_ path: String) -> Bool {
        var file = path[...]
        if let slash = path.firstSlash, variants.contains(String(path[..<slash])) {
            file = path[path.utf8.index(after: slash)...]
        }
        // Results may lie in folders inside.
        if let slash = file.lastSlash {
            guard ResultFolderNames.isOne(file[..<slash]) else { return false }
            file = file[file.utf8.index(after: slash)...]
        }
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
