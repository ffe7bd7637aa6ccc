import CAtspi
import CGtk
import Foundation
import GtkSupport
import ImageCodecs
import Pixels
import TestServers
import XCTest

@testable import PhotoApp

/// Photos on paper, and in the PDF files that stand for it.
final class PrintingTests: GtkTestCase {
    private var folder = URL(filePath: "/")

    override func setUpWithError() throws {
        try super.setUpWithError()
        folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-print-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDown() {
        try? FileManager.default.removeItem(at: folder)
        super.tearDown()
    }

    func testEachPhotoHasAPageThatLiesAsItDoes() throws {
        let folder = folder
        try MainActor.assumeIsolated {
            let files = [
                try Self.write(width: 400, height: 300, in: folder),
                try Self.write(width: 300, height: 400, in: folder),
            ]
            let pdf = folder.appending(path: "out.pdf")
            XCTAssertEqual(try Self.export(files, to: pdf.path), .written(pages: 2, to: pdf.path))
            let content = try Data(contentsOf: pdf)
            let pages = Self.pages(in: content)
            XCTAssertEqual(pages.count, 2)
            XCTAssertGreaterThan(try XCTUnwrap(pages.first).width, try XCTUnwrap(pages.first).height)
            XCTAssertLessThan(try XCTUnwrap(pages.last).width, try XCTUnwrap(pages.last).height)
            for file in files {
                XCTAssertNotNil(content.range(of: try Data(contentsOf: URL(filePath: file))), "it is taken as it is")
            }
        }
    }

    func testWhatCannotBePrintedIsSaid() throws {
        let folder = folder
        try MainActor.assumeIsolated {
            let file = try Self.write(width: 40, height: 30, in: folder)
            let missing = folder.appending(path: "missing.jpg").path
            let pdf = folder.appending(path: "out.pdf").path
            XCTAssertEqual(try Self.export([file, missing], to: pdf), .failed("The picture could not be loaded"))
            guard case .failed(let reason) = try Self.export([file], to: folder.path + "/no/such/folder.pdf") else {
                return XCTFail("there is no such folder")
            }
            XCTAssertFalse(reason.isEmpty)
        }
    }

    /// GTK says that all is drawn before it is written, and what came of that later.
    func testOnlyWhatIsWrittenIsPrinted() throws {
        let folder = folder
        try MainActor.assumeIsolated {
            let file = folder.appending(path: "out.pdf")
            @MainActor func outcome(_ status: GtkPrintStatus, _ file: URL?) -> PrintedPhotos.Outcome? {
                PrintedPhotos.outcome(status, pages: 2, file: file?.path, reason: "The disk is full")
            }
            for file in [nil, file] {
                XCTAssertNil(outcome(GTK_PRINT_STATUS_SENDING_DATA, file))
                XCTAssertEqual(outcome(GTK_PRINT_STATUS_FINISHED_ABORTED, file), .failed("The disk is full"))
                XCTAssertEqual(outcome(GTK_PRINT_STATUS_GENERATING_DATA, file), .printed(pages: 2))
            }
            XCTAssertEqual(outcome(GTK_PRINT_STATUS_FINISHED, nil), .printed(pages: 2))
            try Data().write(to: file)
            XCTAssertEqual(outcome(GTK_PRINT_STATUS_FINISHED, file), .failed("The file cannot be written"))
            try Data("content".utf8).write(to: file)
            XCTAssertEqual(outcome(GTK_PRINT_STATUS_FINISHED, file), .written(pages: 2, to: file.path))
        }
    }

    /// As a person does it, with the printer that every desktop has: a file.
    func testThePhotoThatIsLookedAtIsPrintedWithItsLook() throws {
        let folder = folder
        try MainActor.assumeIsolated {
            let server = try FaultServer()
            defer { server.stop() }
            let red = Array(repeatElement([220, 40, 40, 255] as [UInt8], count: 80 * 60).joined())
            var image = PixelBuffer(uninitialized: PixelSize(width: 80, height: 60), isOpaque: true) {
                $0.copyBytes(from: red)
            }
            server.serve(try ImageEncoder(format: .png).encode(image), at: "/red")
            let catalog = folder.appending(path: "photos.csv")
            try Data("name,url\nRed,\(server.url("/red"))\nGone,\(server.url("/gone"))\n".utf8).write(to: catalog)
            let reader = try Reader(program: "classicphotos-app")
            let (settings, documents) = try Self.makeSettings(in: folder)
            let kept = documents.appending(path: "Red.pdf")
            try Data("kept".utf8).write(to: kept)
            let app = try AppRun(
                [catalog.path], settings: settings, isReadable: true, environment: ["HOME": folder.path])
            let person = Person(reader: reader, app: app)
            try person.waitForRow("Red, Done")
            try person.keys("ctrl+p")
            try person.wait("the refusal") { person.sees("Choose a photo first.") }
            try person.press("Red, Done") { person.numberInLarge(of: 2) == 1 }
            try Self.printToFile(person)
            let pdf = documents.appending(path: "Red (2).pdf")
            try person.wait("the end") { person.sees("1 photo was written to “Red (2).pdf”.") }
            XCTAssertEqual(
                try Data(contentsOf: kept), Data("kept".utf8), "nothing is replaced that nobody was asked about")
            let content = try Data(contentsOf: pdf)
            XCTAssertEqual(Self.pages(in: content).count, 1)
            let begin = try XCTUnwrap(content.range(of: Data([0xFF, 0xD8, 0xFF])))
            let printed = try ImageDecoder.decode(content[begin.lowerBound...], longestSide: nil)
            XCTAssertEqual(printed.size, PixelSize(width: 80, height: 60))
            FilterChain.classic.apply(to: &image)
            let (seen, wanted) = (
                printed.withUnsafeBytes { Array($0.prefix(3)) }, image.withUnsafeBytes { Array($0.prefix(3)) }
            )
            for (a, b) in zip(seen, wanted) { XCTAssertEqual(Int(a), Int(b), accuracy: 3) }

            // There is no such folder any more.
            try FileManager.default.removeItem(at: documents)
            try Self.printToFile(person)
            try person.wait("the failure") { person.sees("The Photos Were Not Printed") }
            try Screen.focusTopWindow()
            try Screen.key("Escape")
            try person.wait("the end of the message") { try Screen.windowCount() == 1 }

            // What cannot be had cannot be printed, either.
            try person.focus(title: "Red")
            try person.keys("Page_Down", "ctrl+p")
            try person.wait("the reason") { person.sees("Gone: There is no such picture on the server (404)") }
            try Screen.focusTopWindow()
            try Screen.key("Escape")
            try person.wait("its end") { try Screen.windowCount() == 1 }
            try person.focus(title: "Gone")
            try person.keys("ctrl+q")
            try person.end()
        }
    }

    /// What one has said shall be printed is printed, whatever becomes of the window.
    func testPhotosArePrintedAlsoWhereTheWindowIsClosed() throws {
        let folder = folder
        try MainActor.assumeIsolated {
            try Self.printWithoutWindow(in: folder) { person, documents, temporary in
                try person.end()
                let content = try Data(contentsOf: documents.appending(path: "photos.pdf"))
                XCTAssertEqual(Self.pages(in: content).count, Self.many)
                XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: temporary.path), [])
            }
        }
    }

    func testAFailureIsSaidAlsoWhereTheWindowIsClosed() throws {
        let folder = folder
        try MainActor.assumeIsolated {
            try Self.printWithoutWindow(in: folder, hasDocuments: false) { person, _, temporary in
                try person.wait("the failure") { person.sees("The Photos Were Not Printed") }
                try Screen.focusTopWindow()
                try Screen.key("Escape")
                try person.end()
                XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: temporary.path), [])
            }
        }
    }

    /// Who closes the window before has not said that anything shall be printed.
    func testAQuestionHowToPrintGoesWithItsWindow() throws {
        let folder = folder
        try MainActor.assumeIsolated {
            let photos = folder.appending(path: "photos")
            let temporary = folder.appending(path: "temporary")
            for folder in [photos, temporary] {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            _ = try Self.write(width: 40, height: 30, in: photos)
            let (settings, documents) = try Self.makeSettings(in: folder)
            let app = try AppRun(
                [photos.path], settings: settings, isReadable: true,
                environment: ["HOME": folder.path, "TMPDIR": temporary.path])
            let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
            try person.waitForRow("40x30.jpg, Done")
            try person.keys("Home", "ctrl+a", "ctrl+p")
            try person.wait("the dialog") { try Screen.hasWindow("^Print$") }
            app.terminate()
            try person.end()
            XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: documents.path), [])
            XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: temporary.path), [])
        }
    }

    func testWhatIsBeingPrintedOutlastsWindowsAndCanBeGivenUp() throws {
        let folder = folder
        try MainActor.assumeIsolated {
            let file = try Self.write(width: 400, height: 300, in: folder)
            var outcome: PrintedPhotos.Outcome?
            let job = try XCTUnwrap(
                PrintedPhotos(Array(repeating: file, count: 500), name: "Test", by: Self.application.pointer) {
                    outcome = $0
                })
            XCTAssertFalse(PrintedPhotos.outlastWindows)
            // The main loop turns while pages are drawn.
            var timer: LoopTimer?
            @MainActor func cancelOnceBegun() {
                timer = LoopTimer(after: .milliseconds(1)) {
                    if PrintedPhotos.outlastWindows { PrintedPhotos.cancelAll() } else { cancelOnceBegun() }
                }
            }
            cancelOnceBegun()
            job.export(to: folder.appending(path: "out.pdf").path)
            Self.wait("the end") { outcome != nil }
            withExtendedLifetime(timer) {}
            XCTAssertEqual(outcome, .cancelled)
            XCTAssertFalse(PrintedPhotos.outlastWindows)
        }
    }

    // MARK: Helpers

    /// Programs that print do not end before that is done.
    @MainActor private static let application = application(named: "PrintingTests")

    /// Makes the settings of somebody who has no printers, as those of the network are not looked for, and a folder for documents.
    private static func makeSettings(in folder: URL) throws -> (settings: URL, documents: URL) {
        let (settings, documents) = (folder.appending(path: "settings"), folder.appending(path: "documents"))
        let gtk = settings.appending(path: "gtk-4.0")
        for folder in [gtk, documents] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try Data("[Settings]\ngtk-print-backends=file\n".utf8).write(to: gtk.appending(path: "settings.ini"))
        try Data("XDG_DOCUMENTS_DIR=\"\(documents.path)\"\n".utf8).write(to: settings.appending(path: "user-dirs.dirs"))
        return (settings, documents)
    }

    /// So many photos that drawing them takes longer than closing a window.
    private static let many = 12

    /// Prints photos, and has the window closed as soon as it is said how.
    ///
    /// - Parameter hasDocuments: Whether the folder is there that is printed to.
    @MainActor private static func printWithoutWindow(
        in folder: URL, hasDocuments: Bool = true,
        _ body: @MainActor (Person, _ documents: URL, _ temporary: URL) throws -> Void
    ) throws {
        let (photos, temporary) = (folder.appending(path: "photos"), folder.appending(path: "temporary"))
        for folder in [photos, temporary] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        let jpeg = try ImageEncoder(format: .jpeg).encode(PixelBuffer(size: PixelSize(width: 2_400, height: 1_600)))
        for number in 10..<10 + many { try jpeg.write(to: photos.appending(path: "\(number).jpg")) }
        let (settings, documents) = try makeSettings(in: folder)
        if !hasDocuments { try FileManager.default.removeItem(at: documents) }
        let app = try AppRun(
            [photos.path], settings: settings, isReadable: true,
            environment: ["HOME": folder.path, "TMPDIR": temporary.path])
        let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
        try person.waitForRow("10.jpg, Done")
        try person.keys("Home", "ctrl+a")
        try printToFile(person, title: "photos")
        app.terminate()
        try body(person, documents, temporary)
    }

    /// Prints what is looked at or chosen to a file of the name that is suggested.
    ///
    /// - Parameter title: That of the window. Default: that of the red photo.
    @MainActor private static func printToFile(_ person: Person, title: String = "Red") throws {
        try person.focus(title: title)
        try person.keys("ctrl+p")
        try person.wait("the dialog") { try Screen.hasWindow("^Print$") }
        try Screen.place("^Print$", x: 0, y: 0)
        // Files are the only printer, and come a moment after the dialog.
        var looks = 0
        try person.wait("the end of the dialog") {
            guard try Screen.hasWindow("^Print$") else { return true }
            if looks % 60 == 0 { try Screen.click(x: 100, y: 95) }
            if looks % 60 == 10 {
                try Screen.focus("^Print$")
                try Screen.key("alt+p")
            }
            looks += 1
            return false
        }
    }

    private static func write(width: Int, height: Int, in folder: URL) throws -> String {
        let file = folder.appending(path: "\(width)x\(height).jpg")
        let image = PixelBuffer(size: PixelSize(width: width, height: height))
        try ImageEncoder(format: .jpeg).encode(image).write(to: file)
        return file.path
    }

    @MainActor private static func export(_ files: [String], to path: String) throws -> PrintedPhotos.Outcome {
        var outcomes: [PrintedPhotos.Outcome] = []
        let job = try XCTUnwrap(PrintedPhotos(files, name: "Test", by: application.pointer) { outcomes.append($0) })
        job.export(to: path)
        wait("the end") { !outcomes.isEmpty }
        XCTAssertEqual(outcomes.count, 1)
        return try XCTUnwrap(outcomes.first)
    }

    /// The sizes of the pages of a PDF file as they are seen.
    private static func pages(in content: Data) -> [(width: Double, height: Double)] {
        let text = String(decoding: content, as: UTF8.self)
        return text.components(separatedBy: "/Type /Page").dropFirst().filter { !$0.hasPrefix("s") }.compactMap {
            page in
            guard let match = page.firstMatch(of: /MediaBox \[ *0 0 ([\d.]+) ([\d.]+) *\]/),
                let width = Double(match.1), let height = Double(match.2)
            else { return nil }
            return (width, height)
        }
    }
}
