import Foundation
import Operations
import TestServers
import Transfers
import XCTest

@testable import PhotoPipeline

/// What a developer of a server hears.
final class LoggingTests: PipelineTestCase {
    private let entries = Lock<[PhotoLogEntry]>([])

    private func logged(
        _ level: PhotoLogEntry.Level = .debug, _ change: (inout PhotoPipeline.Configuration) -> Void = { _ in }
    ) -> PhotoPipeline {
        var configuration = PhotoPipeline.Configuration()
        configuration.logLevel = level
        configuration.log = { [entries] entry in entries.withLock { $0.append(entry) } }
        change(&configuration)
        return PhotoPipeline(configuration: configuration)
    }

    /// The name of each event, once so many are there.
    private func events(_ count: Int) -> [String] {
        eventually("\(count) entries are there") { entries.withLock { $0.count } >= count }
        return entries.withLock { entries in entries.map { String("\($0.event)".prefix { $0 != "(" }) } }
    }

    private func run(_ pipeline: PhotoPipeline, _ request: ImageRequest, label: String? = nil) async {
        let over = expectation(description: "over")
        pipeline.task(for: request, of: Photo.ID(7), label: label) { _ in }.start { over.fulfill() }
        await fulfillment(of: [over], timeout: 60)
    }

    func testAPhotosWayAndThatItWasInMemory() async throws {
        let pipeline = logged()
        await run(pipeline, request(1), label: "Dune")
        XCTAssertEqual(events(3), ["requested", "downloadStarted", "finished"])
        await run(pipeline, request(1), label: "Dune")
        XCTAssertEqual(events(5).suffix(2), ["requested", "cacheHit"])
        _ = try await value(from: pipeline, request(1))
        XCTAssertEqual(events(7).suffix(2), ["requested", "cacheHit"])
        let all = entries.withLock { $0 }
        XCTAssertEqual(all.map(\.photo), (0..<5).map { _ in Photo.ID(7) } + [nil, nil])
        let address = server.url("/1.png").absoluteString
        XCTAssertEqual(all[0].message, "photo 7 Dune \(address): asked for")
        XCTAssertEqual(all[6].message, "\(address): was in memory")
        XCTAssertEqual(all.map(\.date), all.map(\.date).sorted())
    }

    func testFailuresCancellingAndDamage() async throws {
        var data = ProgressiveImage.file
        data.removeLast(data.count / 4)
        server.serve(data, at: "/cut.jpg")
        let pipeline = logged(.debug) { $0.toleratesDamage = true }
        await run(pipeline, ImageRequest(address: server.url("/status/404")))
        XCTAssertEqual(events(3), ["requested", "downloadStarted", "failed"])
        XCTAssertEqual(entries.withLock { $0[2].level }, .error)
        _ = try await value(from: pipeline, ImageRequest(address: server.url("/cut.jpg")))
        XCTAssertEqual(events(7).dropFirst(3), ["requested", "downloadStarted", "damaged", "finished"])
        XCTAssertEqual(entries.withLock { $0[5].level }, .warning)
        let task = pipeline.imageTask(for: ImageRequest(address: server.url(.stall)))
        XCTAssert(server.waitForRequests(Fault.stall.rawValue))
        task.cancel()
        XCTAssertEqual(events(10).dropFirst(7), ["requested", "downloadStarted", "cancelled"])
        // Also what is given up where its state stays the same.
        pipeline.pending.filtrationQueue.isSuspended = true
        let (isDecoded, over) = (expectation(description: "decoded"), expectation(description: "over"))
        let waiting = pipeline.task(for: request(2, filter: "invert(1)"), of: Photo.ID(0)) { update in
            if update.state == .downloaded { isDecoded.fulfill() }
        }
        waiting.start { over.fulfill() }
        await fulfillment(of: [isDecoded], timeout: 60)
        waiting.cancel()
        pipeline.pending.filtrationQueue.isSuspended = false
        await fulfillment(of: [over], timeout: 60)
        XCTAssertEqual(events(13).dropFirst(10), ["requested", "downloadStarted", "cancelled"])
        eventuallyEmpty(pipeline)
        XCTAssertEqual(entries.withLock { $0.count }, 13)
    }

    func testATransferThatIsCancelledInItsQueueIsNoFailure() async throws {
        let pipeline = logged(.debug)
        let task = pipeline.imageTask(for: ImageRequest(address: server.url(.stall)))
        XCTAssert(server.waitForRequests(Fault.stall.rawValue))
        pipeline.pending.downloadQueue.cancelAllOperations()
        _ = try await outcome(of: task)
        XCTAssertEqual(events(3), ["requested", "downloadStarted", "cancelled"])
    }

