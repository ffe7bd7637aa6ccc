import CAtspi
import Foundation
import Glibc
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// The app as a person uses it: by wheel, bar, keys and the mouse; what comes of it is read off the screen.
final class PersonTests: GtkTestCase {
    private static let red: [UInt8] = [220, 40, 40]
    private static let green: [UInt8] = [40, 200, 60]

    func testTheSampleCatalogIsOneButtonAway() throws {
        try MainActor.assumeIsolated {
            let reader = try Reader(program: "classicphotos-app")
            let app = try AppRun([], isReadable: true)
            let person = Person(reader: reader, app: app)
            // No longer than until the button is gone: then there is a photo under the hand.
            try person.press("See the Sample") { !person.rows.isEmpty }
            try person.waitForRow("Morning Mist, Done")
            try Self.close(person)
        }
    }

    func testAnEveningWithPhotos() throws {
        try MainActor.assumeIsolated {
            let reader = try Reader(program: "classicphotos-app")
            let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-person-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let server = try FaultServer()
            defer { server.stop() }
            server.serve(try ImageEncoder(format: .png).encode(Self.image(of: Self.red)), at: "/red")
            let lines = (0..<400).map { "Photo \($0),\(server.url($0 == 2 ? "/late" : "/red?\($0)"))\n" }
            let catalog = folder.appending(path: "evening.csv")
            try Data(("name,url\n" + lines.joined()).utf8).write(to: catalog)
            let settings = folder.appending(path: "settings")
            let app = try AppRun([catalog.path], settings: settings, isReadable: true)
            let person = Person(reader: reader, app: app)

            try person.waitForRow("Photo 0, Done")
            try person.waitForRow("Photo 2, There is no such picture on the server (404)")
            try person.waitForPixels(Self.filtered(Self.red))

            // Retry one.
            server.serve(try ImageEncoder(format: .png).encode(Self.image(of: Self.green)), at: "/late")
            try person.press("Try again: Photo 2", inRow: "Photo 2,") { person.rows.contains("Photo 2, Done") }
            try person.waitForPixels(Self.filtered(Self.green))

            try Self.scroll(person)
            try Self.searchAndLook(person)
            try Self.openSaveAndPause(person, folder)

            // The next start is at the same place.
            try person.keys("End")
            try person.waitForRow("Photo 399, Done")
            try Self.close(person)
            let again = try AppRun([], settings: settings, isReadable: true)
            let next = Person(reader: reader, app: again)
            try next.waitForRow("Photo 395, Done")
            try Self.close(next)
        }
    }

    // MARK: Parts of the evening

    @MainActor private static func scroll(_ person: Person) throws {
        try person.wait("first rows, and no others") { person.done.contains(0) && !person.done.contains { $0 > 24 } }
        try person.wait("rows further down by the wheel") {
            try person.wheelDown(4)
            return person.done.contains { $0 > 30 }
        }
        try person.keys("End")
        try person.waitForRow("Photo 399, Done")
        var lastDrag: ContinuousClock.Instant?
        try person.wait("rows in the middle by the bar") {
            if person.done.contains(where: { (100..<340).contains($0) }) { return true }
            if let lastDrag, ContinuousClock.now - lastDrag < .seconds(5) { return false }
            try person.dragBar()
            lastDrag = .now
            return false
        }
        try person.keys("Home")
        try person.waitForRow("Photo 0, Done")
    }

    @MainActor private static func searchAndLook(_ person: Person) throws {
        try person.search("photo 123")
        try person.wait("the only match") { person.rows == ["Photo 123, Done"] }
        try person.keys("ctrl+a", "BackSpace")
        try person.type("nobody")
        try person.wait("the page that says so") { person.sees("No Match") && person.sees("0 photos") }
        try person.keys("Escape")
        try person.waitForRow("Photo 0, Done")

        try person.press("Look") { person.sees("Original") }
        try person.keys("Right")
        try person.waitForPixels(red)
        try person.wait("the slider") { person.set("Intensity", to: 0) }
        try person.keys("Left")
        // Nothing of the look is left at an intensity of 0.
        try person.waitForPixels(red)
        try person.wait("the slider") { person.set("Intensity", to: 100) }
        try person.waitForPixels(filtered(red))
        try person.keys("Escape")
    }

