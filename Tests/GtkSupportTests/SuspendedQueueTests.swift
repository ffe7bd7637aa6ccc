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
}
