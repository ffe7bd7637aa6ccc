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
                server.serve(try Self.image(), at: "/late")
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

    func testAPhotosAddressIsCopiedAndOpened() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let address = server.url("/red").absoluteString
                let catalog = folder.appending(path: "copy.csv")
                try Data("name,url\nPhoto 0,\(address)\n".utf8).write(to: catalog)
                let opened = folder.appending(path: "opened")
                let environment = try Self.browser(in: folder, writing: opened)
                let person = Person(
                    reader: try Reader(program: "classicphotos-app"),
                    app: try AppRun([catalog.path], isReadable: true, environment: environment))
                try person.waitForRow("Photo 0, Done")
                try person.focus()

                try person.press("Photo 0, Done", button: 3) { person.sees("Copy Address", inRow: "Photo 0") }
                try person.keys("b")
                try person.wait("the browser") {
                    (try? String(contentsOf: opened, encoding: .utf8)) == address + "\n"
                }

                try person.wait("end of the menu") { !person.sees("Copy Address", inRow: "Photo 0") }
                try person.press("Photo 0, Done", button: 3) { person.sees("Copy Address", inRow: "Photo 0") }
                // A list of addresses from now on, so that what was pasted shows.
                server.serve(Data("name,url\nPhoto 9,\(server.url("/blue"))\n".utf8), at: "/red")
                server.serve(try Self.image(), at: "/blue")
                try person.keys("a")
                try person.wait("end of the menu") { !person.sees("Copy Address", inRow: "Photo 0") }
                try person.keys("ctrl+l")
                try person.wait("the dialog") { try Screen.windowCount() == 2 }
                try Screen.focusTopWindow()
                try person.keys("ctrl+v")
                // It takes an address only when the text is there, which comes from the clipboard a little later.
                var looks = 0
                try person.wait("the end of the dialog") {
                    if try Screen.windowCount() == 1 { return true }
                    if looks % 10 == 0 { try person.keys("Return") }
                    looks += 1
                    return false
                }
                try person.waitForRow("Photo 9, Done")
                try person.close()
            }
        }
    }

    /// Makes a browser that only writes down what it is to open, and tells how to have it found.
    private static func browser(in folder: URL, writing opened: URL) throws -> [String: String] {
        let data = folder.appending(path: "data")
        let applications = data.appending(path: "applications")
        try FileManager.default.createDirectory(at: applications, withIntermediateDirectories: true)
        let script = folder.appending(path: "browser.sh")
        let part = opened.path + ".part"
        let lines = "#!/bin/sh\necho \"$1\" > '\(part)'\nmv '\(part)' '\(opened.path)'\n"
        try Data(lines.utf8).write(to: script)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
        let entry = """
            [Desktop Entry]
            Type=Application
            Name=Browser
            Exec=\(script.path) %u
            MimeType=x-scheme-handler/http;
            """
        try Data((entry + "\n").utf8).write(to: applications.appending(path: "test-browser.desktop"))
        try Data("[Default Applications]\nx-scheme-handler/http=test-browser.desktop\n".utf8)
            .write(to: applications.appending(path: "mimeapps.list"))
        return ["XDG_DATA_HOME": data.path]
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
                    XCTAssertTrue(names.contains("\(stage) Photo 199"), "\(stage) is in the trace")
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
        server.serve(try Self.image(), at: "/red")
        try body(server, folder)
    }

    @MainActor private static func start(_ arguments: [String]) throws -> Person {
        Person(
            reader: try Reader(program: "classicphotos-app"), app: try AppRun(arguments, isReadable: true))
    }

    private static func image() throws -> Data {
        let pixels = Array(repeatElement([220, 40, 40, 255] as [UInt8], count: 40 * 30).joined())
        let image = PixelBuffer(uninitialized: PixelSize(width: 40, height: 30), isOpaque: true) {
            $0.copyBytes(from: pixels)
        }
        return try ImageEncoder(format: .png).encode(image)
    }
}
