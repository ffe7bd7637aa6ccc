import Foundation
import ImageCodecs
import PhotoPipeline
import Pixels
import XCTest

@testable import PhotoDevelopment

/// A folder of pictures, and one for what is made of them.
class JournalTestCase: XCTestCase {
    let folder = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID())").path

    var output: String { folder + "/pictures" }
    var place: JournalFolder { JournalFolder(in: output) }

    override func setUpWithError() throws {
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    }

    override func tearDown() {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A journal for so many rows.
    func journal(rows: Int, recipe: Recipe = Recipe([])) throws -> Journal {
        try place.make()
        return try Journal(
            creating: place.database, digest: CatalogDigest(text: "digest"), count: rows, recipe: recipe)
    }

    func row(_ index: Int, _ outcome: ReportRow.Outcome? = nil) -> ReportRow {
        ReportRow(
            name: "row \(index)", address: "https://example.org/photos/\(index)",
            outcome: outcome ?? .filtered(files: ["\(index).jpg"]), bytes: index, milliseconds: 7)
    }

    /// A catalog of local pictures with these names, in a file of the folder.
    func catalog(_ names: [String]) async throws -> Catalog {
        let pixels = PixelBuffer(uninitialized: PixelSize(width: 16, height: 9), isOpaque: true) { bytes in
            for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) | 3 }
        }
        let image = try ImageEncoder(format: .jpeg).encode(pixels)
        for name in names where !name.hasPrefix("gone") {
            try image.write(to: URL(filePath: folder + "/" + name))
        }
        let text = "name,url\n" + names.map { "\($0),\($0)\n" }.joined()
        try Data(text.utf8).write(to: URL(filePath: folder + "/catalog.csv"))
        return try await Catalog.load(from: .path(folder + "/catalog.csv"))
    }

    var options: DevelopmentOptions {
        var options = DevelopmentOptions(output: output)
        options.jobs = 2
        return options
    }

    /// What the journal has, as lines of CSV.
    func recorded() throws -> [String] {
        JournalRows(of: try Journal(opening: place.database)).map { String($0.csv().dropLast()) }
    }

    static var residentMegabytes: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE)) / 1_000_000
    }
}