    func testRetriesAndHostsThatRestSayWhy() async throws {
        let pipeline = logged(.info) {
            $0.transferRetries = 3
            $0.hostPatience = .milliseconds(400)
        }
        _ = try await outcome(of: pipeline.imageTask(for: ImageRequest(address: server.url("/status/500"))))
        eventually("the photo's end is told") {
            entries.withLock { $0.contains { "\($0.event)".hasPrefix("failed") } }
        }
        let names = events(5)
        XCTAssertEqual(names.filter { $0 == "retrying" }.count, 3, "\(names)")
        XCTAssertGreaterThanOrEqual(names.filter { $0 == "hostResting" }.count, 1, "\(names)")
        // Hosts are told of on a thread of their own, so that the last rest may come behind the photo's end.
        XCTAssertEqual(names.last { $0 != "hostResting" }, "failed", "\(names)")
        let port = try XCTUnwrap(server.url("/").port)
        for entry in entries.withLock({ $0 }) {
            switch entry.event {
            case .retrying(let error, _):
                XCTAssertEqual(error, .http(status: 500))
                XCTAssertEqual(entry.address, server.url("/status/500").absoluteString)
            case .hostResting(let host, let rest, let error):
                XCTAssertEqual(host, "http://127.0.0.1:\(port)")
                XCTAssert(rest > .zero && rest <= .milliseconds(400))
                XCTAssertEqual(error, .http(status: 500))
                XCTAssertNil(entry.address)
            default: break
            }
        }
        XCTAssertFalse(names.contains("requested"), "it matters less")
    }

    func testSecretsOfAddressesAreNotLogged() async throws {
        let base = server.url("/1.png").absoluteString
        let withUser = base.replacing("http://", with: "http://user:pass@")
        for (address, expected) in [
            (withUser, base), (base + "?width=3", base + "?width=3"),
            (base + "?X-Amz-Signature=abc", base + "?…"), (withUser + "?width=3&token=abc", base + "?…"),
            ("shelf://user:pass@place/a?b=c", "shelf://place/a?b=c"), ("shelf:user@place", "shelf:place"),
            ("shelf://place/a@b", "shelf://place/a@b"), ("shelf://place/a?sig=abc", "shelf://place/a?…"),
        ] {
            let url = try XCTUnwrap(URL(string: address))
            let entry = PhotoLogEntry(.requested, ResourceAddress(url))
            XCTAssertEqual(entry.address, expected)
            XCTAssertEqual(entry.message, "\(expected): asked for")
        }
        // Nor by the reasons of failures.
        let pipeline = logged()
        for address in [
            withUser.replacing("/1.png", with: "/status/404?token=abc"), "shelf://user:pass@place/a?sig=abc",
        ] {
            _ = try await outcome(
                of: pipeline.imageTask(for: ImageRequest(address: try XCTUnwrap(URL(string: address)))))
        }
        _ = events(5)
        for message in entries.withLock({ $0.map(\.message) }) {
            XCTAssertFalse(message.contains("pass") || message.contains("abc"), message)
        }
    }

    /// Photos go on while the closure sleeps, and what it misses is counted.
    func testASlowClosureHoldsNothingUp() async throws {
        let (began, mayGoOn) = (expectation(description: "began"), DispatchSemaphore(value: 0))
        began.assertForOverFulfill = false
        let pipeline = logged(.debug) { configuration in
            configuration.log = { [entries] entry in
                began.fulfill()
                if entries.withLock({ $0.isEmpty }) { _ = mayGoOn.wait(timeout: .now() + 60) }
                entries.withLock { $0.append(entry) }
            }
        }
        let first = pipeline.imageTask(for: request(1))
        await fulfillment(of: [began], timeout: 60)
        _ = try await value(of: first)
        // Two entries each.
        for _ in 0..<PhotoLog.capacity { _ = try await value(of: pipeline.imageTask(for: request(1))) }
        eventuallyEmpty(pipeline)
        mayGoOn.signal()
        // The first one was taken out of the line, with whatever stood behind it.
        eventually("all are told of") {
            entries.withLock { entries in
                guard case .leftOut(let count) = entries.last?.event else { return false }
                return entries.count - 1 + count == 3 + 2 * PhotoLog.capacity
            }
        }
        XCTAssertLessThanOrEqual(entries.withLock { $0.count }, PhotoLog.capacity + 4)
    }
}
