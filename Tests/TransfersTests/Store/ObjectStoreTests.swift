import Foundation
import OperationsCore
import TestServers
import XCTest

@testable import Transfers

/// Object stores that do as they should, and others.
final class ObjectStoreTests: StoreTestCase {
    /// Waiting does not make it better: it is asked once, and what has to be set is said.
    func testAServerThatNobodyVouchesForIsAMatterOfSettings() throws {
        let other = try LeftoverTLSServer(answers: [])
        defer { other.stop() }
        let endpoint = String(other.url.absoluteString.dropLast())
        let own = store { $0.endpoint = endpoint }
        let unknown = failure { try own.read("a", limit: 1) }
        XCTAssertEqual(unknown?.kind, .configuration)
        let words = unknown.map { "\($0)" } ?? ""
        XCTAssertTrue(words.hasPrefix("\(endpoint) cannot prove its identity; AWS_CA_BUNDLE names"), words)
        let missing = store {
            $0.endpoint = endpoint
            $0.certificateAuthorities = "/nowhere/authorities.pem"
        }
        XCTAssertEqual(failure { try missing.read("a", limit: 1) }?.kind, .configuration)
        // Nobody listens where the server was.
        other.stop()
        let away = failure { try own.read("a", limit: 1) }
        XCTAssertEqual(away?.kind, .unavailable)
        XCTAssertTrue(away.map { "\($0)" }?.contains("cannot be reached: Failed to connect") ?? false, "\(away as Any)")
    }

    func testObjectsArePutReadListedCopiedAndRemoved() throws {
        let store = store()
        server.setPageSize(2)
        let names = ["a b+c&d", "ü/1", "x=y", "z", "ü/2"]
        for name in names { try store.put("in/" + name, Data(name.utf8), digest: "sum") }
        XCTAssertEqual(try names.map { try store.read("in/" + $0, limit: 100) }, names.map { Data($0.utf8) })
        XCTAssertEqual(try store.items("in/", isFlat: false).map(\.key).sorted(), names.map { "in/" + $0 }.sorted())
        XCTAssertEqual(try store.items("in/").map(\.key).sorted(), ["in/a b+c&d", "in/x=y", "in/z"])
        XCTAssertEqual(try store.folders("in/"), ["ü"])
        XCTAssertEqual(try store.facts("in/z")?.size, 1)
        XCTAssertEqual(try store.facts("in/z")?.digest, "sum")
        try store.copy("in/a b+c&d", to: "out", size: 7, digest: "sum")
        XCTAssertEqual(try store.read("out", limit: 100), Data("a b+c&d".utf8))
        try store.remove("out")
        XCTAssertNil(try store.read("out", limit: 100))
        XCTAssertNil(try store.facts("out"))
        XCTAssertEqual(failure { try store.read("in/ü/1", limit: 2) }?.kind, .answer)
    }

    func testOfManyWhoMakeAnObjectOneSucceeds() throws {
        let store = store()
        let made = try Lanes.map(20, lanes: 8) { (number) throws(StoreError) in
            try store.create("done/1", Data("\(number)".utf8))
        }
        XCTAssertEqual(made.filter { $0 }.count, 1)
        XCTAssertEqual(server.objects["done/1"], Data("\(try XCTUnwrap(made.firstIndex(of: true)))".utf8))
    }

    /// Which attempt has made it is then seen by what is there.
    func testAnAnswerThatIsLostIsNoSuccess() throws {
        server.fail(.init("PUT /bucket/done", losesAnswer: true))
        XCTAssertFalse(try store().create("done", Data("mine".utf8)))
        XCTAssertEqual(server.objects["done"], Data("mine".utf8))
    }

    func testWhatMayPassIsTriedAgain() throws {
        for (status, code) in [
            (503, "SlowDown"), (500, "InternalError"), (409, "OperationAborted"), (429, ""), (307, "TemporaryRedirect"),
        ] {
            server.fail(.init("PUT /bucket/key", status: status, code: code, times: 2))
            try store().put("key", Data())
            server.fail(.init("PUT /bucket/key", status: status, code: code, times: 3))
            XCTAssertEqual(failure { try store().put("key", Data()) }?.kind, .unavailable, code)
        }
        server.fail(.init("GET /bucket/key", losesAnswer: true))
        XCTAssertEqual(try store().read("key", limit: 10), Data())
        let closed = try StoreServer()
        closed.stop()
        let away = failure { try self.store { $0.endpoint = closed.endpoint }.put("key", Data()) }
        XCTAssertEqual(away?.kind, .unavailable)
        XCTAssert("\(try XCTUnwrap(away))".contains(closed.endpoint))
    }

