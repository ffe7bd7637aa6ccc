import Foundation
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// A photo that came cut off, and can be loaded again.
final class DamagedPhotoTests: GtkTestCase {
    func testAPhotoThatCameCutOffIsTriedAgain() throws {
        try MainActor.assumeIsolated {
            let server = try FaultServer()
            defer { server.stop() }
            let image = PixelBuffer(uninitialized: PixelSize(width: 100, height: 80), isOpaque: true) { bytes in
                for index in bytes.indices { bytes[index] = index % 4 == 3 ? 255 : UInt8(index * 31 % 256) }
            }
            let file = try ImageEncoder(format: .jpeg).encode(image)
            let headers = ["Cache-Control": "max-age=3600"]
            for path in ["/one", "/two"] {
                server.serve(file.dropLast(file.count / 2) + [0xFF, 0xD9], at: path, headers: headers)
            }
            let catalog = FileManager.default.temporaryDirectory.appending(path: "classicphotos-cut-\(UUID()).csv")
            defer { try? FileManager.default.removeItem(at: catalog) }
            // A name that nobody sees is none.
            try Data("name,url\nOne,\(server.url("/one"))\n\" \",\(server.url("/two"))\n".utf8).write(to: catalog)
            let person = Person(
                reader: try Reader(program: "classicphotos-app"), app: try AppRun([catalog.path], isReadable: true))
            for name in ["One", "two"] { try person.waitForRow("\(name), The picture is damaged") }
            for path in ["/one", "/two"] { server.serve(file, at: path, headers: headers) }
            try person.press("Try again: One", inRow: "One,") { person.rows.contains("One, Done") }
            // Its menu has it, too.
            try person.focus()
            try person.press("two, The picture is damaged", button: 3) { person.sees("Try Again", inRow: "two,") }
            try person.keys("t")
            try person.waitForRow("two, Done")
            XCTAssertEqual(server.requestCount("/one"), 2)
            try person.close()
        }
    }
}
