import Foundation
import ImageCodecs
import PhotoBrowser
import PhotoPipeline
import TestServers
import XCTest

final class SaveJobTests: XCTestCase {
    func testAJobWritesItsPhotosAndSaysWhichItCouldNot() throws {
        try Self.withList(["/it", "", "/missing"] + Array(repeating: "/it", count: 20)) { list, _, folder in
            var told = 0
            let job = SaveJob(Self.files(23, in: folder), of: list) { _ in told += 1 }
            XCTAssertNil(job.progress)
            job.start()
            waitUntil("the end") { told > 0 }
            XCTAssertTrue(job.isOver)
            XCTAssertEqual(job.savedCount, 21)
            XCTAssertEqual(job.progress, 1)
            XCTAssertEqual(Set(job.failures.map(\.file.photo.index)), [1, 2])
            XCTAssertEqual(try Self.names(in: folder).count, 21)
            job.cancel()
            XCTAssertFalse(job.isCancelled)
            XCTAssertEqual(told, 1)
        }
    }

    /// One photo after the other would be fetched, and lost.
    func testAJobEndsWhereItsFolderTakesNoFiles() throws {
        try Self.withList(Array(repeating: "/it", count: 40)) { list, server, folder in
            var told = 0
            let job = SaveJob(Self.files(40, in: folder.appending(path: "gone")), of: list) { _ in told += 1 }
            job.start()
            waitUntil("the end") { told > 0 }
            XCTAssertTrue(job.isOver)
            XCTAssertFalse(job.isCancelled)
            XCTAssertEqual(job.savedCount, 0)
            XCTAssertEqual(job.end?.error, PhotoError(.writeFailed, String(cString: strerror(ENOENT))))
            XCTAssertTrue(job.failures.allSatisfy { $0.error.reason == .writeFailed })
            XCTAssertLessThanOrEqual(server.requestCount("/it"), 8)
            XCTAssertEqual(told, 1)
        }
    }

    func testAJobGoesOnWhereOneNameIsRefused() throws {
        try Self.withList(["/it", "/it"]) { list, _, folder in
            var told = 0
            let long = String(repeating: "n", count: 300)
            let files = [long, "short"].enumerated().map { number, name in
                SaveJob.File(
                    Photo.ID(number), to: folder.appending(path: name + ".png").path,
                    as: ImageEncoder(format: .png))
            }
            let job = SaveJob(files, of: list) { _ in told += 1 }
            job.start()
            waitUntil("the end") { told > 0 }
            XCTAssertNil(job.end)
            XCTAssertEqual(job.failures.map(\.file.path), [files[0].path])
            XCTAssertEqual(job.savedFiles.map(\.path), [files[1].path])
        }
    }

    /// Whoever names a million files first lets a person wait.
    func testFilesAreNamedWhenTheirTurnComes() throws {
        try Self.withList(Array(repeating: "/gate", count: 40)) { list, server, folder in
            let files = Self.files(40, in: folder)
            var (named, told): ([Int], Int) = ([], 0)
            let name = { (number: Int) -> SaveJob.File in
                named.append(number)
                return files[number]
            }
            let job = SaveJob(40, of: list, file: name) { _ in told += 1 }
            XCTAssertEqual(named, [])
            job.start()
            XCTAssertEqual(named, Array(0..<8))
            server.openGate()
            waitUntil("the end") { told > 0 }
            XCTAssertEqual(named, Array(0..<40))
            XCTAssertEqual(job.savedFiles.map(\.path), files.map(\.path))
            XCTAssertEqual(try Self.names(in: folder).count, 40)
        }
    }

    /// Other programs may save into the same folder.
    func testAFileThatComesMeanwhileStays() throws {
        try Self.withList(["/gate", "/gate"]) { list, server, folder in
            var told = 0
            let path = folder.appending(path: "photo.png").path
            let encoder = ImageEncoder(format: .png)
            let files = [TakenName.number, .refuse].enumerated().map { number, name in
                SaveJob.File(Photo.ID(number), to: path, whereTaken: name, as: encoder)
            }
            let job = SaveJob(files, of: list) { _ in told += 1 }
            job.start()
            waitUntil("both transfers") { server.requestCount("/gate") == 2 }
            try Data("precious".utf8).write(to: URL(filePath: path))
            server.openGate()
            waitUntil("the end") { told > 0 }
            XCTAssertEqual(try Data(contentsOf: URL(filePath: path)), Data("precious".utf8))
            XCTAssertEqual(job.savedFiles.map(\.path), [folder.appending(path: "photo (2).png").path])
            XCTAssertEqual(job.failures.map(\.isNameTaken), [true])
            XCTAssertNil(job.end)
            XCTAssertEqual(try Self.names(in: folder).sorted(), ["photo (2).png", "photo.png"])
        }
    }

