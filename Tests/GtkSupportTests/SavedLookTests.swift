import CAtspi
import CGtk
import Foundation
import Pixels
import XCTest

@testable import PhotoApp

/// Looks that people write themselves.
final class SavedLookTests: GtkTestCase {
    func testALookOfOnesOwnIsWrittenKeptChangedAndDeleted() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, folder in
                let settings = folder.appending(path: "settings")
                let person = try OwnPhotosTests.start([photos.path], settings)
                try person.waitForRow("two.png, Done")
                try Self.openEditor("New Look", "alt+n", person)
                try person.wait("what is missing") { person.sees("The look needs a name.") }
                try Self.write("Classic", "none", person)
                try person.wait("whose name it is") { person.sees("There is another look with this name.") }
                try Self.write("Ash", "grayscale(1", person)
                try person.wait("what is wrong") { person.sees("A “)” is missing here.") }
                try person.type(")")
                try person.wait("that nothing is wrong") { !person.sees("A “)” is missing here.") }
                try person.keys("alt+s")
                try person.wait("the look") { person.sees("2 photos · Ash") }
                try person.waitForPixels(OwnPhotosTests.filtered(FilterChain([.grayscale(1)])))
                try person.close()

                let next = try OwnPhotosTests.start([photos.path], settings)
                try next.wait("the look that was chosen") { next.sees("2 photos · Ash") }
                try Self.openEditor("Edit Look", "alt+e", next)
                try Self.write("Ash", "invert(1)", next)
                try next.keys("alt+s")
                try next.wait("the end of the dialog") { try !Screen.hasWindow("Edit Look") }
                try next.focus()
                try next.waitForPixels(OwnPhotosTests.filtered(FilterChain([.invert(1)])))
                try Self.openEditor("Edit Look", "alt+e", next)
                try next.keys("alt+d")
                try next.wait("the photos as they are") { next.sees("2 photos · Original") }
                try next.waitForPixels(OwnPhotosTests.red)
                try next.close()
                let file = try String(contentsOf: settings.appending(path: "classicphotos/looks.ini"), encoding: .utf8)
                XCTAssertFalse(file.contains("Ash"), file)
            }
        }
    }

    func testALookThatIsDeletedIsTakenBack() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, folder in
                let settings = folder.appending(path: "settings/classicphotos")
                try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
                let file = settings.appending(path: "looks.ini")
                try Data("[look-1]\nname=Ash\nfilter=grayscale(1)\nid=Ash\n".utf8).write(to: file)
                try Data("[window]\nown-look=saved:Ash\n".utf8).write(to: settings.appending(path: "app.ini"))
                func isKept() throws -> Bool { try String(contentsOf: file, encoding: .utf8).contains("name=Ash") }
                let person = try OwnPhotosTests.start([photos.path], settings.deletingLastPathComponent())
                try person.waitForRow("two.png, Done")
                XCTAssertTrue(person.sees("2 photos · Ash"))
                try Self.openEditor("Edit Look", "alt+e", person)
                try person.keys("alt+d")
                try person.wait("what is said of it") { person.sees("The look “Ash” was deleted.") }
                XCTAssertFalse(try isKept())
                try person.wait("the end of the dialog") { try !Screen.hasWindow("Edit Look") }
                try person.focus()
                try person.keys("ctrl+z")
                try person.wait("the look") { try person.sees("2 photos · Ash") && isKept() }
                try person.waitForPixels(OwnPhotosTests.filtered(FilterChain([.grayscale(1)])))
                // It is deleted again, and that is taken back.
                try person.keys("ctrl+shift+z")
                try person.wait("the photos as they are") { try person.sees("2 photos · Original") && !isKept() }
                try person.keys("ctrl+z")
                try person.wait("the look again") { try person.sees("2 photos · Ash") && isKept() }
                try person.close()
            }
        }
    }

    func testALookThatIsDeletedIsAtItsPlaceAgain() throws {
        try MainActor.assumeIsolated {
            defer { for entry in SavedLooks.entries { try? SavedLooks.remove(entry) } }
            for name in ["First", "Second", "Third"] {
                try SavedLooks.keep(SavedLooks.Entry(name: name, text: "grayscale(1)"))
            }
            let entry = try XCTUnwrap(SavedLooks.entries.first { $0.name == "Second" })
            let removal = try XCTUnwrap(SavedLooks.takeOut(entry))
            XCTAssertEqual(SavedLooks.entries.map(\.name), ["First", "Third"])
            XCTAssertNil(try SavedLooks.takeOut(entry), "it is gone")
            for _ in 0..<2 {
                try SavedLooks.takeBack(removal)
                XCTAssertEqual(SavedLooks.entries.map(\.name), ["First", "Second", "Third"])
            }
            try SavedLooks.takeBack(removal.reversed)
            XCTAssertEqual(SavedLooks.entries.map(\.name), ["First", "Third"])
        }
    }

    func testALookOfOnesOwnIsForThePhotosThatItWasMadeFor() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, folder in
                try FileManager.default.copyItem(
                    at: photos.appending(path: "two.png"), to: photos.appending(path: "three.png"))
                let settings = folder.appending(path: "settings")
                let person = try OwnPhotosTests.start([photos.path], settings)
                try person.waitForRow("two.png, Done")
                try person.focus()
                try person.keys("Home", "shift+Down")
                try person.wait("two") { person.isChosen("one.png, Done") && person.isChosen("three.png, Done") }
                try person.press("one.png, Done", button: 3) {
                    person.sees("Look of 2 Photos…", role: ATSPI_ROLE_MENU_ITEM, inRow: "one.png,")
                }
                try person.keys("l")
                try person.wait("the looks") { person.isOn("2 Selected Photos") }
                try person.keys("alt+n")
                try person.wait("the dialog") { try Screen.hasWindow("New Look") && !person.sees("Intensity") }
                try person.focus(title: "New Look")
                try Self.write("Ash", "grayscale(1)", person)
                try person.keys("alt+s")
                for name in ["one", "three"] { try person.waitForRow("\(name).png, Done, Look: Ash") }
                try person.waitForRow("two.png, Done")
                XCTAssertTrue(person.sees("3 photos · Original · 2 with their own"))

                // Of two photos that have it, one is asked for it, and both have it under its new name.
                try person.focus()
                try person.keys("Home")
                try person.wait("one alone") { !person.isChosen("three.png, Done, Look: Ash") }
                try person.press("one.png, Done, Look: Ash", button: 3) {
                    person.sees("Look of This Photo…", role: ATSPI_ROLE_MENU_ITEM, inRow: "one.png,")
                }
                try person.keys("l")
                try person.wait("the looks") { person.sees("Intensity") }
                try person.keys("alt+e")
                try person.wait("the dialog") { try Screen.hasWindow("Edit Look") && !person.sees("Intensity") }
                try person.focus(title: "Edit Look")
                try Self.write("Ember", "grayscale(1)", person)
                try person.keys("alt+s")
                for name in ["one", "three"] { try person.waitForRow("\(name).png, Done, Look: Ember") }
                try person.waitForRow("two.png, Done")
                try person.close()
                let next = try OwnPhotosTests.start([photos.path], settings)
                for name in ["one", "three"] { try next.waitForRow("\(name).png, Done, Look: Ember") }
                try next.close()
            }
        }
    }

    /// Writes both over what is there.
    @MainActor static func write(_ name: String, _ filter: String, _ person: Person) throws {
        if !person.isFocused("Name") { try person.keys("shift+Tab") }
        try person.wait("the keyboard in the name") { person.isFocused("Name") }
        try person.keys("ctrl+a")
        try person.type(name)
        try person.keys("Tab")
        try person.wait("the keyboard in the filters") { person.isFocused("Filters, as in CSS") }
        try person.keys("ctrl+a")
        try person.type(filter)
    }

    /// Opens the dialog from the looks that are offered, by the key of its button.
    @MainActor static func openEditor(_ title: String, _ key: String, _ person: Person) throws {
        try person.press("Look") { person.sees("Intensity") }
        try person.keys(key)
        // What the looks were offered in takes the keyboard along when it goes.
        try person.wait("the dialog") { try Screen.hasWindow(title) && !person.sees("Intensity") }
        try person.focus(title: title)
    }

    func testWhatIsWrongIsSaidInTheUsersLanguage() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, _ in
                let app = try AppRun([photos.path], isReadable: true, language: "vi")
                let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
                try person.wait("the photos") { person.sees("2 ảnh · Nguyên bản") }
                try person.focus()
                // The tip of the button has its name, and another place.
                try person.point(at: "Phong cách")
                try person.wait("the tip") { person.sees("GtkTooltipWindow") }
                try person.press("Phong cách") { person.sees("Cường độ") }
                try person.keys("alt+p")
                try person.wait("the dialog") { try Screen.hasWindow("Phong cách mới") && !person.sees("Cường độ") }
                try person.focus(title: "Phong cách mới")
                try person.wait("the keyboard in the name") { person.isFocused("Tên") }
                try person.keys("Tab", "ctrl+a")
                try person.type("blurr(2px)")
                try person.wait("what is wrong") { person.sees("Không có hàm lọc “blurr”.") }
                try person.keys("Escape")
                try person.wait("the question") { person.sees("Bỏ các thay đổi?") }
                try person.keys("alt+b")
                try person.wait("the end of the dialog") { try !Screen.hasWindow("Phong cách mới") }
                try person.close()
            }
        }
    }

    func testTheWordThatIsWrongIsMarked() {
        MainActor.assumeIsolated {
            for (text, marked) in [
                ("sepia(80%) blurr(2px)", "blurr"), ("grayscale(1", "1"), ("sepia(x)", "x"), ("", ""),
                ("/* hạt */ nóng(1)", "nóng"), ("none sepia(1)", "sepia"),
            ] {
                do throws(FilterSyntaxError) {
                    _ = try FilterChain(parsing: text)
                    XCTFail(text)
                } catch {
                    let range = LookEditor.marked(error.offset, in: text)
                    let scalars = Array(text.unicodeScalars)[range]
                    XCTAssertEqual(String(String.UnicodeScalarView(scalars)), marked, text)
                }
            }
        }
    }

    /// Where there is no message bus, each start is a process of its own, and they have one file.
    func testWhatAnotherProcessHasKeptStays() throws {
        try MainActor.assumeIsolated {
            let file = URL(filePath: String(cString: g_get_user_config_dir()) + "/classicphotos/looks.ini")
            func write(_ names: [String]) throws {
                let groups = names.enumerated().map {
                    "[look-\($0 + 1)]\nname=\($1)\nfilter=grayscale(1)\nid=\($1)\n"
                }
                try Data(groups.joined().utf8).write(to: file)
            }
            defer { for entry in SavedLooks.entries { try? SavedLooks.remove(entry) } }
            let first = try SavedLooks.keep(SavedLooks.Entry(name: "First", text: "grayscale(1)"))
            try write(["First", "Other", "Third"])
            try SavedLooks.keep(SavedLooks.Entry(name: "Own", text: "invert(1)"))
            XCTAssertEqual(SavedLooks.entries.map(\.name), ["First", "Other", "Third", "Own"])
            try write(["Other", "Third", "New"])
            // One that was removed there has photos here.
            try SavedLooks.keep(SavedLooks.Entry(name: "Renamed", text: "invert(1)"), inPlaceOf: first)
            XCTAssertEqual(SavedLooks.entries.map(\.name), ["Other", "Third", "New", "Renamed"])
            XCTAssertEqual(SavedLooks.entries.last?.id, "First")
            try write(["Third", "New", "Last"])
            try SavedLooks.remove(try XCTUnwrap(SavedLooks.entries.first { $0.name == "Third" }))
            XCTAssertEqual(SavedLooks.entries.map(\.name), ["New", "Last"])
            let text = try String(contentsOf: file, encoding: .utf8)
            XCTAssertTrue(text.contains("name=New") && text.contains("name=Last"), text)
            XCTAssertFalse(text.contains("name=Third") || text.contains("look-3"), text)
        }
    }

    /// A file that cannot be read is somebody's, and is left alone.
    func testAFileThatCannotBeReadIsNotWrittenOver() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, folder in
                let settings = folder.appending(path: "settings/classicphotos")
                try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
                let file = settings.appending(path: "looks.ini")
                try Data("what is this\n".utf8).write(to: file)
                let person = try OwnPhotosTests.start([photos.path], settings.deletingLastPathComponent())
                try person.waitForRow("two.png, Done")
                try Self.openEditor("New Look", "alt+n", person)
                try Self.write("Ash", "grayscale(1)", person)
                try person.keys("alt+s")
                try person.wait("why not") { person.sees("The Look Was Not Kept") }
                XCTAssertEqual(try String(contentsOf: file, encoding: .utf8), "what is this\n")
                try person.keys("alt+c")
                try person.wait("the end of the message") { !person.sees("The Look Was Not Kept") }
                try person.focus(title: "New Look")
                // What was written is not lost without a word.
                for key in ["alt+c", "alt+d"] {
                    try person.keys("Escape")
                    try person.wait("the question") { person.sees("Discard the Changes?") }
                    XCTAssertTrue(try Screen.hasWindow("New Look"))
                    try person.keys(key)
                    try person.wait("its end") { !person.sees("Discard the Changes?") }
                }
                try person.wait("the end of the dialog") { try !Screen.hasWindow("New Look") }
                try person.close()
            }
        }
    }

    /// GLib has no value that is not UTF-8, and does not say so when it loads the file.
    func testAFileWithALookThatIsNotUTF8IsNotWrittenOver() throws {
        try MainActor.assumeIsolated {
            let file = URL(filePath: String(cString: g_get_user_config_dir()) + "/classicphotos/looks.ini")
            defer {
                try? FileManager.default.removeItem(at: file)
                for entry in SavedLooks.entries { try? SavedLooks.remove(entry) }
            }
            let first = try SavedLooks.keep(SavedLooks.Entry(name: "First", text: "grayscale(1)"))
            let latin1: [UInt8] = [0xE9]
            for (name, filter) in [(latin1, Array("sepia(1)".utf8)), (Array("Ash".utf8), latin1)] {
                var bytes = Data("[look-1]\nname=First\nfilter=grayscale(1)\nid=First\n[look-2]\nname=".utf8)
                bytes += name + Array("\nfilter=".utf8) + filter
                bytes += Data("\nid=Ash\n[look-3]\nname=Third\nfilter=invert(1)\nid=Third\n".utf8)
                try bytes.write(to: file)
                let own = SavedLooks.Entry(name: "Own", text: "invert(1)")
                for change in [{ _ = try SavedLooks.keep(own) }, { try SavedLooks.remove(first) }] {
                    XCTAssertThrowsError(try change()) { error in
                        let reason = (error as? SavedLooks.FileError)?.reason
                        XCTAssertTrue(reason?.contains("UTF-8") ?? false, reason ?? "\(error)")
                    }
                    XCTAssertEqual(try Data(contentsOf: file), bytes)
                }
                // The others can be used.
                XCTAssertEqual(SavedLooks.entries.map(\.name), ["First", "Third"])
            }
        }
    }

    /// As on a full disk: here a file lies where the folder of both belongs.
    func testWhatCannotBeWrittenIsSaidInTheProgramsWords() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, folder in
                let settings = folder.appending(path: "settings")
                try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
                try Data().write(to: settings.appending(path: "classicphotos"))
                let person = try OwnPhotosTests.start([photos.path], settings)
                try person.wait("what is said of preferences") {
                    person.sees("Preferences cannot be kept: there is a file in the place of a folder.")
                }
                try person.waitForRow("two.png, Done")
                try Self.openEditor("New Look", "alt+n", person)
                try Self.write("Ash", "grayscale(1)", person)
                try person.keys("alt+s")
                try person.wait("why not") {
                    person.sees("The file with your looks cannot be used: there is a file in the place of a folder.")
                }
                person.app.terminate()
                try person.end()
            }
        }
    }
}
