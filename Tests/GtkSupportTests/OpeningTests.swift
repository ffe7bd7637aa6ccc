import CAtspi
import Foundation
import Glibc
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// What happens while a catalog is on its way, and to what was there before it.
final class OpeningTests: GtkTestCase {
    func testWhereNothingIsOpenThereIsNothingToTryAgain() throws {
        try MainActor.assumeIsolated {
            let person = try Self.start([])
            try person.wait("the first page") { person.sees("Open Folder…") }
            try person.focus()
            try person.keys("F5", "shift+F5")
            // What a key does is done before what the next one does.
            try person.keys("ctrl+o")
            try person.wait("the dialog") { try Screen.hasWindow("Open Photos or a Catalog") }
            XCTAssertTrue(person.sees("Open Folder…"), "it is the first page still")
            XCTAssertTrue(person.sees("Pictures and Catalogs", inRow: ""), "not everything is offered")
            try Screen.focus("Open Photos or a Catalog")
            try Screen.key("Escape")
            try person.wait("the end of the dialog") { try !Screen.hasWindow("Open Photos or a Catalog") }
            try person.focus()
            try person.close()
        }
    }

    func testAPauseEndsWithItsCatalog() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let person = try Self.start([try Self.catalog("first", server, in: folder).path])
                try person.waitForRow("first 0, Done")
                try person.keys("ctrl+shift+p")
                try person.wait("the pause") { person.sees("Resume") }
                server.serve(
                    try Data(contentsOf: Self.catalog("second", server, in: folder)), at: "/second%20list.csv")
                try person.keys("ctrl+l")
                try person.wait("the dialog") { try Screen.windowCount() == 2 }
                try Screen.focusTopWindow()
                // As it may be copied from a text: with spaces around it, which mean nothing, and one inside.
                try person.type(" " + server.url("/second").absoluteString + " list.csv ")
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
                try Data("[window]\nrecent-0=\(recent)\nrecent-1=http://127.0.0.1:9/my%20list.csv\n".utf8).write(
                    to: settings.appending(path: "app.ini"))
                let app = try AppRun([], settings: settings.deletingLastPathComponent(), isReadable: true)
                let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
                try person.wait("the start") { person.sees("See the Sample") }
                XCTAssertTrue(person.sees("my list.csv"))
                // The arrow beside “Open”.
                try person.press("Open a catalog", at: 0.9) {
                    person.sees(recent, role: ATSPI_ROLE_MENU_ITEM)
                }
                try person.keys("Escape")
                try person.close()
            }
        }
    }

    func testAPictureIsOpenedAmongTheOthersOfItsFolder() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { _, folder in
                for name in ["one.png", "two words.png", "three.png"] { try Self.writeImage(name, in: folder) }
                let path = folder.appending(path: "two words.png").path
                for argument in [path, "file://" + path.replacing(" ", with: "%20")] {
                    let person = try Self.start([argument])
                    try person.wait("the picture in large") {
                        person.numberInLarge(of: 3) == 3 && person.sees("two words.png, Done", role: ATSPI_ROLE_IMAGE)
                    }
                    try person.keys("Escape")
                    try person.waitForRow("three.png, Done")
                    try person.wait("the photo that was looked at is chosen") { person.isChosen("two words.png, Done") }
                    try person.close()
                }
            }
        }
    }

    func testAllThatIsNamedIsOpened() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { _, folder in
                for name in ["a/one.png", "a/deep/two.png", "b/three.png"] { try Self.writeImage(name, in: folder) }
                let paths = ["a", "b/three.png"].map { folder.appending(path: $0).path }
                let person = try Self.start(paths)
                let all: Set = ["a/one.png, Done", "a/deep/two.png, Done", "b/three.png, Done"]
                try person.wait("all that was named, and nothing else") { Set(person.rows) == all }
                try person.close()
            }
        }
    }

    func testAFolderWithoutPicturesIsNoCatalog() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { _, folder in
                let person = try Self.start([folder.path])
                try person.wait("that there are none") { person.sees("There are no pictures here.") }
                try person.close()
            }
        }
    }

    /// As Windows in Korea wrote names, which old archives keep.
    func testAPhotoWhoseNameIsNotUTF8SaysSo() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { _, folder in
                let path = Array(folder.path.utf8) + Array("/".utf8) + [0xC7, 0xD1] + Array(".png".utf8) + [0]
                let descriptor = open(path.map { CChar(bitPattern: $0) }, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
                XCTAssertGreaterThanOrEqual(descriptor, 0)
                close(descriptor)
                let inList = try Self.start([folder.path])
                try inList.waitForRow("\u{FFFD}\u{FFFD}.png, The file’s name is not UTF-8; rename it")
                try inList.close()
                // As a file manager has it opened.
                let alone = try Self.start(["file://\(folder.path)/%C7%D1.png"])
                let shown = "\(folder.path)/\u{FFFD}\u{FFFD}.png"
                try alone.wait("the reason") {
                    alone.sees("The name of \(shown) is not UTF-8. Rename it to open it.")
                }
                try alone.close()
            }
        }
    }

    func testWhatCannotBeOpenedClosesNothing() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let settings = folder.appending(path: "settings")
                let first = try Self.catalog("first", server, in: folder)
                let app = try AppRun([first.path], settings: settings, isReadable: true)
                let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
                try person.waitForRow("first 0, Done")
                try person.keys("ctrl+f")
                try person.type("first")
                try person.wait("the search") { person.sees("3 photos") }
                server.serve(Data("%PDF-1.4".utf8), at: "/wrong")
                try Self.openAddress(server.url("/wrong").absoluteString, person)
                try person.wait("the reason") { person.sees("“wrong” Cannot Be Opened") }
                XCTAssertTrue(person.rows.contains("first 0, Done"))
                XCTAssertTrue(person.sees("This is not a catalog: it is a PDF document."))
                // Another try, by which it is there.
                server.serve(try Data(contentsOf: Self.catalog("second", server, in: folder)), at: "/wrong")
                try Screen.focusTopWindow()
                try Screen.key("Return")
                try person.waitForRow("second 0, Done")
                try person.close()
            }
        }
    }

    func testTheFirstCatalogCanBeGivenUpWhileItIsOnItsWay() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, _ in
                let person = try Self.start([server.url(.stall).absoluteString])
                XCTAssertTrue(server.waitForRequests(Fault.stall.rawValue))
                try person.wait("that it is loaded") { person.sees("Loading the Catalog") }
                XCTAssertFalse(try Screen.hasWindow("^Classic Photos$"))
                try person.press("Cancel") { try Screen.hasWindow("^Classic Photos$") }
                XCTAssertTrue(server.waitForPeerClose(Fault.stall.rawValue), "the transfer is over")
                try person.wait("the first page") { person.sees("Open Folder…") }
                // There is nothing to try again.
                try person.keys("F5")
                try person.close()
                XCTAssertEqual(server.requestCount(Fault.stall.rawValue), 1)
            }
        }
    }

    func testWhileAnotherCatalogIsOnItsWayTheFirstIsThere() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let person = try Self.start([try Self.catalog("first", server, in: folder).path])
                try person.waitForRow("first 0, Done")
                server.serve(try Data(contentsOf: Self.catalog("second", server, in: folder)), at: "/gate")
                try Self.openAddress(server.url("/gate").absoluteString, person)
                try person.wait("that it is loaded") { person.sees("Opening “gate”…") }
                XCTAssertTrue(person.rows.contains("first 0, Done"))
                // What is given up does not come.
                try person.press("Cancel") { !person.sees("Opening “gate”…") }
                try person.focus()
                try Self.openAddress(server.url("/gate").absoluteString, person)
                try person.wait("that it is loaded") { person.sees("Opening “gate”…") }
                server.openGate()
                try person.waitForRow("second 0, Done")
                try person.wait("the end of the message") { !person.sees("Opening “gate”…") }
                try person.close()
            }
        }
    }

    /// What is about to be there would have the size that is chosen meanwhile; where it does not come, what is there has it.
    func testASizeThatIsChosenWhileNothingComesOfALoadIsThatOfThePhotos() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let person = try Self.start([try Self.catalog("first", server, in: folder).path])
                try person.waitForRow("first 0, Done")
                @MainActor func height() -> Int {
                    person.frame(of: "first 0, Done", role: ATSPI_ROLE_LIST_ITEM)?.height ?? 0
                }
                let medium = height()
                XCTAssertGreaterThan(medium, 0)
                server.serve(Data("%PDF-1.4".utf8), at: "/gate")
                @MainActor func load() throws {
                    try Self.openAddress(server.url("/gate").absoluteString, person)
                    try person.wait("that it is loaded") { person.sees("Opening “gate”…") }
                    try person.focus()
                }
                // It is given up.
                try load()
                try person.keys("ctrl+plus")
                try person.press("Cancel") { !person.sees("Opening “gate”…") }
                try person.wait("larger photos") { height() > medium }
                // It is no catalog.
                try load()
                try person.keys("ctrl+minus")
                server.openGate()
                try person.wait("the reason") { person.sees("“gate” Cannot Be Opened") }
                try person.wait("smaller photos") { height() == medium }
                try Screen.focusTopWindow()
                try Screen.key("Escape")
                try person.wait("the end of the message") { try Screen.windowCount() == 1 }
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
        let image = PixelBuffer(size: PixelSize(width: 8, height: 6))
        server.serve(try ImageEncoder(format: .png).encode(image), at: "/it")
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

    @MainActor private static func openAddress(_ address: String, _ person: Person) throws {
        try person.focus()
        try person.keys("ctrl+l")
        try person.wait("the dialog") { try Screen.windowCount() == 2 }
        try Screen.focusTopWindow()
        try person.type(address)
        try Screen.key("Return")
        try person.wait("the end of the dialog") { !person.sees("Open an Address") }
    }

    private static func writeImage(_ name: String, in folder: URL) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try ImageEncoder(format: .png).encode(PixelBuffer(size: PixelSize(width: 8, height: 6))).write(to: file)
    }
}
