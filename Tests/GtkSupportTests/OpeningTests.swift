import CAtspi
import Foundation
import Glibc
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// What happens while a catalog is on its way, and to what was there before it.
final class OpeningTests: GtkTestCase {
    func testAPauseEndsWithItsCatalog() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let person = try Self.start([try Self.catalog("first", server, in: folder).path])
                try person.waitForRow("first 0, Done")
                try person.keys("ctrl+p")
                try person.wait("the pause") { person.sees("Resume") }
                server.serve(
                    try Data(contentsOf: Self.catalog("second", server, in: folder)), at: "/second.csv")
                try person.keys("ctrl+l")
                try person.wait("the dialog") { try Screen.windowCount() == 2 }
                try Screen.focusTopWindow()
                try person.type(server.url("/second.csv").absoluteString)
                try Screen.key("Return")
                try person.waitForRow("second 0, Done")
                XCTAssertTrue(person.sees("Pause"))
                try person.close()
            }
        }
    }

    func testWhileStandardInputIsReadThereIsNothingToSearchAndNothingToReadAgain() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let (person, writer) = try Self.startReading(in: folder)
                try person.keys("n", "o", "ctrl+f")
                try person.waitForMessage("Standard input can be read only once.", afterKey: "F5")
                XCTAssertFalse(person.sees("Search by name"), "there is nothing to search yet")
                try writer.write(contentsOf: Data(contentsOf: Self.catalog("late", server, in: folder)))
                try writer.close()
                try person.waitForRow("late 0, Done")
                try person.close()
            }
        }
    }

    func testAMenuThatIsOpenWhenTheCatalogArrivesKeepsTheKeyboard() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let (person, writer) = try Self.startReading(in: folder)
                try person.press("Open a catalog", at: 0.9) { person.sees("Open Folder…", role: ATSPI_ROLE_MENU_ITEM) }
                try writer.write(contentsOf: Data(contentsOf: Self.catalog("late", server, in: folder)))
                try writer.close()
                try person.waitForRow("late 0, Done")
                XCTAssertTrue(person.sees("Open Folder…", role: ATSPI_ROLE_MENU_ITEM))
                try Screen.key("Down")
                try Screen.key("Return")
                try person.wait("what the menu offers") {
                    try person.sees("Open an Address") || Screen.hasWindow("Open a Folder of Photos")
                }
                try Screen.focusTopWindow()
                try Screen.key("Escape")
                try person.wait("its end") {
                    try !person.sees("Open an Address") && !Screen.hasWindow("Open a Folder of Photos")
                }
                try person.close()
            }
        }
    }

    func testRecentCatalogsAreNamedAsTheyAre() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let recent = "/my__photos/of_2026.csv"
                let settings = folder.appending(path: "settings/classicphotos")
                try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
                try Data("[window]\nrecent-0=\(recent)\n".utf8).write(to: settings.appending(path: "app.ini"))
                let app = try AppRun([], settings: settings.deletingLastPathComponent(), isReadable: true)
                let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
                try person.wait("the start") { person.sees("See the Sample") }
                // The arrow beside “Open”.
                try person.press("Open a catalog", at: 0.9) {
                    person.sees(recent, role: ATSPI_ROLE_MENU_ITEM)
                }
                try person.keys("Escape")
                try person.close()
            }
        }
    }

    // MARK: Helpers

    /// Starts the program with a catalog that is what is written to the pipe.
    @MainActor private static func startReading(in folder: URL) throws -> (Person, FileHandle) {
        let pipe = folder.appending(path: "pipe")
        XCTAssertEqual(mkfifo(pipe.path, 0o600), 0)
        // For reading too, so that it does not wait for the program.
        let writer = FileHandle(fileDescriptor: open(pipe.path, O_RDWR | O_CLOEXEC), closeOnDealloc: true)
        let app = try AppRun(["-"], input: pipe, isReadable: true)
        let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
        try person.wait("the catalog on its way") { person.sees("Loading the Catalog") }
        return (person, writer)
    }

    @MainActor private static func withServer(_ body: (FaultServer, URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-opening-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try FaultServer()
        defer { server.stop() }
        let picture = PixelBuffer(size: PixelSize(width: 8, height: 6))
        server.serve(try ImageEncoder(format: .png).encode(picture), at: "/it")
        try body(server, folder)
    }

    @MainActor private static func start(_ arguments: [String]) throws -> Person {
        Person(reader: try Reader(program: "classicphotos-app"), app: try AppRun(arguments, isReadable: true))
    }

    private static func catalog(_ name: String, _ server: FaultServer, in folder: URL) throws -> URL {
        let lines = (0..<3).map { "\(name) \($0),\(server.url("/it?\(name)\($0)"))\n" }
        let catalog = folder.appending(path: name + ".csv")
        try Data(("name,url\n" + lines.joined()).utf8).write(to: catalog)
        return catalog
    }
}
