import CAtspi
import Foundation
import Glibc
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// Several photos that are chosen, saved and copied together.
final class SeveralTests: GtkTestCase {
    func testPhotosAreChosenByClicksAndKeysAndSavedTogether() throws {
        try MainActor.assumeIsolated {
            let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-several-\(UUID())")
            let output = folder.appending(path: "out")
            try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let server = try FaultServer()
            defer { server.stop() }
            let image = PixelBuffer(size: PixelSize(width: 40, height: 30))
            server.serve(try ImageEncoder(format: .png).encode(image), at: "/image")
            let catalog = folder.appending(path: "catalog.csv")
            // Two have one name.
            let names = ["Photo 0", "Photo 1", "Photo 2", "Photo 1"]
            let lines = names.enumerated().map { "\($1),\(server.url("/image?\($0)"))\n" }
            try Data(("name,url\n" + lines.joined()).utf8).write(to: catalog)
            try Data("kept".utf8).write(to: output.appending(path: "Photo 0.jpg"))
            let person = Person(
                reader: try Reader(program: "classicphotos-app"), app: try AppRun([catalog.path], isReadable: true))
            try person.waitForRow("Photo 2, Done")
            try person.focus()

            // With Control one is added, and taken away.
            try person.keys("Home")
            try person.wait("the first") { person.isChosen("Photo 0, Done") }
            try person.press("Photo 2, Done", holding: "ctrl") {
                person.isChosen("Photo 0, Done") && person.isChosen("Photo 2, Done")
            }
            XCTAssertFalse(person.isChosen("Photo 1, Done"))
            try person.press("Photo 2, Done", holding: "ctrl") {
                person.isChosen("Photo 0, Done") && !person.isChosen("Photo 2, Done")
            }

            // With Shift all up to another one are, by the pointer and by keys.
            try person.keys("Home")
            try person.press("Photo 2, Done", holding: "shift") {
                ["Photo 0, Done", "Photo 1, Done", "Photo 2, Done"].allSatisfy { person.isChosen($0) }
            }
            try person.keys("Home", "shift+Down")
            try person.wait("two") {
                person.isChosen("Photo 0, Done") && person.isChosen("Photo 1, Done")
                    && !person.isChosen("Photo 2, Done")
            }

            // All of them.
            try person.keys("ctrl+a")
            try person.wait("all") { person.isChosen("Photo 2, Done") }
            try person.keys("ctrl+s")
            try person.answerFileDialog("Save 4 Photos In", output.path + "/")
            let wanted = ["Photo 0 (2).jpg", "Photo 0.jpg", "Photo 1 (2).jpg", "Photo 1.jpg", "Photo 2.jpg"]
            try person.wait("the files") {
                try FileManager.default.contentsOfDirectory(atPath: output.path).sorted() == wanted
            }
            XCTAssertEqual(try Data(contentsOf: output.appending(path: "Photo 0.jpg")), Data("kept".utf8))
            for name in wanted where name != "Photo 0.jpg" {
                let saved = try ImageDecoder.decode(Data(contentsOf: output.appending(path: name)), longestSide: nil)
                XCTAssertEqual(saved.size, PixelSize(width: 40, height: 30), name)
            }
            try person.wait("what is said of it") { person.sees("4 photos were saved in “out”.") }

            // The menu of one of them is about all.
            try person.focus()
            try person.press("Photo 2, Done", button: 3) { person.sees("Copy Address", inRow: "Photo 2") }
            try person.keys("a")
            try person.wait("what is said of it") { person.sees("4 addresses were copied.") }
            try person.close()
        }
    }

    func testWhoSavesIntoAFolderThatGoesReadsWhyNothingIsSaved() throws {
        try MainActor.assumeIsolated {
            try Self.withSlowPhotos(3) { person, server, output in
                try person.focus()
                try person.keys("ctrl+a")
                try person.wait("all") { person.isChosen("Photo 2, Downloading…") }
                try person.keys("ctrl+s")
                try person.answerFileDialog("Save 3 Photos In", output.path + "/")
                try person.wait("the saving") { person.sees("Saving 3 photos…") }
                // As a stick that somebody pulls out.
                try FileManager.default.removeItem(at: output)
                server.openGate()
                try person.wait("the reason") {
                    person.sees(
                        "3 photos were not saved. The file cannot be written: the folder is not there any more.")
                }
                try Screen.focusTopWindow()
                try Screen.key("Escape")
                try person.wait("the end of the message") { try Screen.windowCount() == 1 }
                try person.close()
            }
        }
    }

    func testTwoSavesIntoOneFolderReplaceNothingOfEachOther() throws {
        try MainActor.assumeIsolated {
            try Self.withSlowPhotos(2) { person, server, output in
                // Both are under way, and nothing of them is on disk.
                for _ in 0..<2 {
                    try person.focus()
                    try person.keys("ctrl+a")
                    try person.wait("all") {
                        person.isChosen("Photo 0, Downloading…") && person.isChosen("Photo 1, Downloading…")
                    }
                    try person.keys("ctrl+s")
                    try person.answerFileDialog("Save 2 Photos In", output.path + "/")
                    try person.wait("the saving") { person.sees("Saving 2 photos…") }
                }
                // Nor does a single one.
                try person.focus()
                try person.keys("Home")
                try person.wait("the first alone") { !person.isChosen("Photo 1, Downloading…") }
                try person.keys("ctrl+s")
                try person.answerFileDialog("Save Photo As", output.appending(path: "Photo 1.jpg").path)
                try person.wait("the refusal") { person.sees("“Photo 1.jpg” is there already, and was not replaced.") }
                try Screen.focusTopWindow()
                try Screen.key("Escape")
                try person.wait("the end of the message") { try Screen.windowCount() == 1 }
                // Another program comes in between.
                let foreign = output.appending(path: "Photo 1.jpg")
                try Data("kept".utf8).write(to: foreign)
                server.openGate()
                let wanted = ["Photo 0 (2).jpg", "Photo 0.jpg", "Photo 1 (2).jpg", "Photo 1 (3).jpg", "Photo 1.jpg"]
                try person.wait("the files") {
                    try FileManager.default.contentsOfDirectory(atPath: output.path).sorted() == wanted
                }
                try person.waitForRow("Photo 1, Done")
                try person.wait("the end of both") { !person.sees("Saving 2 photos…") }
                XCTAssertEqual(try Data(contentsOf: foreign), Data("kept".utf8))
                try person.close()
            }
        }
    }

    /// Photos of a server that answers once it is told to, and an empty folder for what is saved.
    @MainActor private static func withSlowPhotos(
        _ count: Int, _ body: @MainActor (Person, FaultServer, _ output: URL) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-several-\(UUID())")
        let output = folder.appending(path: "out")
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try FaultServer()
        defer { server.stop() }
        let image = PixelBuffer(size: PixelSize(width: 40, height: 30))
        server.serve(try ImageEncoder(format: .png).encode(image), at: "/gate")
        let catalog = folder.appending(path: "catalog.csv")
        let lines = (0..<count).map { "Photo \($0),\(server.url("/gate?\($0)"))\n" }
        try Data(("name,url\n" + lines.joined()).utf8).write(to: catalog)
        let person = Person(
            reader: try Reader(program: "classicphotos-app"), app: try AppRun([catalog.path], isReadable: true))
        try person.waitForRow("Photo \(count - 1), Downloading…")
        try body(person, server, output)
    }
}
