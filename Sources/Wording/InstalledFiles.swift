import Glibc

/// Where a program finds what is installed beside it.
package enum InstalledFiles {
    /// The folder of translations.
    package static var localeFolder: String {
        sourceRoot.map { $0 + "/build/locale" } ?? installed("locale")
    }

    /// A path below `share` of the folder that the program is installed in.
    package static func installed(_ path: String) -> String {
        folder(of: folder(of: program)) + "/share/" + path
    }

    /// The folder of the sources, where the program was built there and not installed.
    package static let sourceRoot: String? = {
        guard let range = program.range(of: "/.build/") else { return nil }
        let root = String(program[..<range])
        return access(root + "/Package.swift", F_OK) == 0 ? root : nil
    }()

    private static let program: String = {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}

extension String {
    /// Where another text begins in this one.
    fileprivate func range(of text: String) -> String.Index? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(text) { return index }
            index = self.index(after: index)
        }
        return nil
    }
}
