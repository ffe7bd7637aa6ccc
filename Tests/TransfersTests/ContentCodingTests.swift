import Foundation
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

    func testCodings() {
        let known = ContentCodings(["gzip", " identity ,br"])
        XCTAssertTrue(known.isEncoded && !known.isUnknown)
        let plain = ContentCodings(["identity"])
        XCTAssertFalse(plain.isEncoded || plain.isUnknown)
        let mixed = ContentCodings(["gzip, aws-chunked"])
        XCTAssertTrue(mixed.isUnknown && !mixed.isEncoded)
    }
}
