import Glibc
import Transfers

extension Catalog {
    /// Makes a catalog of pictures that somebody chose: of files, each of which is a row whatever is in it, and of the
    /// pictures in folders. Blocks until folders are read, so call it off the main thread; any other thread will do.
    ///
    /// What is named twice is one row. Rows are sorted by their names as a person would, which are the paths from the
    /// innermost folder that holds all.
    ///
    /// - Parameters:
    ///   - paths: Files and folders; relative ones from the current directory.
    ///   - includesSubfolders: Whether folders in folders are looked through too. Hidden ones, those behind links, and
    ///     those that may not be read are left out.
    /// - Throws: ``CatalogError``, if nothing of it is there or can be read.
    public static func load(
        images paths: [String], includingSubfolders includesSubfolders: Bool = true
    ) throws(CatalogError) -> Catalog {
        var folders: [String] = []
        var files: [String] = []
        var missing: CatalogError?
        for path in paths {
            let place = absolute(path)
            var status = stat()
            let isThere = stat(path, &status) == 0
            if !isThere { missing = missing ?? openingError(path, errno) }
            if isThere, status.st_mode & S_IFMT == S_IFDIR { folders.append(place) } else { files.append(place) }
        }
        let isNothingThere = folders.isEmpty && !files.contains { access($0, F_OK) == 0 }
        if let missing, isNothingThere { throw missing }
        if files.isEmpty, folders.count == 1 {
            return try FolderReader(path: folders[0], includesSubfolders: includesSubfolders).read()
        }
        return try selection(of: files, and: folders, includesSubfolders)
    }

    private static func selection(
        of files: [String], and folders: [String], _ includesSubfolders: Bool
    ) throws(CatalogError) -> Catalog {
        let common = commonFolder(of: folders.map { $0[...] } + files.map { folder(of: $0) })
        let builder = CatalogBuilder(ofFiles: CatalogLimits())
        var seen: Set<[UInt8]> = []
        /// Adds a file by its absolute path.
        func add(_ path: [UInt8]) {
            let inner = Array(path.dropFirst(common.utf8.count).drop { $0 == Byte.slash })
            if seen.insert(inner).inserted { inner.withUnsafeBufferPointer { builder.add(file: $0) } }
        }
        for file in files { add(Array(file.utf8)) }
        var problem: CatalogError?
        for folder in folders {
            let start = Array(folder.utf8) + (folder.hasSuffix("/") ? [] : [Byte.slash])
            do throws(CatalogError) {
                let reader = FolderReader(path: folder, includesSubfolders: includesSubfolders)
                try reader.forEachImage { add(start + $0) }
            } catch {
                problem = problem ?? error
            }
        }
        if let problem, seen.isEmpty { throw problem }
        return try builder.finish(
            origin: .folder(
                path: common.isEmpty ? "/" : String(common), includesSubfolders: includesSubfolders),
            format: .folder, shape: .lines(columns: 1))
    }

    /// Whether a name is that of a picture.
    package static func isImage(named name: String) -> Bool { FolderReader.isImage(Array(name.utf8)) }

    private static func folder(of file: String) -> Substring {
        file[..<(file.lastSlash ?? file.startIndex)]
    }

    /// The innermost folder that holds all of these, without a slash at its end.
    private static func commonFolder(of folders: [Substring]) -> Substring {
        guard var common = folders.first else { return "" }
        while common.hasSuffix("/") { common = common.dropLast() }
        for folder in folders {
            // By bytes: strings that Swift calls equal may name two folders.
            while !common.isEmpty, !folder.utf8.elementsEqual(common.utf8),
                !folder.utf8.starts(with: (common + "/").utf8)
            {
                common = common[..<(common.lastSlash ?? common.startIndex)]
            }
        }
        return common
    }
}
