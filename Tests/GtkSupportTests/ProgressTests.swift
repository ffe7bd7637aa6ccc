import Foundation
import TestServers
import XCTest

/// How much of a photo, or of a catalog, has come.
final class ProgressTests: GtkTestCase {
    func testARowSaysHowMuchOfItsPhotoHasCome() throws {
        try MainActor.assumeIsolated {
            let server = try FaultServer()
            defer { server.stop() }
            let catalog = FileManager.default.temporaryDirectory.appending(path: "classicphotos-progress-\(UUID()).csv")
            defer { try? FileManager.default.removeItem(at: catalog) }
            try Data("name,url\nPhoto 0,\(server.url(.stallMidBody))\n".utf8).write(to: catalog)
            let person = try Self.start(catalog.path)
            try person.wait("half of it") { person.sees("Downloading… 50 %", inRow: "Photo 0") }
            XCTAssertEqual(person.rows, ["Photo 0, Downloading…"], "screen readers are not told each percent")
            try person.close()
        }
    }

    func testThePageOfACatalogSaysHowMuchHasCome() throws {
        try MainActor.assumeIsolated {
            let server = try FaultServer()
            defer { server.stop() }
            let person = try Self.start(server.url(.stallMidBody).absoluteString)
            try person.wait("half of it") { person.sees("Loading the Catalog") && person.sees("50 %") }
            try person.close()
        }
    }

    @MainActor private static func start(_ argument: String) throws -> Person {
        Person(reader: try Reader(program: "classicphotos-app"), app: try AppRun([argument], isReadable: true))
    }
}
