import CAtspi
import Foundation
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// Photos that no retry helps, and what the desktop calls the window.
final class LastingFailureTests: GtkTestCase {
    func testNoRetryIsOfferedWhereTheCatalogIsAtFault() throws {
        try MainActor.assumeIsolated {
            try Self.withCatalog(["Broken,http://", "There,{it}"]) { person in
                try person.waitForRow("There, Done")
                try person.wait("the failure") { person.sees("1 photo failed.") }
                XCTAssertFalse(person.sees("Try Again"))
                XCTAssertFalse(person.sees("Try again: Broken", inRow: "Broken"))
            }
            try Self.withCatalog(["Missing,{missing}", "Broken,http://"]) { person in
                try person.wait("the failures") { person.sees("2 photos failed.") }
                XCTAssertTrue(person.sees("Try Again"))
                XCTAssertTrue(person.sees("Try again: Missing", inRow: "Missing"))
            }
        }
    }

    func testTheWindowIsCalledByWhatItShows() throws {
        try MainActor.assumeIsolated {
            try Self.withCatalog(["There,{it}"]) { person in
                try person.waitForRow("There, Done")
                XCTAssertTrue(try Screen.hasWindow("^classicphotos-lasting.*csv – Classic Photos$"))
                try person.press("There, Done") { try Screen.hasWindow("^There – Classic Photos$") }
                try person.keys("Escape")
                try person.wait("the list's title") { try Screen.hasWindow("csv – Classic Photos$") }
            }
        }
    }

    /// Opens a catalog with these lines, and closes the program.
    @MainActor private static func withCatalog(_ lines: [String], _ body: (Person) throws -> Void) throws {
        let server = try FaultServer()
        defer { server.stop() }
        let image = PixelBuffer(size: PixelSize(width: 40, height: 30))
        server.serve(try ImageEncoder(format: .png).encode(image), at: "/it")
        let catalog = FileManager.default.temporaryDirectory.appending(path: "classicphotos-lasting-\(UUID()).csv")
        defer { try? FileManager.default.removeItem(at: catalog) }
        let whole = lines.map {
            $0.replacing("{it}", with: server.url("/it").absoluteString)
                .replacing("{missing}", with: server.url("/no").absoluteString)
        }
        try Data(("name,url\n" + whole.joined(separator: "\n")).utf8).write(to: catalog)
        let person = Person(
            reader: try Reader(program: "classicphotos-app"), app: try AppRun([catalog.path], isReadable: true))
        try person.focus()
        try body(person)
        try person.close()
    }
}
