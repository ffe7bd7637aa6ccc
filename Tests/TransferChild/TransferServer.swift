import FoundationEssentials
import Glibc
import Operations
import Transfers

/// A server of the test that is asked for one thing.
final class TransferServer {
    private let port: Int
    private let queue = OperationQueue()

    init(port: Int) {
        self.port = port
        queue.maxConcurrentOperationCount = 10_000
    }

    /// How many downloads have not ended.
    var downloads: Int { queue.operationCount }

    func cancelAll() { queue.cancelAllOperations() }

    /// Begins a download from the server, under whatever name.
    func download(
        from host: String = "127.0.0.1", with client: TransferClient, connectTimeout: Duration = .seconds(60),
        retries: Int = 0
    ) -> DownloadOperation {
        guard let url = URL(string: "http://\(host):\(port)/ok") else { exit(2) }
        var request = DownloadRequest(url: url, retry: .transfers(retries: retries))
        request.limits.connectTimeout = connectTimeout
        request.limits.totalTimeout = .seconds(120)
        let download = DownloadOperation(request, client: client)
        queue.addOperation(download)
        return download
    }

    /// Begins to send a file to the server.
    func upload(_ path: String, with client: TransferClient, retries: Int) -> UploadOperation {
        guard let url = URL(string: "http://127.0.0.1:\(port)/ok") else { exit(2) }
        let upload = UploadOperation(
            UploadRequest(url: url, source: .file(path: path), retry: .transfers(retries: retries)), client: client)
        queue.addOperation(upload)
        return upload
    }
}

/// How many of downloads end well.
func answers(_ downloads: [DownloadOperation]) -> Int {
    wait("for answers") { downloads.allSatisfy(\.isFinished) }
    return downloads.count { if case .success = $0.result { true } else { false } }
}

/// How many of downloads fail with an error that is described so.
func failures(_ downloads: [DownloadOperation], _ part: String) -> Int {
    wait("for failures") { downloads.allSatisfy(\.isFinished) }
    return downloads.count { ($0.error as? TransferError)?.description.contains(part) == true }
}

/// How many descriptors of this process are of a kind, as `/proc` names it.
func descriptors(_ kind: String) -> Int {
    let folder = "/proc/self/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.count {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))?.hasSuffix("[\(kind)]") == true
    }
}

/// Tells the test something.
func tell(_ name: String, _ number: Int) { print("\(name) \(number)") }

/// Waits until a condition holds; ends the process where that takes too long.
func wait(_ purpose: String, until isMet: () -> Bool) {
    for _ in 0..<30_000 {
        if isMet() { return }
        usleep(2_000)
    }
    complain("waits \(purpose) in vain")
    exit(3)
}

/// Writes a line to the standard error.
func complain(_ text: String) {
    let line = "transfer-child: \(text)\n"
    _ = write(2, line, line.utf8.count)
}
