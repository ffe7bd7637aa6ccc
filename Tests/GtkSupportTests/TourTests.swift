import Foundation
import ImageCodecs
import Pixels
import TestServers
import XCTest

@testable import PhotoApp

/// The guided tour, as somebody takes it who learns.
final class TourTests: GtkTestCase {
    /// The tour follows the tutorial, whose files nobody would otherwise compare with it.
    func testChaptersAreThoseOfTheTutorial() throws {
        let root = Translations.root
        let chapters = MainActor.assumeIsolated {
            TutorialChapter.allCases.map { (program: $0.program, title: $0.title) }
        }
        let programs = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Examples").path)
            .filter { $0.wholeMatch(of: /list-\d+-.*/) != nil }
        XCTAssertEqual(Set(chapters.map(\.program)), Set(programs))
        XCTAssertEqual(chapters.map { Int($0.program.split(separator: "-")[1]) }, (1...10).map { $0 })
        for language in ["en", "vi", "ko"] {
            let translations = language == "en" ? [:] : try Translations.read(language)
            for chapter in chapters {
                let page = root.appending(path: "docs/tutorial/\(language)/\(chapter.program.dropFirst(5)).md")
                let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
                let heading = try XCTUnwrap(lines.first { $0.hasPrefix("# ") }).dropFirst(2)
                XCTAssertEqual(translations[chapter.title] ?? chapter.title, String(heading))
            }
        }
    }

    func testEachStepIsShown() throws {
        try MainActor.assumeIsolated {
            let person = try Self.start([])
            try person.wait("the first page") { person.sees("See the Sample") }
            try person.press("How Does It Work? Take the Tour") { person.sees("The list that blocks") }
            try person.wait("its number") { person.sees("1 of 11") }
            XCTAssertTrue(person.sees("How Does It Work? Take the Tour"), "nothing has changed yet")
            try Self.show(person, "While photos were fetched, nothing moved")
            try person.wait("its rows") { person.rows.count { $0.hasPrefix("2. Red Evening, ") } == 1 }
            try person.wait("the panel") { try Self.isPanelSeen(person) }
            try Self.next(person, "Work in the background")
            try Self.show(person, "The photos came in the background.")
            try person.wait("a photo") { person.rows.contains { $0.hasSuffix(", Done") } }
            try Self.next(person, "Operations with dependencies")
            try Self.show(person, "The bars of “1. Morning Mist” stand out.")
            try person.wait("its times") { person.name(beginningWith: "1. Morning Mist: ") != nil }
            try Self.next(person, "States")
            try Self.show(person, "The decode queue is suspended")
            try person.wait("a photo") { person.rows.contains { $0.hasSuffix(", Done") } }
            try person.wait("the queue") { person.isOn("Suspend: Decode queue") }
            try person.wait("rows that wait") {
                person.rows.contains { $0.hasSuffix(", Downloaded, decoding is suspended") }
            }
            try Self.next(person, "Cancelling what scrolled away")
            try person.wait("the queue") { !person.isOn("Suspend: Decode queue") }
            try Self.show(person, "The list jumped to its end")
            try person.waitForRow("240. Northern Light II, Done")
            try Self.next(person, "Suspending while scrolling")
            try Self.show(person, "No download began while the list flew past")
            try Self.next(person, "Asynchronous operations")
            try Self.show(person, "Bars above each other")
            try Self.next(person, "Failures, and trying again")
            try Self.show(person, "The server said that it has no such picture")
            try person.waitForRow("2. Red Evening, There is no such picture on the server (404)")
            try person.focus()
            try person.keys("F5")
            try person.waitForRow("2. Red Evening, Done")
            try Self.next(person, "Testing with a seeded scheduler")
            try person.wait("a step that a window cannot show") { !person.sees("Show Me") }
            try Self.next(person, "Reading the trace")
            try Self.show(person, "The bars of downloads are long")
            try Self.next(person, "Three ways, side by side")
            try Self.show(person, "Each card fills")
            try person.wait("a figure") { person.sees("blocking, Threads: 1") }
            try person.press("Finish") { !person.sees("Finish") }
            try person.wait("the first page") { person.sees("See the Sample") }
            try person.wait("the end of the panel") { try !Self.isPanelSeen(person) }
            try person.close()
        }
    }

