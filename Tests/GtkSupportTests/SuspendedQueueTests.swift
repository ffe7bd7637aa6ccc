import CAtspi
import Foundation
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// What rows say while one of the queues is suspended.
final class SuspendedQueueTests: GtkTestCase {
    func testRowsSayWhichSuspendedQueueTheyWaitFor() throws {
        try MainActor.assumeIsolated {
            let server = try FaultServer()
            defer { server.stop() }
            let catalog = FileManager.default.temporaryDirectory.appending(path: "classicphotos-lanes-\(UUID()).csv")
            defer { try? FileManager.default.removeItem(at: catalog) }
            let image = PixelBuffer(size: PixelSize(width: 40, height: 30))
            server.serve(try ImageEncoder(format: .png).encode(image), at: Fault.gate.rawValue)
            let lines = (0..<3).map { "Photo \($0),\(server.url(.gate, query: "\($0)"))\n" }
            try Data(("name,url\n" + lines.joined()).utf8).write(to: catalog)
            let person = Person(
                reader: try Reader(program: "classicphotos-app"), app: try AppRun([catalog.path], isReadable: true))
            try person.waitForRow("Photo 2, Downloading…")
            try person.keys("F9")
            for queue in ["Decode queue", "Image Filtration queue"] {
                try person.press("Suspend: \(queue)") { person.isOn("Suspend: \(queue)") }
            }
            server.openGate()
            try person.wait("what is there") {
                person.rows == (0..<3).map { "Photo \($0), Downloaded, decoding is suspended" }
            }
            try person.press("Suspend: Decode queue") { !person.isOn("Suspend: Decode queue") }
            try person.wait("what is decoded") {
                person.rows == (0..<3).map { "Photo \($0), Decoded, filtering is suspended" }
            }
            // All that can be suspended is: somebody has paused.
            try person.keys("ctrl+shift+p")
            try person.wait("the pause") { person.sees("Resume") }
            try person.keys("ctrl+shift+p")
            try person.wait("the end") { person.rows == (0..<3).map { "Photo \($0), Done" } }
            try person.close()
        }
    }

    /// The work behind a transfer that has failed does not keep it from being told, or from being tried again.
    func testAPhotoThatIsNotThereSaysSoWhileDecodingIsSuspended() throws {
        try MainActor.assumeIsolated {
            let server = try FaultServer()
            defer { server.stop() }
            let catalog = FileManager.default.temporaryDirectory.appending(path: "classicphotos-lanes-\(UUID()).csv")
            defer { try? FileManager.default.removeItem(at: catalog) }
            let image = try ImageEncoder(format: .png).encode(PixelBuffer(size: PixelSize(width: 40, height: 30)))
            server.serve(image, at: "/there")
            try Data("name,url\nThere,\(server.url("/there"))\nMissing,\(server.url("/late"))\n".utf8).write(
                to: catalog)
            let person = Person(
                reader: try Reader(program: "classicphotos-app"), app: try AppRun([catalog.path], isReadable: true))
            let missing = "Missing, There is no such picture on the server (404)"
            let decoding = "Downloaded, decoding is suspended"
            try person.wait("both of them") { person.rows == ["There, Done", missing] }
            try person.keys("F9")
            let suspend = "Suspend: Decode queue"
            try person.press(suspend) { person.isOn(suspend) }
            try person.focus()
            // From an empty memory.
            let before = server.requestCount("/late")
            try person.keys("shift+F5")
            try person.wait("the failure") {
                server.requestCount("/late") == before + 1 && person.rows == ["There, \(decoding)", missing]
            }
            try person.keys("F5")
            try person.wait("another try, by the key") {
                server.requestCount("/late") == before + 2 && person.rows == ["There, \(decoding)", missing]
            }
            try person.press("Try Again") { server.requestCount("/late") == before + 3 }
            try person.wait("the failure of that") { person.rows == ["There, \(decoding)", missing] }
            server.serve(image, at: "/late")
            try person.press("Try again: Missing", inRow: "Missing") {
                person.rows == ["There, \(decoding)", "Missing, \(decoding)"]
            }
            try person.press(suspend) { !person.isOn(suspend) }
            try person.wait("both of them") { person.rows == ["There, Done", "Missing, Done"] }
            try person.close()
        }
    }
}
