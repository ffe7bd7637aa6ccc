import Foundation
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// What the preferences say of downloads that are kept, and how these are cleared.
final class KeptDownloadsTests: GtkTestCase {
    private static let row = "Kept Downloads: "

    func testWhatIsKeptIsToldAndCleared() throws {
        try MainActor.assumeIsolated {
            try Self.withPhoto { person, caches in
                XCTAssertEqual(person.canPress("Clear", inRow: Self.row), true)
                let before = try Self.databases(in: caches)
                XCTAssertEqual(before.count, 1)
                try person.press("Clear", inRow: Self.row) { person.sees(Self.row + "Nothing is kept") }
                XCTAssertEqual(person.canPress("Clear", inRow: Self.row), false)
                XCTAssertEqual(try Set(Self.databases(in: caches)).intersection(before), [])
                XCTAssertEqual(person.rows, ["Photo 0, Done"], "what is shown stays")
            }
        }
    }

    func testWhatCannotBeClearedIsSaid() throws {
        try MainActor.assumeIsolated {
            try Self.withPhoto { person, caches in
                // A folder is in the way, which is not the cache's to delete.
                let name = try XCTUnwrap(Self.databases(in: caches).first).replacing("-1.", with: "-2.")
                let folder = caches.appending(path: "classicphotos/" + name)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
                try person.press("Clear", inRow: Self.row) {
                    person.name(beginningWith: Self.row + "Not all of it could be cleared: ") != nil
                }
                XCTAssertEqual(person.rows, ["Photo 0, Done"])
            }
        }
    }

    // MARK: Helpers

    /// The preferences over a photo that was downloaded and kept.
    @MainActor private static func withPhoto(_ body: (Person, URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-kept-\(UUID())")
        let caches = folder.appending(path: "caches")
        try FileManager.default.createDirectory(at: caches, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try FaultServer()
        defer { server.stop() }
        let image = PixelBuffer(size: PixelSize(width: 80, height: 60))
        server.serve(
            try ImageEncoder(format: .png).encode(image), at: "/it", headers: ["Cache-Control": "max-age=6000"])
        let catalog = folder.appending(path: "it.csv")
        try Data("name,url\nPhoto 0,\(server.url("/it"))\n".utf8).write(to: catalog)
        let app = try AppRun([catalog.path], isReadable: true, environment: ["XDG_CACHE_HOME": caches.path])
        let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
        try person.waitForRow("Photo 0, Done")
        try person.keys("ctrl+comma")
        try person.wait("how much is kept") {
            person.name(beginningWith: row)?.hasSuffix(" of 512.0\u{A0}MB at most") ?? false
        }
        try body(person, caches)
        try Screen.focus("Preferences")
        try Screen.key("Escape")
        try person.wait("the end of the preferences") { try Screen.windowCount() == 1 }
        try person.focus()
        try person.close()
    }

    private static func databases(in caches: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: caches.appending(path: "classicphotos").path)
            .filter { $0.hasSuffix(".sqlite") }
    }
}