    func testWhatThePersonHadIsGivenBack() throws {
        try MainActor.assumeIsolated {
            let server = try FaultServer()
            defer { server.stop() }
            let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-tour-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let catalog = folder.appending(path: "mine.csv")
            let image = PixelBuffer(size: PixelSize(width: 40, height: 30))
            server.serve(try ImageEncoder(format: .png).encode(image), at: "/red")
            let lines = (0..<60).map { "Photo \($0),\(server.url("/red?\($0)"))\n" }
            try Data(("name,url\n" + lines.joined()).utf8).write(to: catalog)
            let settings = folder.appending(path: "settings")
            let person = try Self.start([catalog.path], settings: settings)
            try person.waitForRow("Photo 0, Done")
            try person.keys("F9", "End")
            try person.waitForRow("Photo 59, Done")
            try person.press("Suspend: Decode queue") { person.isOn("Suspend: Decode queue") }
            try person.focus()
            try person.keys("shift+F1")
            try person.wait("the tour") { person.sees("The list that blocks") }
            try Self.next(person, "Work in the background")
            try Self.show(person, "The photos came in the background.")
            try person.wait("the queue") { !person.isOn("Suspend: Decode queue") }
            try person.press("Close the tour") { !person.sees("Close the tour") }
            let last = "Photo 59, Downloaded, decoding is suspended"
            try person.waitForRow(last)
            try person.wait("their queue") { person.isOn("Suspend: Decode queue") }
            try person.wait("the same place") { person.isOnScreen(last, height: 720) }
            try person.wait("the strategy") { person.sees("visible – Load what is visible") }

            // What is open when the window is closed during the tour is open the next time.
            try person.focus()
            try person.keys("shift+F1")
            try Self.show(person, "While photos were fetched, nothing moved")
            try person.close()
            let again = try Self.start([], settings: settings)
            try again.waitForRow("Photo 59, Done")
            try again.close()
        }
    }

    func testTheTourGoesByKeysAndTheChapterIsInTheHelp() throws {
        try MainActor.assumeIsolated {
            let person = try Self.start([])
            try person.wait("the first page") { person.sees("See the Sample") }
            try person.keys("shift+F1")
            try person.wait("the tour") { person.sees("The list that blocks") }
            // Also by keys alone; the keyboard stays where it is.
            try person.keys("Return")
            try person.wait("the step") { person.name(beginningWith: "While photos were fetched") != nil }
            try person.keys("shift+Tab", "Return")
            try person.wait("the next step") { person.sees("Work in the background") }
            try person.press("About the chapter: Work in the background") { try Screen.windowCount() == 2 }
            try person.wait("the chapter") { person.sees("2. Work in the background: swift run list-2-background") }
            try Screen.focusTopWindow()
            try Screen.key("Escape")
            try person.wait("the end of the help") { try Screen.windowCount() == 1 }
            try person.focus()
            try person.keys("Escape")
            try person.wait("the end of the tour") { !person.sees("Work in the background") }
            try person.close()
        }
    }

    // MARK: Helpers

    @MainActor private static func start(_ arguments: [String], settings: URL? = nil) throws -> Person {
        Person(
            reader: try Reader(program: "classicphotos-app"),
            app: try AppRun(arguments, settings: settings, isReadable: true))
    }

    @MainActor private static func isPanelSeen(_ person: Person) throws -> Bool {
        let window = try Screen.size(ofWindow: "Classic Photos")
        return person.isOnScreen("Close the operations", height: window.height)
    }

    /// Has a step shown, and waits for what the card says then.
    @MainActor private static func show(_ person: Person, _ outcome: String) throws {
        // Once: another press would begin it anew.
        try person.press("Show Me") { person.sees("Being shown") || person.name(beginningWith: outcome) != nil }
        try person.wait(outcome) { person.name(beginningWith: outcome) != nil }
    }

    @MainActor private static func next(_ person: Person, _ title: String) throws {
        try person.press("Next") { person.sees(title) }
    }
}
