import Foundation
import Operations
import OperationsCore
import Synchronization
import TestServers
import XCTest

@testable import Transfers

/// Bodies that say they are encoded.
final class ContentCodingTests: DownloadTestCase {
    func testWhatNobodyCanDecodeIsTakenAsItIs() throws {
        for coding in [
            "aws-chunked", "binary", "utf-8", "UTF-8, binary", "8bit", "identity", "Identity, identity", "none", "",
        ] {
            server.serve(FaultServer.okBody, at: "/coded", headers: ["Content-Encoding": coding])
            XCTAssertEqual(try download(server.url("/coded")).get().body, FaultServer.okBody, coding)
        }
        // The same handle serves what is encoded again.
        let image = Data("a picture, or what stands for one".utf8)
        let bytes = try XCTUnwrap(
            Data(base64Encoded: "H4sIAAAAAAACA0tUKMhMLiktStVRyC9SKM9ILFEoLknMSylWSAPy8/NSARiohsEhAAAA"))
        for coding in ["gzip", "x-gzip", "identity, gzip", "GZIP, identity"] {
            server.serve(bytes, at: "/gzip", headers: ["Content-Encoding": coding])
            XCTAssertEqual(try download(server.url("/gzip")).get().body, image, coding)
        }
        XCTAssertEqual(failure(server.url(.badGzip))?.kind, "protocol")
    }

    func testItGoesOnWhereItWasCutOff() throws {
        let headers = ["Content-Encoding": "aws-chunked", "ETag": "\"1\""]
        server.serve(FaultScript(FaultServer.okBody, headers: headers, [.cut(after: 9_000), .answer]), at: "/coded")
        var request = DownloadRequest(url: server.url("/coded"), limits: .test)
        request.retry = .transfers(retries: 1)
        let operation = DownloadOperation(request, client: client)
        run([operation])
        XCTAssertEqual(try operation.result?.get().body, FaultServer.okBody)
        XCTAssertEqual(server.requestHeaders("Range", at: "/coded"), [nil, "bytes=9000-"])
    }

    /// A compressed body has an end of its own, whatever its length says.
    func testWhatEndsTooEarlyIsTruncated() throws {
        let rows = Data((0..<2_000).map { "row \($0 * 7_919 % 1_000)\n" }.joined().utf8)
        var bodies = try Packing.allCases.map { ($0.coding, rows, try $0.packed(rows)) }
        bodies.append(("br", Data("hello".utf8), Packing.brotliHello))
        for (coding, body, packed) in bodies {
            server.serve(packed, at: "/whole", headers: ["Content-Encoding": coding])
            XCTAssertEqual(try download(server.url("/whole")).get().body, body, coding)
            for count in [packed.count / 2, packed.count - 1] {
                server.serve(packed.prefix(count), at: "/cut", headers: ["Content-Encoding": coding])
                XCTAssertEqual(failure(server.url("/cut")), .truncated, "\(coding) \(count)")
            }
        }
        // The next one on the same connection is decoded from its beginning, and an empty one is empty.
        server.serve(try Packing.gzip.packed(rows), at: "/whole", headers: ["Content-Encoding": "gzip"])
        XCTAssertEqual(try download(server.url("/whole")).get().body, rows)
        server.serve(Data(), at: "/empty-gzip", headers: ["Content-Encoding": "gzip"])
        XCTAssertEqual(try download(server.url("/empty-gzip")).get().body, Data())
    }

    func testGzipOfSeveralMembersIsOneBody() throws {
        let hello = try Packing.gzip.packed(Data("hello".utf8))
        for rest in [Data(), Data(count: 700), Data("garbage".utf8)] {
            server.serve(hello + hello + rest, at: "/members", headers: ["Content-Encoding": "gzip"])
            XCTAssertEqual(try download(server.url("/members")).get().body, Data("hellohello".utf8))
        }
        server.serve(hello + hello.dropLast(), at: "/members", headers: ["Content-Encoding": "gzip"])
        XCTAssertEqual(failure(server.url("/members")), .truncated)
    }

