import CAtspi
import Foundation
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// What a person calls from menus, preferences and the operations panel.
final class CommandTests: GtkTestCase {
    func testAPhotosMenuOpensByPointerAndKeysAndRetries() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let text = "name,url\nPhoto 0,\(server.url("/red"))\nPhoto 1,\(server.url("/late"))\n"
                let catalog = folder.appending(path: "menu.csv")
                try Data(text.utf8).write(to: catalog)
                let person = try Self.start([catalog.path])
                let missing = "Photo 1, There is no such picture on the server (404)"
                try person.waitForRow(missing)

                // By the pointer.
                server.serve(try Self.picture(), at: "/late")
                try person.focus()
                try person.press(missing, button: 3) { person.sees("Copy Address", inRow: "Photo 1") }
                try person.keys("t")
                try person.waitForRow("Photo 1, Done")

                // By the keyboard, to which it gives the photo back.
                try person.wait("end of the menu") { !person.sees("Copy Address", inRow: "Photo 1") }
                try person.keys("Home", "shift+F10")
                try person.wait("the menu") { person.sees("Copy Address", inRow: "Photo 0") }
                try person.keys("Escape")
                try person.wait("end of the menu") { !person.sees("Copy Address", inRow: "Photo 0") }
                try person.close()
            }
        }
    }

    func testPrivateAddressesAreOpenedInThePreferences() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, _ in
                // Another name than that of the server that sent the catalog.
                let address = "http://localhost:\(server.port)/red"
                server.serve(Data("name,url\nPhoto 0,\(address)\n".utf8), at: "/catalog.csv")
                let person = try Self.start([server.url("/catalog.csv").absoluteString])
                try person.waitForRow("Photo 0, The address is not allowed here")
                XCTAssertEqual(server.requestCount("/red"), 0)
                try person.keys("ctrl+comma")
                try person.wait("the preferences") { person.sees("Allow Private Addresses") }
                try person.press("Allow Private Addresses") { person.rows.contains("Photo 0, Done") }
                try Screen.focusTopWindow()
                try person.keys("Escape")
                try person.wait("end of the preferences") { try Screen.windowCount() == 1 }
                try person.close()
            }
        }
    }

    func testTheTraceOfTheOperationsIsSaved() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let lines = (0..<200).map { "Photo \($0),\(server.url("/red?\($0)"))\n" }
                let catalog = folder.appending(path: "trace.csv")
                try Data(("name,url\n" + lines.joined()).utf8).write(to: catalog)
                let person = try Self.start([catalog.path])
                try person.waitForRow("Photo 0, Done")
                try person.keys("F9")
                try person.wait("the lanes") {
                    ["Download queue", "Memory queue", "Decode queue", "Image Filtration queue"]
                        .allSatisfy { person.sees($0) }
                }
                try person.keys("End")
                try person.waitForRow("Photo 199, Done")
                try person.press("Save Trace…") { try Screen.hasWindow("Save Trace") }
                let file = folder.appending(path: "saved.json")
                try person.answerFileDialog("Save Trace", file.path)
                try person.wait("the file") { FileManager.default.fileExists(atPath: file.path) }
                let trace = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
                let events = trace?["traceEvents"] as? [[String: Any]] ?? []
                let names = events.compactMap { $0["name"] as? String }
                for stage in ["Download", "Decode", "Filter"] {
                    XCTAssertTrue(names.contains { $0.hasPrefix(stage) }, "\(stage) is in the trace")
                }
                try person.close()
            }
        }
    }

    // MARK: Helpers

    @MainActor private static func withServer(_ body: (FaultServer, URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-commands-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try FaultServer()
        defer { server.stop() }
        server.serve(try Self.picture(), at: "/red")
        try body(server, folder)
    }

    @MainActor private static func start(_ arguments: [String]) throws -> Person {
        Person(
            reader: try Reader(program: "classicphotos-app"), app: try AppRun(arguments, isReadable: true))
    }

    private static func picture() throws -> Data {
        let pixels = Array(repeatElement([220, 40, 40, 255] as [UInt8], count: 40 * 30).joined())
        let picture = PixelBuffer(uninitialized: PixelSize(width: 40, height: 30), isOpaque: true) {
            $0.copyBytes(from: pixels)
        }
        return try ImageEncoder(format: .png).encode(picture)
    }
}
