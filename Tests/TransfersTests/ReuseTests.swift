import Foundation
import Operations
import OperationsCore
import TestServers
import Transfers
import XCTest

/// Connections that are used again, at servers that send more than they were asked for.
final class ReuseTests: DownloadTestCase {
    private let leftover = Data(repeating: UInt8(ascii: "g"), count: FaultServer.leftoverBodyCount)

    /// Downloads all at once; the paths whose body is another's, or that failed.
    private func wrongOnes(_ expected: [(path: String, body: Data)]) -> [String] {
        let downloads = expected.map { (download: operation(server.url($0.path)), expected: $0) }
        run(downloads.map(\.download))
        return downloads.compactMap { download, expected in
            if case .success(let response) = download.result, response.body == expected.body { return nil }
            return "\(expected.path): \(String(describing: download.result?.error))"
        }
    }

    /// While an answer ends, the next request may already wait for its connection.
    func testTwelvePairsOfWhichOneLeavesAWholeAnswerBehind() throws {
        for number in 0..<12 { server.serve(Data("photo \(number)".utf8), at: "/photo/\(number)") }
        let pairs = (0..<12).flatMap { number in
            [("/leftover", leftover), ("/photo/\(number)", Data("photo \(number)".utf8))]
        }
        for round in 1...40 {
            useClient(.init(transfersPerHost: round % 8 + 1))
            XCTAssertEqual(wrongOnes(pairs.map { (path: $0.0, body: $0.1) }), [], "round \(round)")
        }
    }

    func testPairsOneAfterTheOther() throws {
        for fault in [Fault.leftover, .leftoverAfterChunks, .leftoverAfterNothing, .excess] {
            useClient(.init(transfersPerHost: 1))
            for _ in 1...3 {
                _ = try download(server.url(fault)).get()
                XCTAssertEqual(try download(server.url("/ok")).get().body, FaultServer.okBody, fault.rawValue)
            }
        }
    }

    /// An answer that comes before the server can have the whole request is none to that request.
    func testAnAnswerThatCameBeforeItsRequestIsNotTaken() throws {
        // More than a server's socket takes before anybody reads from it, so that not all of it is acknowledged.
        let long = "/ok?" + String(repeating: "x", count: 250_000)
        for _ in 1...2 {
            XCTAssertEqual(try download(server.url(.interruption)).get().body, Data("good".utf8))
            let operation = operation(server.url(long))
            run([operation])
            XCTAssertEqual(try operation.result?.get().body, FaultServer.okBody)
            XCTAssertEqual(operation.failedAttempts, [])
        }
    }

    /// What follows a body in the same TLS record is decrypted together with it, so that no look at the socket finds it.
    func testWhatTLSHasDecryptedIsNeverTheNextAnswer() throws {
        func answer(_ body: Data) -> Data {
            Data("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
        }
        let long = Data(repeating: UInt8(ascii: "g"), count: 30_000)
        let next = answer(Data("next".utf8))
        let server = try LeftoverTLSServer(answers: [answer(long) + answer(Data("wrong".utf8)), next, next])
        defer { server.stop() }
        var configuration = TransferClient.Configuration()
        configuration.certificateAuthorities = server.certificate.path
        useClient(configuration)
        XCTAssertEqual(try download(server.url).get().body, long)
        for _ in 1...2 { XCTAssertEqual(try download(server.url).get().body, Data("next".utf8)) }
    }

    private func answer(_ body: Data) -> Data {
        Data("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    /// Lets a time pass in which what comes late has come, and after which it could be how a server closes a connection.
    private func letLateBytesCome() {
        let end = Date(timeIntervalSinceNow: 1.5)
        XCTAssertTrue(wait { Date() > end })
    }

    func testASecondAnswerThatComesLateOverTLSIsSeen() throws {
        for delay in [2, 50] as [UInt32] {
            let next = answer(Data("next".utf8))
            let server = try LeftoverTLSServer(
                answers: Array(repeating: next, count: 40), late: (answer(Data("wrong".utf8)), delay))
            defer { server.stop() }
            var configuration = TransferClient.Configuration()
            configuration.certificateAuthorities = server.certificate.path
            useClient(configuration)
            XCTAssertEqual(try download(server.url).get().body, Data("next".utf8))
            letLateBytesCome()
            for _ in 1...6 {
                let response = try download(server.url).get()
                XCTAssertFalse(response.metrics.isConnectionReused, "\(delay)")
                XCTAssertEqual(response.body, Data("next".utf8), "\(delay)")
            }
        }
    }

    /// A server that leaves nothing behind sends tickets and the like, and keeps its connection.
    func testWhatTLSSendsByItselfIsNoJunk() throws {
        let server = try LeftoverTLSServer(answers: Array(repeating: answer(Data("next".utf8)), count: 8))
        defer { server.stop() }
        var configuration = TransferClient.Configuration()
        configuration.certificateAuthorities = server.certificate.path
        useClient(configuration)
        for number in 1...8 {
            let response = try download(server.url).get()
            XCTAssertEqual(response.metrics.isConnectionReused, number > 1)
            XCTAssertEqual(response.body, Data("next".utf8))
        }
    }

    func testNothingIsWrongAtAHostThatWasSeenToLeaveASecondAnswer() throws {
        let good = Data("good".utf8)
        for number in 0..<20 { server.serve(Data("photo \(number)".utf8), at: "/photo/\(number)") }
        for delay in [2, 50] {
            useClient(.init())
            XCTAssertEqual(try download(server.url(.junkAfter, query: "ms=\(delay)")).get().body, good)
            letLateBytesCome()
            let before = server.connectionCount
            let pairs = (0..<20).flatMap { number in
                [("/junk-after?ms=\(delay)", good), ("/photo/\(number)", Data("photo \(number)".utf8))]
            }
            XCTAssertEqual(wrongOnes(pairs.map { (path: $0.0, body: $0.1) }), [])
            XCTAssertEqual(server.connectionCount - before, 40, "\(delay)")
        }
    }

    func testAHostThatSendsMoreTogetherWithAnAnswerIsKnown() throws {
        XCTAssertEqual(try download(server.url(.excess)).get().body, Data("good".utf8))
        let before = server.connectionCount
        for _ in 1...3 { XCTAssertEqual(try download(server.url("/ok")).get().body, FaultServer.okBody) }
        XCTAssertEqual(server.connectionCount - before, 3)
    }

    /// Nobody can tell that such an answer is wrong; but the right one behind it shows that the host cannot be trusted
    /// with a connection for more than one answer.
    func testAHostThatSentMoreThanItWasAskedForGetsAConnectionForEachRequest() throws {
        XCTAssertEqual(try download(server.url(.wrongFirst)).get().body, Data("good".utf8))
        XCTAssertEqual(try download(server.url("/ok")).get().body, Data("wrong".utf8))
        XCTAssertTrue(server.waitForAnswers("/ok"))
        for _ in 1...2 { XCTAssertEqual(try download(server.url("/ok")).get().body, FaultServer.okBody) }
        let before = server.connectionCount
        for _ in 1...6 { XCTAssertEqual(try download(server.url("/ok")).get().body, FaultServer.okBody) }
        XCTAssertEqual(server.connectionCount - before, 6)
        // Others keep theirs.
        let other = try FaultServer()
        defer { other.stop() }
        for _ in 1...3 { XCTAssertNil(failure(other.url("/ok"))) }
        XCTAssertEqual(other.connectionCount, 1)
    }
}
