import Foundation
import Glibc
import ImageCodecs
import Operations
import Pixels
import TestServers
import Transfers
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
                try Screen.focus("Preferences")
                try person.press("Clear", inRow: Self.row) { person.sees(Self.row + "Nothing is kept") }
                XCTAssertTrue(person.isFocused(Self.row + "Nothing is kept"), "the keyboard stays in the row")
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

    func testASmallerSizeHoldsAtOnceAndTheNextTime() throws {
        try MainActor.assumeIsolated {
            try Self.withPhoto(before: Self.keepMegabytes(130)) { person, caches in
                XCTAssertGreaterThan(try Self.bytes(in: caches), 130_000_000)
                // The sizes above the usual one are 250 and 100 MB.
                try person.press("Space for Downloads") { try Screen.hasWindow("^classicphotos-app$") }
                try person.keys("Up", "Up", "Return")
                try person.wait("the size that is kept now") {
                    person.name(beginningWith: Self.row)?.hasSuffix(" of 100.0\u{A0}MB at most") ?? false
                }
                let kept = try Self.bytes(in: caches)
                XCTAssertLessThanOrEqual(kept, 100_000_000)
                XCTAssertGreaterThan(kept, 50_000_000, "what was used last stays")
                XCTAssertEqual(person.rows, ["Photo 0, Done"])
            } next: { person in
                try person.wait("the size of the last time") {
                    person.name(beginningWith: Self.row)?.hasSuffix(" of 100.0\u{A0}MB at most") ?? false
                }
            }
        }
    }

    func testASizeOutOfBoundsIsBroughtIntoThem() throws {
        try MainActor.assumeIsolated {
            for (written, said) in [
                ("1", "100.0\u{A0}MB"), ("999999999999999", "20.0\u{A0}GB"), ("much", "512.0\u{A0}MB"),
            ] {
                try Self.withPhoto(settings: "keep-bytes=\(written)\n", limit: said) { _, _ in }
            }
        }
    }

    // MARK: Helpers

    /// Keeps so many answers of a million bytes each, as earlier runs of the program would.
    private static func keepMegabytes(_ count: Int) -> (FaultServer, URL) throws -> Void {
        { server, caches in
            let client = TransferClient()
            let cache = DiskCache(folder: caches.appending(path: "classicphotos").path)
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 4
            server.serve(Data(count: 1_000_000), at: "/large", headers: ["Cache-Control": "max-age=6000"])
            for number in 0..<count {
                let request = DownloadRequest(url: server.url("/large?\(number)"), limits: TransferLimits())
                queue.addOperation(CachedDownloadOperation(request, client: client, cache: cache))
            }
            queue.waitUntilAllOperationsAreFinished()
            let flushed = DispatchSemaphore(value: 0)
            Task.detached {
                await cache.flush()
                flushed.signal()
            }
            flushed.wait()
        }
    }

    private static func bytes(in caches: URL) throws -> Int {
        let folder = caches.appending(path: "classicphotos")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).reduce(0) { sum, name in
            var status = stat()
            return stat(folder.appending(path: name).path, &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }

    /// The preferences over a photo that was downloaded and kept.
    ///
    /// - Parameters:
    ///   - settings: What the program remembers of the last time.
    ///   - limit: How much is said to be kept at most.
    ///   - before: Called before the program starts.
    ///   - next: Called with the preferences of the next start; nil for none.
    @MainActor private static func withPhoto(
        settings: String = "", limit: String = "512.0\u{A0}MB", before: (FaultServer, URL) throws -> Void = { _, _ in },
        _ body: (Person, URL) throws -> Void, next: ((Person) throws -> Void)? = nil
    ) throws {
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
        try before(server, caches)
        let own = folder.appending(path: "settings")
        try FileManager.default.createDirectory(
            at: own.appending(path: "classicphotos"), withIntermediateDirectories: true)
        try Data("[window]\n\(settings)".utf8).write(to: own.appending(path: "classicphotos/app.ini"))
        try withPreferences([catalog.path], own, caches) { person in
            try person.wait("how much is kept") {
                person.name(beginningWith: row)?.hasSuffix(" of \(limit) at most") ?? false
            }
            try body(person, caches)
        }
        if let next { try withPreferences([catalog.path], own, caches, next) }
    }

    @MainActor private static func withPreferences(
        _ arguments: [String], _ settings: URL, _ caches: URL, _ body: (Person) throws -> Void
    ) throws {
        let app = try AppRun(
            arguments, settings: settings, isReadable: true, environment: ["XDG_CACHE_HOME": caches.path])
        let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
        try person.waitForRow("Photo 0, Done")
        try person.keys("ctrl+comma")
        try person.wait("the preferences") { try Screen.hasWindow("Preferences") }
        try body(person)
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
