import Foundation
import Glibc
import Operations
import OperationsCore
import OperationsTesting
import TestServers
import Transfers
import XCTest

/// Bodies that are too large for memory.
final class LargeBodyTests: DownloadTestCase {
    private var folder: URL!

    override func setUpWithError() throws {
        try super.setUpWithError()
        folder = FileManager.default.temporaryDirectory.appending(path: "large-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        useClient(temporaryFolder: folder.path)
    }

    override func tearDownWithError() throws {
        try FileManager.default.removeItem(at: folder)
    }

    private func useClient(temporaryFolder: String) {
        var configuration = TransferClient.Configuration()
        configuration.temporaryFolder = temporaryFolder
        useClient(configuration)
    }

    private func download(_ url: URL, inMemory: Int, limit: Int = 100_000_000) -> Result<
        DownloadResponse, TransferError
    > {
        var request = DownloadRequest(url: url, limits: .limits(total: 60, bytes: limit))
        request.maxBytesInMemory = inMemory
        let operation = DownloadOperation(request, client: client)
        queue.addOperations([operation], waitUntilFinished: true)
        return operation.takeResult() ?? .failure(.cancelled)
    }

    func testTheBodyIsTheSameOnDisk() throws {
        let body = SeededRandom.data(1_000_000)
        server.serve(body, at: "/large")
        for inMemory in [0, 1, 30_000, 999_999, 1_000_000, 2_000_000] {
            var response = try download(server.url("/large"), inMemory: inMemory).get()
            XCTAssertEqual(response.body, body, "\(inMemory)")
            // It is the owner's to change.
            response.body[5] ^= 1
            XCTAssertNotEqual(response.body, body)
            XCTAssertEqual(response.body.count, body.count)
        }
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), [])
        XCTAssertEqual(try download(server.url(.empty), inMemory: 0).get().body, Data())
    }

    func testLengthsThatAreUnknownOrCompressedGoToDiskToo() throws {
        XCTAssertEqual(
            download(server.url(.endlessChunked), inMemory: 10_000, limit: 3_000_000).error, .tooLarge(limit: 3_000_000)
        )
        XCTAssertEqual(
            download(server.url(.gzipBomb), inMemory: 10_000, limit: 3_000_000).error, .tooLarge(limit: 3_000_000))
        XCTAssertEqual(download(server.url(.halfChunked), inMemory: 1).error, .truncated)
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), [])
    }

    func testALargeBodyTakesNoMemory() throws {
        try XCTSkipIf(NginxServer.executable == nil, "nginx is not installed")
        try Data().write(to: folder.appending(path: "huge"))
        XCTAssertEqual(truncate(folder.appending(path: "huge").path, 60_000_000), 0)
        let nginx = try NginxServer(root: folder)
        defer { nginx.stop() }
        _ = try download(nginx.url("/huge"), inMemory: 1_000_000).get()
        let before = Self.anonymousMegabytes
        let response = try download(nginx.url("/huge"), inMemory: 1_000_000).get()
        XCTAssertEqual(response.body.count, 60_000_000)
        XCTAssertLessThan(Self.anonymousMegabytes - before, 20)
        XCTAssertTrue(response.body.dropFirst(59_000_000).allSatisfy { $0 == 0 })
    }

    func testAFolderThatCannotBeUsedIsTold() throws {
        useClient(temporaryFolder: "/proc/no/such")
        server.serve(Data(count: 100_000), at: "/large")
        let error = download(server.url("/large"), inMemory: 10_000).error
        XCTAssertEqual(error?.kind, "write-failed")
        XCTAssertEqual(error?.isTransient, false)
        // What stays in memory needs no folder.
        XCTAssertNoThrow(try download(server.url("/large"), inMemory: 100_000).get())
    }

    /// Memory that is no file's, from /proc.
    private static var anonymousMegabytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
        return (line.split(separator: " ").dropLast().last.flatMap { Int($0) } ?? 0) / 1_000
    }
}
