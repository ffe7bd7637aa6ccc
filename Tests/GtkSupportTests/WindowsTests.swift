import CAtspi
import CGtk
import Foundation
import Glibc
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// One program with several windows, and starts of the program while it runs.
final class WindowsTests: GtkTestCase {
    func testASecondStartOpensItsWindowInTheProgramThatRuns() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture(["first", "second"])
            defer { fixture.remove() }
            let (app, person) = try fixture.start()
            // Its paths begin where it was started.
            try Self.start(["second.csv"], fixture)
            try person.wait("both windows") {
                try Screen.hasWindow("first.csv – Classic Photos") && Screen.hasWindow("second.csv – Classic Photos")
            }
            try person.wait("both photos") { person.sees("first, Done") && person.sees("second, Done") }
            // Told to end, it closes both, and remembers what each has had open.
            app.terminate()
            try person.end()
            let text = try fixture.remembered
            XCTAssertTrue(text.contains("recent-0=\(fixture.catalog("second").path)\n"), text)
            XCTAssertTrue(text.contains("recent-1=\(fixture.catalog("first").path)\n"), text)
        }
    }

    /// A program that ends has its name on the bus for a moment longer than what answers there.
    func testAStartWhileTheProgramEndsOpensAWindow() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture(["first"])
            defer { fixture.remove() }
            let ending = try XCTUnwrap(
                BusService("org.classicphotos.ClassicPhotos") { _, connection in
                    var arguments = [g_variant_new_string("org.classicphotos.ClassicPhotos")]
                    g_dbus_connection_call(
                        connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                        "ReleaseName", g_variant_new_tuple(&arguments, 1), nil, G_DBUS_CALL_FLAGS_NONE, -1, nil, nil,
                        nil)
                    return false
                })
            defer { ending.end() }
            let person = try fixture.start().person
            // It has the name now.
            try Self.start([], fixture)
            XCTAssertEqual(try Screen.windowCount(), 1)
            try person.close()
        }
    }

    func testAStartBesideAProgramThatDoesNotAnswerOpensAWindow() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture(["first"])
            defer { fixture.remove() }
            let other = try XCTUnwrap(BusService("org.classicphotos.ClassicPhotos") { _, _ in false })
            defer { other.end() }
            try fixture.start().person.close()
        }
    }

    func testASecondStartPassesItsStandardInputOn() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture(["first"])
            defer { fixture.remove() }
            try ImageEncoder(format: .png).encode(PixelBuffer(size: PixelSize(width: 40, height: 30)))
                .write(to: fixture.folder.appending(path: "near.png"))
            let input = fixture.folder.appending(path: "input")
            try Data("name,url\nNear,near.png\n".utf8).write(to: input)
            let (app, person) = try fixture.start()
            try Self.start(["-"], fixture, input: input)
            try person.wait("its photo") { person.sees("Near, Done") }
            XCTAssertTrue(try Screen.hasWindow("Standard input – Classic Photos"))
            app.terminate()
            try person.end()
        }
    }

    func testWhoStartsItWithNothingSeesTheWindowThatIsThere() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture(["first"])
            defer { fixture.remove() }
            let person = try fixture.start().person
            try Self.start([], fixture)
            XCTAssertEqual(try Screen.windowCount(), 1)
            // What is wrong with a start it says itself.
            try Self.start(["--nonsense"], fixture, status: 2)
            XCTAssertEqual(try Screen.windowCount(), 1)
            try person.close()
        }
    }

    func testAWindowIsOpenedClosedAndQuitFromTheKeyboard() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture(["first", "second"])
            defer { fixture.remove() }
            let person = try fixture.start().person
            try person.keys("ctrl+n")
            try person.wait("the new window") { person.sees("See Your Photos") }
            XCTAssertEqual(try Screen.windowCount(), 2)
            // What the first one has opened the second one offers.
            XCTAssertTrue(person.sees("first.csv", role: ATSPI_ROLE_LIST_ITEM))
            try Screen.focusTopWindow()
            try person.keys("ctrl+l")
            try person.wait("the dialog of the new window") { try Screen.windowCount() == 3 }
            try Screen.focusTopWindow()
            try Screen.type(fixture.server.url("/second.csv").absoluteString)
            try Screen.key("Return")
            try person.wait("its photos") { person.sees("second, Done") && person.sees("first, Done") }
            // A search is one of its own window.
            try Screen.focus("second.csv – Classic Photos")
            try Screen.key("ctrl+f")
            try person.wait("the entry") { person.isFocused("Search by name") }
            try Screen.type("nobody")
            try person.wait("the search") { person.sees("No Match") && person.sees("first, Done") }
            try Screen.key("ctrl+w")
            try person.wait("the end of the second window") { try Screen.windowCount() == 1 }
            XCTAssertTrue(person.sees("first, Done"))
            try person.focus()
            try person.keys("ctrl+n")
            try person.wait("another window") { try Screen.windowCount() == 2 }
            try person.focus(title: "first.csv – Classic Photos")
            try Screen.key("ctrl+q")
            try person.end()
        }
    }

    func testALookThatIsChangedInOneWindowIsSeenInAll() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture(["first", "second"])
            defer { fixture.remove() }
            let settings = fixture.settings.appending(path: "classicphotos")
            try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
            try Data("[look-1]\nname=Ash\nfilter=grayscale(1)\nid=Ash\n".utf8)
                .write(to: settings.appending(path: "looks.ini"))
            try Data("[window]\nlook=saved:Ash\n".utf8).write(to: settings.appending(path: "app.ini"))
            let (app, person) = try fixture.start()
            try Self.start([fixture.catalog("second").path], fixture)
            try person.wait("the other window") { person.sees("second, Done") && person.sees("1 photo · Ash") }
            // They lie over each other, and the pointer reaches the one that was opened last.
            try person.focus(title: "second.csv – Classic Photos")
            try SavedLookTests.openEditor("Edit Look", "alt+e", person)
            try SavedLookTests.write("Ember", "invert(1)", person)
            try person.keys("alt+s")
            try person.wait("the look in both") { person.sees("1 photo · Ember") && !person.sees("1 photo · Ash") }
            app.terminate()
            try person.end()
        }
    }

    func testALookOfOnePhotoIsSeenInAllWindowsWithThePhoto() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture(["first"])
            defer { fixture.remove() }
            let (app, person) = try fixture.start()
            try Self.start([fixture.catalog("first").path], fixture)
            try person.wait("the photo in both") { person.count(ofNames: "first, Done") == 2 }
            // They lie over each other, and the pointer reaches the one that was opened last.
            try person.focus(title: "first.csv – Classic Photos")
            try Screen.focusTopWindow()
            try person.press("first, Done", button: 3) {
                person.sees("Look of This Photo…", role: ATSPI_ROLE_MENU_ITEM, inRow: "first,")
            }
            try person.keys("l")
            try person.wait("the looks") { person.isOn("1 Selected Photo") }
            try person.keys("Right")
            try person.wait("the look in both") { person.count(ofNames: "first, Done, Look: ") == 2 }
            app.terminate()
            try person.end()
        }
    }

    func testPreferencesHoldForAllWindows() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture(["first"])
            defer { fixture.remove() }
            // Another name than that of the server that sent the catalog.
            fixture.server.serve(
                Data("name,url\nPrivate,http://localhost:\(fixture.server.port)/photo\n".utf8), at: "/private.csv")
            let app = try AppRun(
                [fixture.server.url("/private.csv").absoluteString], settings: fixture.settings, isReadable: true)
            let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
            try person.waitForRow("Private, The address is not allowed here")
            try Self.start([fixture.catalog("first").path], fixture)
            try person.wait("the other window") { person.sees("first, Done") }
            try Screen.focus("first.csv – Classic Photos")
            try Screen.key("ctrl+comma")
            try person.wait("the preferences") { try Screen.hasWindow("Preferences") }
            try person.press("Allow Private Addresses") { person.sees("Private, Done") }
            try Screen.focus("Preferences")
            try Screen.key("Escape")
            try person.wait("the end of the preferences") { try !Screen.hasWindow("Preferences") }
            app.terminate()
            try person.end()
            XCTAssertTrue(try fixture.remembered.contains("private-addresses=true\n"))
        }
    }

    func testASaveGoesOnWhileItsWindowIsClosedAndAnotherIsUsed() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture(["first"])
            defer { fixture.remove() }
            let image = PixelBuffer(size: PixelSize(width: 40, height: 30))
            fixture.server.serve(try ImageEncoder(format: .png).encode(image), at: Fault.gate.rawValue)
            let slow = fixture.folder.appending(path: "slow.csv")
            try Data("name,url\nSlow,\(fixture.server.url(.gate))\n".utf8).write(to: slow)
            let app = try AppRun([slow.path], settings: fixture.settings, isReadable: true)
            let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
            try person.waitForRow("Slow, Downloading…")
            try Self.start([fixture.catalog("first").path], fixture)
            try person.wait("the other window") { person.sees("first, Done") }
            try person.focus(title: "slow.csv – Classic Photos")
            try person.keys("Home", "ctrl+s")
            let file = fixture.folder.appending(path: "saved.png")
            try person.answerFileDialog("Save Photo As", file.path)
            try person.wait("the saving") { person.sees("Saving “Slow”…") }
            try person.focus(title: "slow.csv – Classic Photos")
            try Screen.key("ctrl+w")
            try person.wait("the end of its window") { try Screen.windowCount() == 1 }
            try person.focus(title: "first.csv – Classic Photos")
            try person.search("nobody")
            try person.wait("an answer of the other window") { person.sees("No Match") }
            // It shows the save now.
            try person.wait("the saving") { person.sees("Saving “Slow”…") }
            XCTAssertFalse(FileManager.default.fileExists(atPath: file.path))
            fixture.server.openGate()
            try person.wait("the file") {
                FileManager.default.fileExists(atPath: file.path) && !person.sees("Saving “Slow”…")
            }
            try person.close()
        }
    }

    // MARK: Helpers

    /// Starts the program once more, in the fixture's folder; it ends at once.
    @MainActor private static func start(
        _ arguments: [String], _ fixture: Fixture, input: URL? = nil, status: Int32 = 0, line: UInt = #line
    ) throws {
        let other = try AppRun(
            arguments, input: input, settings: fixture.settings, isReadable: true, in: fixture.folder)
        wait("end of the other start", line: line) { !other.isRunning }
        XCTAssertEqual(other.exitStatus, status, other.output, line: line)
        if status == 0 { XCTAssertEqual(other.output, "", line: line) }
    }

    /// A server of catalogs with one photo each, which has the name of its catalog.
    @MainActor private final class Fixture {
        let server: FaultServer
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-windows-\(UUID())")
        var settings: URL { folder.appending(path: "settings") }

        init(_ names: [String]) throws {
            // Tips of buttons would be windows, too.
            try Screen.move(x: 1_200, y: 1_000)
            server = try FaultServer()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let image = PixelBuffer(size: PixelSize(width: 40, height: 30))
            server.serve(try ImageEncoder(format: .png).encode(image), at: "/photo")
            for name in names {
                let text = Data("name,url\n\(name),\(server.url("/photo?\(name)"))\n".utf8)
                try text.write(to: catalog(name))
                server.serve(text, at: "/\(name).csv")
            }
        }

        func remove() {
            server.stop()
            try? FileManager.default.removeItem(at: folder)
        }

        /// Starts the program with the first catalog, and waits for its photo.
        func start() throws -> (app: AppRun, person: Person) {
            let app = try AppRun([catalog("first").path], settings: settings, isReadable: true)
            let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
            try person.waitForRow("first, Done")
            return (app, person)
        }

        func catalog(_ name: String) -> URL { folder.appending(path: name + ".csv") }

        var remembered: String {
            get throws {
                try String(contentsOf: settings.appending(path: "classicphotos/app.ini"), encoding: .utf8)
            }
        }
    }
}