    @MainActor private static func openSaveAndPause(_ person: Person, _ folder: URL) throws {
        try person.press("Photo 2, Done") {
            person.sees("3 of 400") && person.sees("Photo 2, Done", role: ATSPI_ROLE_IMAGE)
        }
        try person.waitForPixels(filtered(green), atLeast: 60_000)
        try person.keys("plus", "plus", "0", "ctrl+s")
        let file = folder.appending(path: "saved.png")
        try person.answerFileDialog("Save Photo As", file.path)
        try person.wait("the file") { (try? Data(contentsOf: file)).map { !$0.isEmpty } ?? false }
        let saved = try ImageDecoder.decode(Data(contentsOf: file), longestSide: nil)
        XCTAssertEqual(saved.withUnsafeBytes { Array($0.prefix(3)) }, filtered(green))
        // What has no ending gets one, and nothing is replaced that nobody was asked about.
        let other = folder.appending(path: "kept.jpg")
        try Data("kept".utf8).write(to: other)
        try person.focus()
        try person.keys("ctrl+s")
        try person.answerFileDialog("Save Photo As", folder.appending(path: "kept").path)
        try person.wait("the refusal") { person.sees("“kept.jpg” is there already, and was not replaced.") }
        try Screen.focusTopWindow()
        try Screen.key("Escape")
        try person.wait("the end of the dialog") { try Screen.windowCount() == 1 }
        XCTAssertEqual(try Data(contentsOf: other), Data("kept".utf8))
        try person.focus()
        try person.keys("Escape")
        try person.waitForRow("Photo 0, Done")

        try person.keys("ctrl+shift+p")
        try person.wait("the pause") { person.sees("Resume") }
        let before = Set(person.done)
        try person.keys(Array(repeating: "Page_Down", count: 8))
        try person.wait("rows that are paused") { person.rows.contains { $0.hasSuffix(", Paused") } }
        XCTAssertEqual(Set(person.done).subtracting(before), [], "nothing starts while paused")
        try person.keys("ctrl+shift+p")
        try person.wait("rows that were paused") {
            person.sees("Pause") && !Set(person.done).subtracting(before).isEmpty
        }
    }

    // MARK: Helpers

    @MainActor private static func close(_ person: Person) throws { try person.close() }

    private static func image(of colour: [UInt8]) -> PixelBuffer {
        let pixels = Array(repeatElement(colour + [255], count: 400 * 300).joined())
        return PixelBuffer(uninitialized: PixelSize(width: 400, height: 300), isOpaque: true) {
            $0.copyBytes(from: pixels)
        }
    }

    private static func filtered(_ colour: [UInt8]) -> [UInt8] {
        var image = image(of: colour)
        FilterChain.classic.apply(to: &image)
        return image.withUnsafeBytes { Array($0.prefix(3)) }
    }
}

/// Somebody with eyes and hands.
@MainActor final class Person {
    private let reader: Reader
    let app: AppRun
    private var hasFocus = false
    /// How long a person waits for the effect of a click before they click again. A program that is slow to answer would take the
    /// second one for something else that stands at that place by then.
    private static let patience = Duration.seconds(8)

    init(reader: Reader, app: AppRun) {
        self.reader = reader
        self.app = app
    }

    var rows: [String] { reader.rows }

    /// The numbers of the photos that are there with their looks.
    var done: [Int] {
        rows.filter { $0.hasSuffix(", Done") }.compactMap { row in
            row.split(separator: ",").first?.split(separator: " ").last.flatMap { Int($0) }
        }
    }

    /// How many things have names that begin so, in all windows.
    func count(ofNames beginning: String) -> Int {
        var count = 0
        _ = reader.first {
            if $0.name.hasPrefix(beginning), $0.role == ATSPI_ROLE_LIST_ITEM { count += 1 }
            return false
        }
        return count
    }

    /// - Parameter row: How the name of a row begins that is looked into too.
    func sees(_ name: String, role: AtspiRole? = nil, inRow row: String? = nil) -> Bool {
        reader.element(named: name, role: role, inRow: row) != nil
    }

    /// The whole name of something that has a place in a window, by how it begins.
    func name(beginningWith beginning: String) -> String? {
        reader.first { $0.name.hasPrefix(beginning) && $0.frame != nil }?.name
    }

    /// What is said after the name of a row.
    func description(ofRow row: String) -> String? {
        reader.first { $0.name == row && $0.role == ATSPI_ROLE_LIST_ITEM }?.description
    }

    /// Whether a button can be pressed; nil where there is none.
    func canPress(_ name: String, inRow row: String) -> Bool? {
        reader.element(named: name, role: ATSPI_ROLE_PUSH_BUTTON, inRow: row)?.has(ATSPI_STATE_SENSITIVE)
    }

