import CAtspi
import XCTest

/// The page that explains the program.
final class HelpTests: GtkTestCase {
    func testHelpIsThereBeforeAnythingIsOpen() throws {
        try MainActor.assumeIsolated {
            let reader = try Reader(program: "classicphotos-app")
            let app = try AppRun([], isReadable: true)
            let person = Person(reader: reader, app: app)
            try person.wait("the first page") { person.sees("See the Sample") }
            try Screen.focus("Classic Photos")
            try Screen.key("F1")
            try person.wait("the help") { person.sees("Why Lists Stutter") }
            // The three strategies, each with what it does.
            for name in ["blocking", "eager", "visible"] {
                XCTAssertNotNil(person.name(beginningWith: name + ": "), name)
            }
            try Screen.focusTopWindow()
            try Screen.key("Escape")
            try person.wait("the end of the help") { try Screen.windowCount() == 1 }
            try person.close()
        }
    }

    /// GTK names the window and some keys itself, and not always in the language of the program.
    func testTheWindowOfKeysSpeaksTheUsersLanguage() throws {
        try MainActor.assumeIsolated {
            let app = try AppRun([], isReadable: true, language: "vi")
            let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
            try person.wait("the first page") { person.sees("Mở thư mục…") }
            try person.keys("ctrl+question")
            try person.wait("the keys") {
                try Screen.windowCount() == 2 && person.sees("Phím tắt", role: ATSPI_ROLE_LABEL)
            }
            XCTAssertFalse(person.sees("Shortcuts"))
            XCTAssertFalse(person.sees("Page_Up"))
            XCTAssertTrue(person.sees("Page Up"))
            try Screen.focusTopWindow()
            try Screen.key("Escape")
            try person.wait("their end") { try Screen.windowCount() == 1 }
            try person.focus()
            try person.close()
        }
    }

    /// Where they take more than one page, GTK complains.
    func testAllKeysAreOnOnePage() throws {
        try MainActor.assumeIsolated {
            let app = try AppRun([], isReadable: true)
            let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
            try person.wait("the first page") { person.sees("See the Sample") }
            try person.keys("ctrl+question")
            try person.wait("the keys") { try Screen.windowCount() == 2 && person.sees("Slideshow") }
            try Screen.focusTopWindow()
            try Screen.key("Escape")
            try person.wait("their end") { try Screen.windowCount() == 1 }
            try person.focus()
            try person.close()
        }
    }
}
