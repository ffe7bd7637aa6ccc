import Glibc
import Transfers

extension HTMLReport.Run {
    /// Where the results are, seen from a page: what ``results`` takes.
    ///
    /// - Parameters:
    ///   - folder: The folder of the results, which is there.
    ///   - page: The path of the page, in a folder that is there; nil where the page is written to standard output, so that nobody
    ///     knows where it will be: then the way is absolute.
    /// - Returns: The way without links; the folder as it is where the system does not know one of both.
    static func way(to folder: String, fromPage page: String?) -> String {
        guard let results = real(folder) else { return folder }
        guard let page else { return results }
        let slash = page.lastSlash.map { page[..<$0] }
        guard let place = real(slash.map { $0.isEmpty ? "/" : String($0) } ?? ".") else { return results }
        let (from, to) = (place.pathParts, results.pathParts)
        let common = zip(from, to).prefix { $0 == $1 }.count
        return (Array(repeating: "..", count: from.count - common) + to.dropFirst(common)).joined(separator: "/")
    }

    private static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
