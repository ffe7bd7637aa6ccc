import XCTest

@testable import Transfers

/// The examples that Amazon has published.
final class RequestSignatureTests: XCTestCase {
    private func signature(
        _ signature: RequestSignature, _ method: String, _ path: String, _ query: [(String, String)] = [],
        _ headers: [String: String], body: String = "", at moment: String
    ) -> String {
        let text = signature.authorization(
            method, path, query: query, headers: headers, bodyDigest: SHA256.hexDigest(of: Array(body.utf8)),
            at: RequestSignature.Moment(text: moment))
        return String(text.suffix(64))
    }

    /// From the test suite of Signature Version 4.
    func testTheExamplesOfTheSuite() {
        let signer = RequestSignature(
            credentials: StoreCredentials(
                accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
            region: "us-east-1", service: "service")
        let headers = ["host": "example.amazonaws.com", "x-amz-date": "20150830T123600Z"]
        let letters = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        let examples: [(String, String, [(String, String)], String)] = [
            ("GET", "/", [], "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
            ("POST", "/", [], "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
            (
                "GET", "/", [("Param2", "value2"), ("Param1", "value1")],
                "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
            ),
            ("GET", "/", [(letters, letters)], "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"),
            (
                "GET", "/" + RequestSignature.encoded("\u{1234}"), [],
                "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"
            ),
        ]
        for (method, path, query, expected) in examples {
            XCTAssertEqual(
                signature(signer, method, path, query, headers, at: "20150830T123600Z"), expected,
                "\(method) \(path) \(query)")
        }
    }

    /// From the documentation of S3.
    func testTheExamplesOfS3() {
        let signer = RequestSignature(
            credentials: StoreCredentials(
                accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
            region: "us-east-1")
        let moment = "20130524T000000Z"
        var headers = ["host": "examplebucket.s3.amazonaws.com", "x-amz-date": moment]
        headers["x-amz-content-sha256"] = SHA256.hexDigest(of: [UInt8]())
        XCTAssertEqual(
            signature(signer, "GET", "/test.txt", [], headers.merging(["range": "bytes=0-9"]) { $1 }, at: moment),
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
        XCTAssertEqual(
            signature(signer, "GET", "/", [("prefix", "J"), ("max-keys", "2")], headers, at: moment),
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
        XCTAssertEqual(
            signature(signer, "GET", "/", [("lifecycle", "")], headers, at: moment),
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
        let body = "Welcome to Amazon S3."
        headers["x-amz-content-sha256"] = SHA256.hexDigest(of: Array(body.utf8))
        headers["date"] = "Fri, 24 May 2013 00:00:00 GMT"
        headers["x-amz-storage-class"] = "REDUCED_REDUNDANCY"
        XCTAssertEqual(
            signature(
                signer, "PUT", "/" + RequestSignature.encoded("test$file.text", keepsSlashes: true), [], headers,
                body: body,
                at: moment),
            "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
    }

    func testMomentsAreWrittenAsSignaturesHaveThem() {
        XCTAssertEqual(RequestSignature.Moment(1_440_938_160).text, "20150830T123600Z")
        XCTAssertEqual(RequestSignature.Moment(0).text, "19700101T000000Z")
    }
}
