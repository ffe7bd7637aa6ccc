import Foundation
import ImageCodecs
import PhotoBrowser
import PhotoPipeline
import TestServers
import Testing

@MainActor @Suite struct SaveJobTests {
    @Test func aJobWritesItsPhotosAndSaysWhichItCouldNot() async throws {
        try await withList(["/it", "", "/missing"] + Array(repeating: "/it", count: 20)) { list, _, folder in
            var told = 0
            let job = SaveJob(files(23, in: folder), of: list) { _ in told += 1 }
            #expect(job.progress == nil)
            job.start()
            while told == 0 { try await Task.sleep(for: .milliseconds(2)) }
            #expect(job.isOver && job.savedCount == 21 && job.progress == 1)
            #expect(Set(job.failures.map(\.file.photo.index)) == [1, 2])
            #expect(try names(in: folder).count == 21)
            job.cancel()
            #expect(!job.isCancelled && told == 1)
        }
    }

    @Test func aJobThatIsGivenUpEndsAndKeepsWhatItHasWritten() async throws {
        try await withList(["/it"] + Array(repeating: "/gate", count: 40)) { list, server, folder in
            var told = 0
            let job = SaveJob(files(41, in: folder), of: list) { _ in told += 1 }
            job.start()
            while job.savedCount == 0 { try await Task.sleep(for: .milliseconds(2)) }
            #expect(job.progress == 1.0 / 41)
            job.cancel()
            while told == 0 { try await Task.sleep(for: .milliseconds(2)) }
            #expect(job.isOver && job.isCancelled && job.savedCount == 1 && job.failures.isEmpty)
            #expect(try names(in: folder) == ["0.png"])
        }
    }

    @Test func aJobTellsHowFarItsTransfersAre() async throws {
        try await withList([Fault.stallMidBody.rawValue]) { list, _, folder in
            var told = 0
            let job = SaveJob(files(1, in: folder), of: list) { _ in told += 1 }
            job.start()
            while (job.progress ?? 0) < 0.4 { try await Task.sleep(for: .milliseconds(2)) }
            #expect((job.progress ?? 1) < 0.6)
            job.cancel()
            while told == 0 { try await Task.sleep(for: .milliseconds(2)) }
            #expect(try names(in: folder).isEmpty)
        }
    }

    // MARK: Helpers

    private func files(_ count: Int, in folder: URL) -> [SaveJob.File] {
        (0..<count).map {
            SaveJob.File(
                Photo.ID($0), to: folder.appending(path: "\($0).png").path, as: ImageEncoder(format: .png))
        }
    }

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    /// Hands a list over whose photos have these paths; an empty one is no address.
    private func withList(
        _ paths: [String], _ body: (PhotoList, FaultServer, URL) async throws -> Void
    ) async throws {
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
        let list = PhotoList(catalog: catalog, pipeline: PhotoPipeline(), longestSide: 16)
        try await body(list, server, folder)
        list.close()
    }
}
