import Foundation
import OperationsCore
import TestServers
import Transfers
import XCTest

/// Every way a server can misbehave, and the error it has to become.
final class FaultTests: DownloadTestCase {
    func testSilenceEndsByTheIdleLimit() {
        for fault in [Fault.stall, .stallAfterHead, .stallMidBody] {
            let error = failure(server.url(fault), .limits(idle: 0.3))
            XCTAssertEqual(error, .timeout(.idle, .seconds(0.3)), fault.rawValue)
            XCTAssertTrue(server.waitForPeerClose(fault.rawValue), "\(fault) left open")
        }
    }

    func testDrippingEndsByTheTotalLimitAndNotByTheIdleLimit() {
        let error = failure(server.url(.drip, query: "ms=50"), .limits(idle: 5, total: 0.8))
        XCTAssertEqual(error, .timeout(.total, .seconds(0.8)))
        XCTAssertTrue(server.waitForPeerClose(Fault.drip.rawValue))
    }

    func testSlowStartIsNoFault() throws {
        XCTAssertEqual(try download(server.url(.slowStart)).get().body, FaultServer.okBody)
    }

    func testConnectTimeLimit() throws {
        // A listening socket whose backlog is full answers no further connection attempt.
        let full = try FullBacklog()
        defer { full.close() }
        let limits = TransferLimits(connectTimeout: .milliseconds(300))
        let error = failure(try url("http://127.0.0.1:\(full.port)/"), limits)
        XCTAssertEqual(error, .timeout(.connect, .milliseconds(300)))
    }

    func testTooMuchIsRefused() {
        for fault in [Fault.endless, .endlessChunked, .hugeLength, .gzipBomb] {
            XCTAssertEqual(failure(server.url(fault)), .tooLarge(limit: 1_000_000), fault.rawValue)
        }
        server.serve(Data(count: 5_000), at: "/5000")
        XCTAssertNil(failure(server.url("/5000"), .limits(bytes: 5_000)))
        XCTAssertEqual(failure(server.url("/5000"), .limits(bytes: 4_999)), .tooLarge(limit: 4_999))
    }

    func testHeadersWithoutEndAreRefused() {
        for fault in [Fault.endlessHeaders, .endlessHeaderLine] {
            XCTAssertEqual(failure(server.url(fault))?.kind, "protocol", fault.rawValue)
            XCTAssertTrue(server.waitForPeerClose(fault.rawValue))
        }
    }

    /// Each is short, and libcurl would go through all of them for each.
    func testVeryManyHeadersAreRefused() {
        for (count, kind) in [(900, nil), (1_100, "protocol")] {
            let headers = Dictionary(uniqueKeysWithValues: (0..<count).map { ("X-\($0)", "1") })
            server.serve(FaultScript(Data("a".utf8), headers: headers, [.answer]), at: "/many-\(count)")
            XCTAssertEqual(failure(server.url("/many-\(count)"))?.kind, kind)
        }
    }

    /// libcurl tells nobody of them.
    func testExtensionsOfChunksWithoutEndAreRefused() {
        XCTAssertEqual(failure(server.url(.endlessChunkExtension))?.kind, "protocol")
        XCTAssertTrue(server.waitForPeerClose(Fault.endlessChunkExtension.rawValue))
    }

    func testBodiesThatEndEarlyAreTruncated() {
        for fault in [Fault.halfBody, .halfChunked, .resetMidBody] {
            XCTAssertEqual(failure(server.url(fault)), .truncated, fault.rawValue)
        }
    }

    func testConnectionsThatEndBeforeAnAnswerAreUnreachable() {
        for fault in [Fault.noAnswer, .reset] {
            XCTAssertEqual(failure(server.url(fault))?.kind, "unreachable", fault.rawValue)
        }
    }

    func testAnswersThatAreNotHTTP() {
        let faults: [Fault] = [
            .notHTTP, .badStatusLine, .badHeader, .badLength, .negativeLength, .badChunk, .codedTransfer, .badGzip,
            .halfHead,
            .unaskedPart, .twoLengths, .lengthList, .lengthAndChunks, .redirectOfTwoLengths,
        ]
        for fault in faults {
            XCTAssertEqual(failure(server.url(fault))?.kind, "protocol", fault.rawValue)
        }
    }

    func testALengthThatIsSaidAgainIsOne() throws {
        for _ in 0..<2 { XCTAssertEqual(try download(server.url(.sameLength)).get().body, Data("ok".utf8)) }
        XCTAssertEqual(server.connectionCount, 1)
    }

