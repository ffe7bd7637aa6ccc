import Foundation
import OperationsCore
import TestServers
import XCTest

@testable import Transfers

/// Answers of object stores that say that all is well, and do not mean it.
final class StoreAnswerTests: StoreTestCase {
    private static let large = 6_000_000_000

    /// The status is sent before the store knows.
    func testACopyThatFailsAfterItWasSaidToSucceedIsTriedAgain() throws {
        server.set("key", Data("body".utf8))
        for body in ["<Error><Code>InternalError</Code></Error>", "", "<CopyObjectResult>"] {
            server.fail(.init("PUT /bucket/copy", status: 200, body: body))
            try store().copy("key", to: "copy", size: 4, digest: nil)
            XCTAssertEqual(server.objects["copy"], Data("body".utf8), body)
            server.set("copy", nil)
            server.fail(.init("PUT /bucket/copy?partNumber=2", status: 200, body: body))
            try store().copy("key", to: "copy", size: Self.large, digest: nil)
            XCTAssertNotNil(server.objects["copy"], body)
            server.set("copy", nil)
        }
        server.fail(.init("PUT /bucket/copy", status: 200, times: 3, body: ""))
        XCTAssertEqual(failure { try store().copy("key", to: "copy", size: 4, digest: nil) }?.kind, .unavailable)
        server.fail(
            .init("PUT /bucket/copy", status: 200, body: "<Error><Code>InvalidAccessKeyId</Code></Error>"))
        XCTAssertEqual(failure { try store().copy("key", to: "copy", size: 4, digest: nil) }?.kind, .credentials)
    }

    func testAnEndOfPartsThatNobodyConfirmsIsTriedAgain() throws {
        server.set("key", Data("body".utf8))
        server.fail(.init("POST /bucket/copy?uploadId", status: 200, body: ""))
        try store().copy("key", to: "copy", size: Self.large, digest: nil)
        XCTAssertNotNil(server.objects["copy"])
    }

    /// A portal, or the port of a store's console: that passes with no waiting.
    func testWhatIsNoAnswerOfAStoresIsAskedForOnce() {
        let bodies = [
            "<html><body>Sign in</body></html>", " <!DOCTYPE html><html><br></html>", "<HTML><p>", "{\"console\":1}",
            "<a/>",
        ]
        for (number, body) in bodies.enumerated() {
            server.clearFaults()
            server.fail(.init("GET", status: 200, times: 9, body: body))
            let error = failure { try store().items("") }
            XCTAssertEqual(error?.kind, .answer, body)
            XCTAssert(error?.description.contains("AWS_ENDPOINT_URL") ?? false, "\(error as Any)")
            XCTAssertEqual(server.heads.count, number + 1)
        }
        for body in ["", " ", "<", "<ListBucketResult>", "<?xml version=\"1.0\"?>"] {
            server.clearFaults()
            server.fail(.init("GET", status: 200, times: 1, body: body))
            XCTAssertNil(failure { try store().items("") }, body)
        }
    }

    /// Each one that the store has begun keeps its parts, also where nobody knows its name.
    func testAnUploadWhoseNameDoesNotComeIsNotBegunAgain() {
        for (number, body) in ["", "<InitiateMultipartUploadResult>"].enumerated() {
            server.clearFaults()
            server.fail(.init("POST /bucket/copy?uploads", status: 200, times: 3, body: body))
            XCTAssertEqual(
                failure { try store().copy("key", to: "copy", size: Self.large, digest: nil) }?.kind, .answer)
            XCTAssertEqual(server.heads.count, number + 1)
        }
    }

    /// What is missing would pass for what is not there.
    func testAListWhoseRestNobodyFindsIsNone() {
        func page(_ token: String) -> String {
            "<ListBucketResult><IsTruncated>true</IsTruncated>\(token)<Contents><Key>a</Key></Contents></ListBucketResult>"
        }
        for token in ["", "<NextContinuationToken>same</NextContinuationToken>"] {
            server.clearFaults()
            server.fail(.init("GET", status: 200, times: 99, body: page(token)))
            XCTAssertEqual(failure { try store().items("") }?.kind, .answer, token)
            XCTAssertEqual(failure { try store().folders("") }?.kind, .answer, token)
        }
        server.clearFaults()
        server.fail(
            .init(
                "GET", status: 200,
                body: "<ListMultipartUploadsResult><IsTruncated>true</IsTruncated></ListMultipartUploadsResult>"))
        XCTAssertEqual(failure { try store().uploads("") }?.kind, .answer)
    }