    /// What cannot be decoded does not get better.
    func testDamageIsNotTriedAgain() throws {
        var bytes = try Packing.gzip.packed(Data("hello".utf8))
        bytes[bytes.count - 6] ^= 0xFF
        server.serve(bytes, at: "/damaged", headers: ["Content-Encoding": "gzip"])
        var request = DownloadRequest(url: server.url("/damaged"), limits: .test)
        request.retry = .transfers(retries: 1)
        let operation = DownloadOperation(request, client: client)
        run([operation])
        XCTAssertEqual(operation.result?.error?.kind, "protocol")
        XCTAssertEqual(operation.failedAttempts.count, 1)
        // Nor is what is coded without end.
        let codings = Array(repeating: "gzip", count: 4).joined(separator: ", ")
        server.serve(bytes, at: "/deep", headers: ["Content-Encoding": codings])
        XCTAssertEqual(failure(server.url("/deep"))?.kind, "protocol")
    }

    func testWhatIsDecodedIsAskedFor() throws {
        for header in [nil, "Accept"] {
            var request = DownloadRequest(url: server.url("/ok"), limits: .test)
            if let header { request.headers = try RequestHeaders([header: "image/webp"]) }
            run([DownloadOperation(request, client: client)])
            run([operation(server.url("/ok"))])
        }
        XCTAssertEqual(
            server.requestHeaders("Accept-Encoding", at: "/ok"), Array(repeating: "gzip, deflate, br, zstd", count: 4))
    }

    /// A single piece of the connection becomes many, each of which is asked for.
    func testLittleThatBecomesMuchIsHeldBackAmidIt() throws {
        let much = Data(count: 900_000)
        for packing in [Packing.gzip, .zstd] {
            server.serve(try packing.packed(much), at: "/much", headers: ["Content-Encoding": packing.coding])
            let flow = EveryOther()
            let operation = operation(server.url("/much"), flow: flow)
            flow.run(operation, in: queue)
            XCTAssertEqual(try operation.result?.get().body, much, packing.rawValue)
            XCTAssertGreaterThan(flow.count.load(ordering: .relaxed), 20)
            XCTAssertEqual(failure(server.url("/much"), .limits(bytes: 899_999)), .tooLarge(limit: 899_999))
        }
    }

    /// A few bytes whose codings make terabytes between them cost their own transfer alone.
    func testABombBetweenCodingsHoldsNobodyUp() throws {
        server.serve(try Packing.bomb(1 << 27), at: "/bomb", headers: ["Content-Encoding": "gzip, zstd, zstd"])
        let bomb = operation(server.url("/bomb"), .limits(bytes: 1_000_000))
        let other = operation(server.url("/ok"))
        run([bomb, other])
        XCTAssertEqual(bomb.result?.error, .tooLarge(limit: 1_000_000))
        XCTAssertEqual(bomb.result?.error?.kind, "too-large")
        XCTAssertEqual(try other.result?.get().body, FaultServer.okBody)
        XCTAssertEqual(try download(server.url("/ok")).get().body, FaultServer.okBody)
    }

    func testTheWindowOfZstdIsLimited() throws {
        let headers = ["Content-Encoding": "zstd"]
        server.serve(Packing.zstdFrame(windowLog: 23), at: "/window", headers: headers)
        XCTAssertEqual(try download(server.url("/window")).get().body, Data("hello".utf8))
        server.serve(Packing.zstdFrame(windowLog: 27), at: "/window", headers: headers)
        XCTAssertEqual(failure(server.url("/window"))?.kind, "protocol")
    }

    func testCodings() {
        let known = ContentCodings(["gzip", " identity ,br"])
        XCTAssertTrue(known.isEncoded && !known.isUnknown)
        XCTAssertEqual(known.codings, [.gzip, .br])
        XCTAssertEqual(ContentCodings(["X-Gzip", "zstd, deflate"]).codings, [.gzip, .zstd, .deflate])
        XCTAssertNil(ContentCodings(Array(repeating: "gzip", count: 3)).fault)
        XCTAssertNotNil(ContentCodings(Array(repeating: "gzip", count: 4)).fault)
        let plain = ContentCodings(["identity"])
        XCTAssertFalse(plain.isEncoded || plain.isUnknown)
        let mixed = ContentCodings(["gzip, aws-chunked"])
        XCTAssertTrue(mixed.isUnknown && !mixed.isEncoded)
    }
}