    /// Which of so many photos is seen in large; nil for none.
    func numberInLarge(of count: Int) -> Int? {
        let title = reader.first { $0.name.hasSuffix(" of \(count)") && $0.frame != nil }
        return title.flatMap { $0.name.split(separator: " ").first }.flatMap { Int($0) }
    }

    /// Whether a row is the chosen one.
    func isChosen(_ row: String) -> Bool {
        reader.first { $0.name == row && $0.has(ATSPI_STATE_SELECTABLE) }?.has(ATSPI_STATE_SELECTED) ?? false
    }

    /// Whether a button that stays down is down.
    func isOn(_ name: String) -> Bool {
        let button = reader.element(named: name)
        return button?.has(ATSPI_STATE_PRESSED) ?? false || button?.has(ATSPI_STATE_CHECKED) ?? false
    }

    /// Whether a thing is within a window of a height.
    func isOnScreen(_ name: String, height: Int) -> Bool {
        guard let frame = reader.element(named: name)?.frame else { return false }
        return frame.y > 0 && frame.y + frame.height <= height
    }

    /// Where a thing is in its window.
    func frame(of name: String, role: AtspiRole) -> (x: Int, y: Int, width: Int, height: Int)? {
        reader.element(named: name, role: role)?.frame
    }

    /// Moves the pointer over a thing.
    func point(at name: String) throws {
        let frame = try XCTUnwrap(reader.element(named: name)?.frame)
        try Screen.move(x: frame.x + frame.width / 2, y: frame.y + frame.height / 2)
        try Screen.move(x: frame.x + frame.width / 2 + 3, y: frame.y + frame.height / 2)
        usleep(100_000)
    }

    /// Clicks at a thing while a key is held, until that has had its effect.
    func press(_ name: String, holding key: String, line: UInt = #line, until isDone: () throws -> Bool) throws {
        var lastClick: ContinuousClock.Instant?
        try wait("effect of “\(name)” with \(key)", line: line) {
            if try isDone() { return true }
            if let lastClick, ContinuousClock.now - lastClick < Self.patience { return false }
            guard let frame = reader.element(named: name)?.frame else { return false }
            try Screen.click(x: frame.x + frame.width / 2, y: frame.y + frame.height / 2, holding: key)
            lastClick = .now
            return false
        }
    }

    func set(_ name: String, to value: Double) -> Bool {
        reader.element(named: name, role: ATSPI_ROLE_SLIDER)?.set(value) ?? false
    }

    func wait(_ what: String, line: UInt = #line, until isMet: () throws -> Bool) throws {
        var isThere = false
        try GtkTestCase.wait(what + "; there are \(rows.prefix(12))", seconds: 60, line: line) {
            try app.check()
            let start = ContinuousClock.now
            isThere = try isMet()
            // Looking without a pause would keep the program from doing anything else: it is what answers. What it says in passing is
            // gone after five seconds, however long a look takes.
            let pause = min(.seconds(1), max(.milliseconds(50), (ContinuousClock.now - start) * 2))
            if !isThere { usleep(UInt32(pause / .microseconds(1))) }
            return isThere
        }
        // What comes next would only fail too.
        guard isThere else { throw PersonError.nothing(what) }
    }

    /// Presses a key until one sees what the program says in passing: it may be gone before one looks.
    func waitForMessage(_ text: String, afterKey key: String, line: UInt = #line) throws {
        var lastPress: ContinuousClock.Instant?
        try wait("message “\(text)”", line: line) {
            if sees(text) { return true }
            if let lastPress, ContinuousClock.now - lastPress < Self.patience { return false }
            try keys(key)
            lastPress = .now
            return false
        }
    }

    func waitForRow(_ name: String, line: UInt = #line) throws {
        try wait("row “\(name)”", line: line) { rows.contains(name) }
    }

    func waitForPixels(_ colour: [UInt8], atLeast count: Int = 4_000, line: UInt = #line) throws {
        try wait("\(count) pixels of \(colour)", line: line) {
            try Screen.pixelCounts(of: [colour])[0] >= count
        }
    }

