import BenchServers
import Foundation
import ImageCodecs
import PhotoPipeline
import Pixels

/// Debian's `mate-backgrounds`, as a list of thumbnails would be served them, under as many addresses as are wanted.
enum Photographs {
    private static let source = URL(filePath: "/usr/share/backgrounds/mate/nature")
    /// So many addresses lead nowhere.
    private static let missing = 0.005

    /// Writes the photographs at 256 pixels; gives the files' names.
    static func write(to folder: URL) throws -> [String] {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let names = try FileManager.default.contentsOfDirectory(atPath: source.path).filter { $0.hasSuffix(".jpg") }
        guard !names.isEmpty else { throw CocoaError(.fileNoSuchFile) }
        for name in names.sorted() {
            let image = try ImageDecoder.decode(Data(contentsOf: source.appending(path: name)), longestSide: 256)
            try ImageEncoder(format: .jpeg).encode(image).write(to: folder.appending(path: name))
        }
        return names.sorted()
    }

    /// A catalog of distinct addresses.
    static func catalog(of count: Int, _ names: [String], on server: NginxServer) throws -> Catalog {
        let base = server.url("/").absoluteString
        var text = "name,url\n"
        for number in 0..<count {
            let name = names[number % names.count]
            let isMissing = number % Int(1 / missing) == 77
            text += "\(name.dropLast(4)) \(number),\(base)\(isMissing ? "missing/" : "")\(name)?\(number)\n"
        }
        return try Catalog(parsing: Data(text.utf8), origin: .file(path: "/catalog.csv"))
    }
}
