import CAtspi
import Foundation
import Glibc
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// The page that puts the strategies side by side.
final class CompareTests: GtkTestCase {
    private static let figures = [
        "Longest stall", "Hitches", "Wait for pictures", "Never shown", "Longest line", "Threads",
    ]

    func testEachStrategyScrollsAndSaysItsFigures() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let person = try Self.start([try Self.catalog(server, rows: 60, in: folder).path])
                try person.waitForRow("Photo 0, Done")
                let requests = server.requestCount("/red")
                try person.focus()
                try person.keys("F8")
                try person.wait("the cards") { person.sees("blocking, Threads: 1") }
                try person.wait("the end") {
                    ["With “visible” the main thread only draws", "The three hardly differ this time"]
                        .contains { person.name(beginningWith: $0) != nil }
                }

                for strategy in ["blocking", "eager", "visible"] {
                    for figure in Self.figures {
                        let beginning = "\(strategy), \(figure): "
                        let name = try XCTUnwrap(person.name(beginningWith: beginning), beginning)
                        XCTAssertFalse(name.hasSuffix("–"), name)
                    }
                    let bytes = try XCTUnwrap(person.name(beginningWith: "\(strategy), Never shown: "))
                    XCTAssertFalse(bytes.hasSuffix("of 0 bytes"), "\(bytes): it has an empty memory to begin with")
                }
                // One after the other, and each of them is seen.
                XCTAssertTrue(person.sees("blocking, Threads: 1"))
                XCTAssertTrue(person.sees("blocking, Longest line: 1 photo"))
                XCTAssertTrue(
                    try XCTUnwrap(person.name(beginningWith: "blocking, Never shown: ")).contains(": 0 bytes of "))
                XCTAssertGreaterThan(server.requestCount("/red"), requests, "nothing comes from the disk")

                // The photos are there as they were.
                try person.keys("Escape")
                try person.wait("the end of the page") { !person.sees("blocking, Threads: 1") }
                try person.keys("End")
                try person.waitForRow("Photo 59, Done")
                try person.close()
            }
        }
    }

    func testWhatIsComparedCanBeLeftAndTheWindowClosed() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let person = try Self.start([try Self.catalog(server, rows: 60, in: folder).path])
                try person.waitForRow("Photo 0, Done")
                try person.focus()
                try person.keys("F8")
                try person.wait("a figure") { Self.hasBegun(person) }
                try person.press("Back to the photos", isLarge: true) { !Self.hasBegun(person) }
                try person.waitForRow("Photo 0, Done")
                try person.keys("F8")
                try person.wait("a figure") { Self.hasBegun(person) }
                try person.close()
            }
        }
    }

    func testWhereNothingIsOpenTheSampleIsCompared() throws {
        try MainActor.assumeIsolated {
            let person = try Self.start([])
            try person.wait("the first page") { person.sees("Open Folder…") }
            try person.focus()
            try person.keys("F8")
            try person.wait("the page") {
                person.name(beginningWith: "blocking, Threads: ") != nil && person.sees("sample.csv")
                    && person.sees(
                        "The sample’s network: 200 ms for each request, 200 kB/s for each connection.")
            }
            try person.close()
        }
    }

    func testWhereASearchFindsNothingWhatIsOpenStays() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let person = try Self.start([try Self.catalog(server, rows: 3, in: folder).path])
                try person.waitForRow("Photo 2, Done")
                try person.focus()
                try person.search("nobody")
                try person.wait("the page that says so") { person.sees("No Match") }
                try person.waitForMessage("Open photos first, which can be compared.", afterKey: "F8")
                try person.keys("Escape")
                try person.waitForRow("Photo 2, Done")
                XCTAssertFalse(person.sees("sample.csv"))
                try person.close()
            }
        }
    }

    func testWhileItBlocksASecondSignalEndsTheProgram() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let catalog = folder.appending(path: "gate.csv")
                try Data("name,url\nPhoto 0,\(server.url(.gate))\n".utf8).write(to: catalog)
                let person = try Self.start([catalog.path])
                try person.wait("the request of the list") { server.requestCount("/gate") == 1 }
                try person.focus()
                try person.keys("F8")
                // From now on the main thread waits for the photo, and screen readers wait for the main thread.
                Self.wait("the request that is waited for", seconds: 60) { server.requestCount("/gate") > 1 }
                // A second signal counts once the first one has been heard.
                Self.wait("the end", seconds: 60) {
                    if person.app.isRunning { person.app.terminate() }
                    return !person.app.isRunning
                }
                XCTAssertEqual(person.app.exitStatus, -1, "the signal has ended it")
            }
        }
    }

    // MARK: Helpers

    /// Whether the first strategy has begun.
    @MainActor private static func hasBegun(_ person: Person) -> Bool {
        person.name(beginningWith: "blocking, Threads: ").map { !$0.hasSuffix(" –") } ?? false
    }

    @MainActor private static func withServer(_ body: (FaultServer, URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-compare-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try FaultServer()
        defer { server.stop() }
        let pixels = Array(repeatElement([220, 40, 40, 255] as [UInt8], count: 40 * 30).joined())
        let image = PixelBuffer(uninitialized: PixelSize(width: 40, height: 30), isOpaque: true) {
            $0.copyBytes(from: pixels)
        }
        server.serve(try ImageEncoder(format: .png).encode(image), at: "/red")
        try body(server, folder)
    }

    private static func catalog(_ server: FaultServer, rows: Int, in folder: URL) throws -> URL {
        let catalog = folder.appending(path: "catalog.csv")
        let lines = (0..<rows).map { "Photo \($0),\(server.url("/red?\($0)"))\n" }
        try Data(("name,url\n" + lines.joined()).utf8).write(to: catalog)
        return catalog
    }

    @MainActor private static func start(_ arguments: [String]) throws -> Person {
        Person(reader: try Reader(program: "classicphotos-app"), app: try AppRun(arguments, isReadable: true))
    }
}