    func testTwoJobsThatSaveIntoOneFolderAtOnceReplaceNothingOfEachOther() throws {
        try Self.withList(Array(repeating: "/it", count: 20)) { list, _, folder in
            var told = 0
            let encoder = ImageEncoder(format: .png)
            let jobs = (0..<2).map { _ in
                let files = (0..<20).map { number in
                    SaveJob.File(
                        Photo.ID(number), to: folder.appending(path: "\(number % 4).png").path, whereTaken: .number,
                        as: encoder)
                }
                return SaveJob(files, of: list) { _ in told += 1 }
            }
            for job in jobs { job.start() }
            waitUntil("the end of both") { told == 2 }
            XCTAssertEqual(jobs.map(\.savedCount), [20, 20])
            let saved = jobs.flatMap(\.savedFiles).map { URL(filePath: $0.path).lastPathComponent }
            XCTAssertEqual(Set(saved).count, 40)
            XCTAssertEqual(try Self.names(in: folder).sorted(), saved.sorted())
        }
    }

    func testAJobThatIsGivenUpEndsAndKeepsWhatItHasWritten() throws {
        try Self.withList(["/it"] + Array(repeating: "/gate", count: 40)) { list, server, folder in
            var told = 0
            let job = SaveJob(Self.files(41, in: folder), of: list) { _ in told += 1 }
            job.start()
            waitUntil("the first file") { job.savedCount > 0 }
            XCTAssertEqual(job.progress, 1.0 / 41)
            waitUntil("eight side by side") { server.requestCount("/gate") == 8 }
            job.cancel()
            waitUntil("the end") { told > 0 }
            XCTAssertTrue(job.isOver)
            XCTAssertTrue(job.isCancelled)
            XCTAssertEqual(job.savedCount, 1)
            XCTAssertTrue(job.failures.isEmpty)
            XCTAssertEqual(try Self.names(in: folder), ["0.png"])
        }
    }

    func testAJobThatIsGivenUpBeforeItsStartIsOverWithThat() throws {
        try Self.withList(["/it"]) { list, server, folder in
            var told = 0
            let job = SaveJob(Self.files(1, in: folder), of: list) { _ in told += 1 }
            job.cancel()
            job.start()
            XCTAssertEqual(told, 1)
            XCTAssertTrue(job.isOver && job.isCancelled)
            XCTAssertEqual(server.requestCount("/it"), 0)
        }
    }

    func testAJobTellsHowFarItsTransfersAre() throws {
        try Self.withList([Fault.stallMidBody.rawValue]) { list, _, folder in
            var told = 0
            let job = SaveJob(Self.files(1, in: folder), of: list) { _ in told += 1 }
            job.start()
            waitUntil("half of it") { (job.progress ?? 0) >= 0.4 }
            XCTAssertLessThan(job.progress ?? 1, 0.6)
            job.cancel()
            waitUntil("the end") { told > 0 }
            XCTAssertEqual(try Self.names(in: folder), [])
        }
    }

    // MARK: Helpers

    private static func files(_ count: Int, in folder: URL) -> [SaveJob.File] {
        (0..<count).map {
            SaveJob.File(
                Photo.ID($0), to: folder.appending(path: "\($0).png").path, as: ImageEncoder(format: .png))
        }
    }

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    /// Hands a list over whose photos have these paths; an empty one is no address.
    private static func withList(
        _ paths: [String], _ body: @MainActor (PhotoList, FaultServer, URL) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-job-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try FaultServer()
        defer { server.stop() }
        let image = try ImageEncoder(format: .png).encode(PixelBuffer(size: PixelSize(width: 8, height: 6)))
        server.serve(image, at: "/it")
        server.serve(image, at: "/gate")
        let lines = paths.enumerated().map { number, path in
            "Photo \(number),\(path.isEmpty ? "" : server.url("\(path)?\(number)").absoluteString)\n"
        }
        let catalog = try Catalog(
            parsing: Data(("name,url\n" + lines.joined()).utf8), origin: .file(path: "/catalog.csv"))
        try MainActor.assumeIsolated {
            let list = PhotoList(catalog: catalog, pipeline: PhotoPipeline(), longestSide: 16)
            defer { list.close() }
            try body(list, server, folder)
        }
    }
}
