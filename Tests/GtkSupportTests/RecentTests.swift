import CAtspi
import Foundation
import ImageCodecs
import PhotoPipeline
import Pixels
import XCTest

@testable import PhotoApp

/// What was open before, in the menu beside Open.
final class RecentTests: GtkTestCase {
    func testNobodysPasswordIsWrittenDown() {
        MainActor.assumeIsolated {
            for (address, kept) in [
                ("http://ann:secret@example.org/my%20list.csv?a@b", "http://example.org/my%20list.csv?a@b"),
                ("https://ann@example.org:8080/", "https://example.org:8080/"),
                ("https://example.org/@ann/list.csv", "https://example.org/@ann/list.csv"),
            ] {
                XCTAssertEqual(Catalog.Source(argument: address).text, kept)
            }
        }
    }

    func testWhatWasOpenBeforeIsOpenedWhileSomethingElseIs() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { _, folder in
                for name in ["first", "second"] {
                    try Data("name,url\n\(name),photos/one.png\n".utf8)
                        .write(to: folder.appending(path: name + ".csv"))
                }
                let settings = folder.appending(path: "settings")
                let file = settings.appending(path: "classicphotos/app.ini")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data("[window]\nrecent-0=\(folder.path)/second.csv\n".utf8).write(to: file)
                let person = try OwnPhotosTests.start([folder.appending(path: "first.csv").path], settings)
                try person.waitForRow("first, Done")
                for name in ["second", "first"] {
                    // The arrow is the last part of the button.
                    try person.press("Open a catalog", at: 0.9) { person.sees("Open Folder…") }
                    try person.focus()
                    let path = folder.appending(path: name + ".csv").path
                    let label = path.count <= 48 ? path : "…" + path.suffix(47)
                    // From the last entry the keyboard goes on to the first.
                    try person.go(by: "Down", to: label)
                    try person.keys("Return")
                    try person.waitForRow("\(name), Done")
                    try person.wait("the end of the menu") { !person.sees("Open Folder…") }
                }
                try person.close()
            }
        }
    }
}
