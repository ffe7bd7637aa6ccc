public import Foundation
import Glibc

/// A TLS server on a loopback port that answers each request with the next of some texts, whatever was asked for.
///
/// `openssl s_server` does the talking, one connection after the other; it ends with ``stop()``, and after two minutes in
/// any case. All state is behind a lock, which makes `@unchecked Sendable` true.
public final class LeftoverTLSServer: @unchecked Sendable {
    /// The certificate to trust.
    public let certificate: URL
    /// The address of the server.
    public let url: URL
    private let folder: URL
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let lock = NSLock()
    private var answers: [Data]
    private var request = Data()
    private var late: (bytes: Data, milliseconds: UInt32)?

    /// Starts to listen.
    /// - Parameter answers: What is sent for each request, heads and all, each in as few TLS records as it takes.
    /// - Parameter late: What is sent so many milliseconds after the first answer.
    public init(answers: [Data], late: (bytes: Data, milliseconds: UInt32)? = nil) throws {
        guard let openssl = NginxServer.findExecutable("openssl"), let timeout = NginxServer.findExecutable("timeout")
        else { throw ServerError("openssl or timeout is not installed") }
        folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        certificate = try NginxServer.makeCertificate(in: folder)
        let port = try LoopbackSocket.freePort()
        url = URL(string: "https://127.0.0.1:\(port)/") ?? folder
        self.answers = answers
        self.late = late
        process.executableURL = URL(filePath: timeout)
        process.arguments = [
            "-s", "KILL", "120", openssl, "s_server", "-quiet", "-accept", "127.0.0.1:\(port)",
            "-cert", certificate.path, "-key", folder.appending(path: "key.pem").path,
        ]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let reader = output.fileHandleForReading
        Thread.detachNewThread { [weak self] in
            while case let bytes = reader.availableData, !bytes.isEmpty { self?.receive(bytes) }
        }
        let end = Date(timeIntervalSinceNow: 20)
        while !LoopbackSocket.isListening(port) {
            guard Date() < end else { throw ServerError("openssl does not listen") }
            usleep(5_000)
        }
    }

    private func receive(_ bytes: Data) {
        lock.withLock {
            request += bytes
            let end = Data("\r\n\r\n".utf8)
            while let range = request.firstRange(of: end) {
                request.removeSubrange(..<range.upperBound)
                if !answers.isEmpty { try? input.fileHandleForWriting.write(contentsOf: answers.removeFirst()) }
                guard let late = late.take() else { continue }
                usleep(late.milliseconds * 1_000)
                try? input.fileHandleForWriting.write(contentsOf: late.bytes)
            }
        }
    }

    /// Ends it.
    public func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }
}