    func testKeysAreTakenAsTheyAreWhereTheStoreHasNotEscapedThem() throws {
        let keys = "<Contents><Key>a+b%20c</Key></Contents>"
        server.fail(
            .init("GET", status: 200, body: "<ListBucketResult>\(keys)</ListBucketResult>"),
            .init(
                "GET", status: 200,
                body: "<ListBucketResult><EncodingType>url</EncodingType>\(keys)</ListBucketResult>"))
        XCTAssertEqual(try store().items("").map(\.key), ["a+b%20c"])
        XCTAssertEqual(try store().items("").map(\.key), ["a b c"])
    }

    /// Ceph's gateway escapes them without saying so, and names the next page in clear.
    func testUploadsKeepTheirKeys() throws {
        let key = "in/a b+c%20d"
        server.beginUpload(key)
        XCTAssertEqual(try store().uploads("in/").map(\.key), [key])
        server.fail(
            .init(
                "GET", status: 200,
                body: "<ListMultipartUploadsResult><IsTruncated>true</IsTruncated><NextKeyMarker>\(key)</NextKeyMarker>"
                    + "<NextUploadIdMarker>1</NextUploadIdMarker></ListMultipartUploadsResult>"))
        XCTAssertEqual(try store().uploads("in/").count, 1)
        let line = try XCTUnwrap(server.heads.last?.split(separator: "\r\n").first)
        XCTAssert(line.contains("key-marker=in%2Fa%20b%2Bc%2520d&"), "\(line)")
    }

    func testWhatIsNotTheRestIsNotTaken() throws {
        let (first, rest) = (String(repeating: "a", count: 100), String(repeating: "b", count: 60))
        let tag = ["ETag": "\"1\""]
        let begin = StoreServer.Fault("GET /bucket/key", status: 200, cutAt: 40, headers: tag, body: first)
        func read() throws -> String {
            var read = Data()
            _ = try store().read("key") {
                read.append(contentsOf: $0)
                return true
            }
            return String(decoding: read, as: UTF8.self)
        }
        func answer(_ headers: [String: String]) -> StoreServer.Fault {
            .init("GET /bucket/key", status: 206, headers: headers, body: rest)
        }
        server.fail(begin, answer(tag.merging(["Content-Range": "bytes 40-99/100"]) { $1 }))
        XCTAssertEqual(try read(), first.prefix(40) + rest)
        for headers in [
            tag, ["Content-Range": "bytes 0-59/100"], ["Content-Range": "bytes 40-98/100"],
            ["Content-Range": "bytes 40-99/100", "ETag": "\"2\""],
        ] {
            server.fail(begin, answer(headers))
            XCTAssertEqual(failure { try read() }?.kind, .answer, "\(headers)")
        }
        // Of an object without a tag nobody knows whether it is still the same.
        var nameless = begin
        nameless.headers = [:]
        server.clearFaults()
        server.fail(nameless, answer(["Content-Range": "bytes 40-99/100"]))
        XCTAssertEqual(failure { try read() }?.kind, .answer)
    }

    /// Who was asked to end has half a minute, and a store that does not answer takes a minute to be given up.
    func testWhoGivesUpDoesNotWaitLongForPartsToBeRemoved() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "parts-\(UUID())")
        try Data(count: 60_000).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let store = store {
            $0.partSize = 30_000
            $0.leave = .milliseconds(100)
        }
        server.fail(.init("DELETE", isSilent: true))
        let isGivenUp = Lock(false)
        server.fail(.init("PUT", status: 403, code: "AccessDenied", times: 9))
        let began = ContinuousClock.now
        let error = failure {
            try store.put("key", file: file.path, size: 60_000, digest: "") { [server] in
                isGivenUp.withLock { isGivenUp in
                    isGivenUp = isGivenUp || server?.heads.contains { $0.hasPrefix("DELETE") } ?? false
                    return isGivenUp
                }
            }
        }
        XCTAssertEqual(error?.kind, .credentials)
        XCTAssertLessThan(ContinuousClock.now - began, .seconds(30))
    }
}