    func testAfterALostConnectionTheRestIsRead() throws {
        let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 4) })
        server.set("key", bytes)
        server.fail(.init("GET /bucket/key", cutAt: 50_000), .init("GET /bucket/key", cutAt: 70_000))
        var read = Data()
        let isThere = try store().read("key") {
            read.append(contentsOf: $0)
            return true
        }
        XCTAssertTrue(isThere)
        XCTAssertEqual(read, bytes)
        XCTAssertEqual(
            server.heads.map { head in head.firstMatch(of: /(?i)\r\nrange: (.*)\r\n/).map { String($0.1) } },
            [nil, "bytes=50000-", "bytes=120000-"])
    }

    func testTheRestOfAnotherObjectIsNotTaken() throws {
        for isGone in [false, true] {
            server.set("key", Data(repeating: 1, count: 200_000))
            server.fail(.init("GET /bucket/key", cutAt: 50_000))
            let error = failure {
                try store().read("key") { [server] _ in
                    server?.set("key", isGone ? nil : Data(repeating: 2, count: 200_000))
                    return true
                }
            }
            XCTAssertEqual(error?.kind, .answer)
            XCTAssertEqual(error.map { "\($0)".contains("changed") }, true, "\(String(describing: error))")
        }
    }

    func testErrorsSayWhatToDo() throws {
        let cases: [(Int, String, StoreError.Kind, String)] = [
            (403, "SignatureDoesNotMatch", .credentials, "AWS_SECRET_ACCESS_KEY"),
            (403, "InvalidAccessKeyId", .credentials, "does not know"), (403, "AccessDenied", .credentials, "bucket"),
            (400, "ExpiredToken", .credentials, "expired"), (403, "QuotaExceeded", .full, "full"),
            (507, "XMinioStorageFull", .full, "full"), (404, "NoSuchBucket", .noBucket, "bucket"),
            (301, "PermanentRedirect", .configuration, "eu-west-3"), (400, "Odd<Code", .answer, "HTTP 400"),
        ]
        for (status, code, kind, part) in cases {
            for method in ["PUT", "GET"] {
                server.fail(.init(method, status: status, code: code, headers: ["x-amz-bucket-region": "eu-west-3"]))
                let error = try XCTUnwrap(
                    failure {
                        if method == "PUT" {
                            try store().put("key", Data())
                        } else {
                            _ = try store().read("key", limit: 10)
                        }
                    })
                XCTAssertEqual(error.kind, kind, code)
                XCTAssert("\(error)".contains(part), "\(error)")
                if !code.contains("<") { XCTAssert("\(error)".contains("(\(code))"), "\(error)") }
            }
        }
        XCTAssertEqual(failure { try store(bucket: "elsewhere").put("key", Data()) }?.kind, .noBucket)
        // The answer to HEAD has no code.
        server.fail(.init("HEAD", status: 403), .init("GET", status: 403, code: "InvalidAccessKeyId"))
        XCTAssertEqual(failure { try store().facts("key") }?.code, "InvalidAccessKeyId")
    }

    func testAClockThatIsWrongIsNamed() throws {
        for (date, part) in [
            ("Mon, 01 Jan 2001 00:00:00 GMT", "ahead of"), ("Fri, 01 Jan 2100 00:00:00 GMT", "behind"),
        ] {
            server.fail(.init("PUT", status: 403, code: "RequestTimeTooSkewed", headers: ["Date": date]))
            let error = try XCTUnwrap(failure { try store().put("key", Data()) })
            XCTAssertEqual(error.kind, .clock)
            XCTAssert("\(error)".contains(part) && "\(error)".contains("hours"), "\(error)")
        }
    }

    func testStoresWithoutConditionsAreRefused() {
        for (status, code) in [(501, "NotImplemented"), (400, "InvalidArgument")] {
            server.fail(.init("PUT", status: status, code: code))
            XCTAssertEqual(failure { try store().create("key", Data()) }, ObjectStore.noConditions)
        }
    }

    func testLargeFilesArePutInPartsAndNoPartIsLeft() throws {
        let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 4) })
        let file = FileManager.default.temporaryDirectory.appending(path: "parts-\(UUID())")
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let store = store { $0.partSize = 30_000 }
        let digest = SHA256.hexDigest(of: bytes)
        func put(isCancelled: @escaping @Sendable () -> Bool = { false }) throws {
            try store.put("data/1.tar", file: file.path, size: bytes.count, digest: digest, isCancelled: isCancelled)
        }
        server.fail(.init("PUT /bucket/data/1.tar?partNumber=2", status: 503, code: "SlowDown"))
        try put()
        XCTAssertEqual(server.objects["data/1.tar"], bytes)
        XCTAssertEqual(try store.facts("data/1.tar")?.digest, digest)
        var read = Data()
        XCTAssertTrue(
            try store.read("data/1.tar") {
                read.append(contentsOf: $0)
                return true
            })
        XCTAssertEqual(read, bytes)
        // The answer to the end is lost.
        server.fail(.init("POST /bucket/data/1.tar?uploadId", losesAnswer: true))
        try put()
        XCTAssertEqual(server.uploadCount, 0)
        server.set("data/1.tar", nil)
        server.fail(.init("PUT /bucket/data/1.tar?partNumber=3", status: 403, code: "QuotaExceeded"))
        XCTAssertEqual(failure { try put() }?.kind, .full)
        server.fail(.init("POST /bucket/data/1.tar?uploadId", status: 503, code: "SlowDown", times: 3))
        XCTAssertEqual(failure { try put() }?.kind, .unavailable)
        XCTAssertEqual(failure { try put { true } }?.kind, .cancelled)
        XCTAssertEqual(server.objects, [:])
        XCTAssertEqual(server.uploadCount, 0)
    }

    func testSecretsAreNotSent() throws {
        try store().put("key", Data("body".utf8))
        let head = try XCTUnwrap(server.heads.last)
        XCTAssertFalse(head.contains(Self.secret))
        XCTAssert(head.contains("x-amz-security-token: 5ecretToken"))
        XCTAssert(head.contains("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token"), head)
    }
}