    /// Clicks at a thing until that has had its effect. While something near it comes or goes, such as a banner, it moves, and the
    /// hand would reach its neighbour: so it is clicked at when it is where it was a look before.
    ///
    /// - Parameters:
    ///   - part: Where it is clicked at, from left (0) to right (1).
    ///   - isLarge: Whether it is the one of the large view.
    func press(
        _ name: String, at part: Double = 0.5, inRow row: String? = nil, isLarge: Bool = false, button: Int = 1,
        line: UInt = #line,
        until isDone: () throws -> Bool
    ) throws {
        var lastClick: ContinuousClock.Instant?
        var place: (x: Int, y: Int)?
        try wait("effect of “\(name)”", line: line) {
            if try isDone() { return true }
            if let lastClick, ContinuousClock.now - lastClick < Self.patience { return false }
            let found = isLarge ? reader.lastElement(named: name) : reader.element(named: name, inRow: row)
            guard let frame = found?.frame else { return false }
            guard let before = place, before == (frame.x, frame.y) else {
                place = (frame.x, frame.y)
                return false
            }
            let x = frame.x + Int(Double(frame.width) * part)
            try Screen.click(x: x, y: frame.y + frame.height / 2, button: button)
            lastClick = .now
            return false
        }
    }

    /// Gives the keyboard to the window: there is no desktop here that would.
    func focus(title: String = "Classic Photos") throws {
        try wait("the window") { try Screen.hasWindow(title) }
        try Screen.focus(title)
        hasFocus = true
    }

    /// Ends the program.
    func close() throws {
        try focus()
        try keys("ctrl+q")
        try end()
    }

    /// Waits for the end of the program, which has nothing to complain about.
    func end() throws {
        GtkTestCase.wait("end of the program", seconds: 60) { !app.isRunning }
        XCTAssertEqual(app.exitStatus, 0, app.output)
        XCTAssertEqual(app.complaints, [], "GTK has nothing to complain about")
    }

    func keys(_ keys: String...) throws { try self.keys(keys) }

    func keys(_ keys: [String]) throws {
        if !hasFocus { try focus() }
        try Screen.keys(keys)
    }

    func type(_ text: String) throws { try Screen.type(text) }

    /// Whether what one types goes there.
    func isFocused(_ name: String) -> Bool {
        reader.first { $0.name == name && $0.has(ATSPI_STATE_FOCUSED) } != nil
    }

    /// Goes on with Tab until a thing has the keyboard.
    func tab(to name: String, line: UInt = #line) throws { try go(by: "Tab", to: name, line: line) }

    /// Goes on with a key until a thing has the keyboard.
    ///
    /// The key is pressed again when the last press has had its effect. A slow program may have one still before it, and would go past
    /// the thing after it was seen there.
    ///
    /// - Parameter row: How the name of a row begins that is looked into too.
    func go(by key: String, to name: String, inRow row: String? = nil, line: UInt = #line) throws {
        var before: Reader.Element?
        var lastPress: ContinuousClock.Instant?
        try wait("keyboard at “\(name)”", line: line) {
            let focus = reader.first(inRow: row) { $0.has(ATSPI_STATE_FOCUSED) }
            // GTK 4.8 names a button that has a mnemonic twice: “_Try Again Try Again”.
            if let focus, focus.name.hasSuffix(name) { return true }
            // Some things do not tell that they have the keyboard.
            if let lastPress, focus == before, ContinuousClock.now - lastPress < .seconds(2) { return false }
            try keys(key)
            (before, lastPress) = (focus, .now)
            return false
        }
    }

    /// Searches for photos; what is typed before the entry has the keyboard would go elsewhere.
    func search(_ text: String) throws {
        try keys("ctrl+f")
        try wait("the keyboard in the entry") { isFocused("Search by name") }
        try type(text)
    }

    func wheelDown(_ times: Int) throws { try Screen.click(x: 300, y: 300, button: 5, times: times) }

    /// Drags the scroll bar's handle from the end to the middle.
    func dragBar() throws {
        let frame = try XCTUnwrap(reader.element(named: reader.listName)?.frame)
        let (x, bottom) = (frame.x + frame.width - 5, frame.y + frame.height)
        try Screen.drag(fromX: x, fromY: bottom - 12, toX: x, toY: frame.y + frame.height / 2)
    }

    func answerFileDialog(_ title: String, _ path: String) throws {
        try wait("the dialog") { try Screen.hasWindow(title) }
        try Screen.focus(title)
        try Screen.key("ctrl+a")
        try Screen.type(path)
        try Screen.key("Return")
        try wait("end of the dialog") { try !Screen.hasWindow(title) }
    }
}

enum PersonError: Error { case nothing(String) }
