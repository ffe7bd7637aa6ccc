import CRawCurlLoop
import Dispatch
import Foundation
import FoundationNetworking
import OperationsCore
import Synchronization
import Transfers

/// One way to download an address many times. Returns the bytes received.
struct Contender: Sendable {
    let name: String
    let download: @Sendable (_ url: URL, _ count: Int, _ width: Int) throws -> Int
}

struct BenchError: Error, CustomStringConvertible {
    let description: String
}

extension Contender {
    private static let batchSize = 16

    static let all = [operations, operationsAtOnce, started, rawCurl, urlSession]

    /// `DownloadOperation`s on a queue of the given width.
    static let operations = Contender(name: "ours") { url, count, width in
        try run(url, count, queueWidth: width, width: width)
    }

    /// All `DownloadOperation`s executing at once; the client's limit per host is what holds them back.
    static let operationsAtOnce = Contender(name: "ours, all at once") { url, count, width in
        try run(url, count, queueWidth: count, width: width)
    }

    private static func run(_ url: URL, _ count: Int, queueWidth: Int, width: Int) throws -> Int {
        let client = TransferClient(.init(transfersPerHost: width, usesEnvironmentProxy: false))
        let queue = OperationsCore.OperationQueue()
        queue.maxConcurrentOperationCount = queueWidth
        let request = DownloadRequest(url: url)
        var bytes = 0
        // In batches, so that bodies do not pile up; the next ones are ready before the last one ends.
        var batches: [[DownloadOperation]] = []
        for start in stride(from: 0, to: count, by: batchSize) {
            let batch = (start..<min(start + batchSize, count)).map { _ in DownloadOperation(request, client: client) }
            queue.addOperations(batch, waitUntilFinished: false)
            batches.append(batch)
            if batches.count > 2 { bytes += try collect(batches.removeFirst()) }
        }
        for batch in batches { bytes += try collect(batch) }
        return bytes
    }

    private static func collect(_ batch: [DownloadOperation]) throws -> Int {
        var bytes = 0
        // The last one first: by then most of the others are there, and whoever waits need not be woken for each.
        for operation in batch.reversed() {
            operation.waitUntilFinished()
            bytes += try operation.result?.get().body.count ?? 0
        }
        return bytes
    }

    /// `DownloadOperation`s that are started without a queue: what the transfers themselves cost.
    static let started = Contender(name: "ours, no queue") { url, count, width in
        let client = TransferClient(.init(transfersPerHost: width, usesEnvironmentProxy: false))
        let request = DownloadRequest(url: url)
        var bytes = 0
        var batches: [[DownloadOperation]] = []
        for start in stride(from: 0, to: count, by: batchSize) {
            let batch = (start..<min(start + batchSize, count)).map { _ in DownloadOperation(request, client: client) }
            for operation in batch { operation.start() }
            batches.append(batch)
            if batches.count > 2 { bytes += try collect(batches.removeFirst()) }
        }
        for batch in batches { bytes += try collect(batch) }
        return bytes
    }

    /// libcurl alone.
    static let rawCurl = Contender(name: "raw libcurl") { url, count, width in
        let bytes = raw_curl_download(url.absoluteString, Int32(count), Int32(width))
        guard bytes >= 0 else { throw BenchError(description: "raw libcurl failed") }
        return bytes
    }

    /// FoundationNetworking.
    static let urlSession = Contender(name: "URLSession") { url, count, width in
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = width
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration)
        defer { session.invalidateAndCancel() }
        let total = Total()
        let places = DispatchSemaphore(value: width)
        let group = DispatchGroup()
        for _ in 0..<count {
            places.wait()
            group.enter()
            session.dataTask(with: url) { data, _, error in
                total.bytes.add(data?.count ?? 0, ordering: .relaxed)
                if error != nil { total.failures.add(1, ordering: .relaxed) }
                places.signal()
                group.leave()
            }.resume()
        }
        group.wait()
        let failures = total.failures.load(ordering: .relaxed)
        guard failures == 0 else { throw BenchError(description: "URLSession failed \(failures) times") }
        return total.bytes.load(ordering: .relaxed)
    }

    private final class Total: Sendable {
        let bytes = Atomic(0)
        let failures = Atomic(0)
    }
}