    func testRedirects() throws {
        XCTAssertEqual(failure(server.url(.redirectCircle)), .tooManyRedirects(limit: 10))
        XCTAssertEqual(server.requestCount(Fault.redirectCircle.rawValue), 11)
        XCTAssertEqual(failure(server.url(.redirectToFile)), .forbiddenAddress(.scheme))
        XCTAssertEqual(failure(server.url(.redirectToFile), allowsLocalFiles: true), .forbiddenAddress(.scheme))
        XCTAssertEqual(failure(server.url(.redirectToFTP)), .forbiddenAddress(.scheme))
        XCTAssertEqual(failure(server.url("/redirect-to?http://")), .invalidAddress)
        XCTAssertEqual(try download(server.url(.redirectWithEndlessBody)).get().body, FaultServer.okBody)
        let response = try download(server.url("/redirect/10")).get()
        XCTAssertEqual(response.body, FaultServer.okBody)
        XCTAssertEqual(response.url, server.url("/ok"))
        XCTAssertEqual(failure(server.url("/redirect/11")), .tooManyRedirects(limit: 10))
    }

    /// Browsers escape each byte of a `Location` that is not ASCII, whatever letter it was meant for.
    func testRedirectsToBytesThatAreNoText() throws {
        for location in ["/caf%E9", "/%FF%FE%20a", "/caf%C3%A9", "/ok?%E9=%80"] {
            let path = String(location.prefix { $0 != "?" })
            server.serve(Data("there".utf8), at: path)
            let response = try download(server.url("/redirect-to-bytes?\(location)")).get()
            XCTAssertEqual(response.body, Data("there".utf8), location)
            XCTAssertEqual(response.url, server.url(location))
        }
        XCTAssertEqual(failure(server.url("/redirect-to-bytes?//b%FCcher.test/")), .invalidAddress)
    }

    func testARedirectLeavesTheNextHopItsTime() throws {
        let slow = server.url(.slowStart, query: "ms=1500").absoluteString
        XCTAssertNoThrow(try download(server.url("/redirect-to?\(slow)")).get())
    }

    func testStatus() {
        for status in [400, 404, 410, 500, 304] {
            XCTAssertEqual(failure(server.url("/status/\(status)")), .http(status: status))
        }
        XCTAssertEqual(failure(server.url(.endlessNotFound)), .http(status: 404))
        let operation = operation(server.url("/status/503"))
        queue.addOperations([operation], waitUntilFinished: true)
        XCTAssertEqual(operation.result?.error, .http(status: 503))
        XCTAssertEqual(operation.retryAfter, .seconds(7))
    }

    func testEmptyBodiesAreTheCallersToJudge() throws {
        let empty = try download(server.url(.empty)).get()
        XCTAssertEqual([empty.body.count, empty.statusCode], [0, 200])
        let noContent = try download(server.url(.noContent)).get()
        XCTAssertEqual([noContent.body.count, noContent.statusCode], [0, 204])
    }

    func testExcessIsCutOffAndNeverTheNextAnswer() throws {
        for _ in 0..<5 {
            XCTAssertEqual(try download(server.url(.excess)).get().body, Data("good".utf8))
        }
    }

    func testJunkOnAKeptConnectionIsNeverTheNextAnswer() throws {
        for round in 1...3 {
            // One that has not met the junk before.
            useClient(.init())
            XCTAssertEqual(try download(server.url(.junkAfter)).get().body, Data("good".utf8))
            XCTAssertTrue(server.waitForAnswers(Fault.junkAfter.rawValue, count: round))
            XCTAssertEqual(try download(server.url("/ok")).get().body, FaultServer.okBody)
        }
    }

    func testUnreachable() throws {
        let port = server.port
        server.stop()
        XCTAssertEqual(failure(try url("http://127.0.0.1:\(port)/"))?.kind, "unreachable")
        XCTAssertEqual(failure(try url("http://does-not-exist.invalid/"))?.kind, "unreachable")
    }

    func testAddresses() throws {
        for text in ["ftp://127.0.0.1/a", "file:///etc/hostname", "data:text/plain,a", "gopher://127.0.0.1/"] {
            XCTAssertEqual(failure(try url(text)), .forbiddenAddress(.scheme), text)
        }
        for text in ["a.jpg", "/a.jpg", "http:///", "http://", "http:?a", "http://127.0.0.1:99999/"] {
            XCTAssertEqual(failure(try url(text)), .invalidAddress, text)
        }
    }
}

extension Result {
    var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
