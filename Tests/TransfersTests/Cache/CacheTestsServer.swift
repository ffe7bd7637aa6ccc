import Foundation
import OperationsCore

@testable import Transfers

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The server of http-tests/cache-tests, in a process of its own, and a client for it.
final class CacheTestsServer: Sendable {
    let url: String
    let client: TransferClient
    let queue = OperationsCore.OperationQueue()
    private let process: Process
    private let input: Pipe

    init(_ suite: String) throws {
        let process = Process()
        let output = Pipe()
        input = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let repository = URL(filePath: #filePath).appending(path: "../../../..").standardized
        process.arguments = ["node", repository.appending(path: "Scripts/lib/cache-tests-server.mjs").path, suite]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .newlines)) else { throw CocoaError(.fileReadUnknown) }
        self.process = process
        url = "http://127.0.0.1:\(port)/"
        var configuration = TransferClient.Configuration()
        configuration.transfersPerHost = 64
        client = TransferClient(configuration)
        queue.maxConcurrentOperationCount = 64
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    func get(_ path: String) async throws -> Data {
        try await send(URLRequest(url: URL(string: url + path)!))
    }

    func put(_ path: String, _ body: Data) async throws {
        var request = URLRequest(url: URL(string: url + path)!)
        request.httpMethod = "PUT"
        request.httpBody = body
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        _ = try await send(request)
    }

    private func send(_ request: URLRequest) async throws -> Data {
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let status = (response as? HTTPURLResponse)?.statusCode, (200..<300).contains(status) else {
            throw URLError(.badServerResponse)
        }
        return data
    }
}
