import Foundation
import XCTest

@testable import Transfers

final class StoreSettingsTests: XCTestCase {
    private var folder: URL!

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID())")
        try FileManager.default.createDirectory(at: folder.appending(path: ".aws"), withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

    private func settings(_ variables: [String: String]) throws -> StoreSettings {
        var variables = variables
        variables["HOME"] = folder.path
        return try StoreSettings { [variables] in variables[$0] }
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: ".aws/\(name)"))
    }

    func testVariablesCountBeforeFiles() throws {
        try write("credentials", "[default]\naws_access_key_id = file\naws_secret_access_key = hidden\n")
        let keys = ["AWS_ACCESS_KEY_ID": "mine", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "t"]
        XCTAssertEqual(
            try settings(keys).credentials, StoreCredentials(accessKey: "mine", secretKey: "s", sessionToken: "t"))
        XCTAssertEqual(try settings([:]).credentials, StoreCredentials(accessKey: "file", secretKey: "hidden"))
        XCTAssertEqual(try settings(keys).region, "us-east-1")
        XCTAssertNil(try settings(keys).endpoint)
    }

    func testProfilesAreReadAsAWSToolsReadThem() throws {
        try write(
            "credentials",
            """
            # keys
            [default]
            aws_access_key_id=one
            aws_secret_access_key=two
            [work]
            aws_access_key_id = three ; mine
            aws_secret_access_key = four=five/six+
            aws_session_token = seven
            """)
        try write(
            "config",
            """
            [default]
            region = eu-central-1
            s3 =
                max_concurrent_requests = 20
                region = nowhere
            [profile work]
            region = eu-west-3
            endpoint_url = http://127.0.0.1:9000/
            """)
        let work = try settings(["AWS_PROFILE": "work"])
        XCTAssertEqual(
            work.credentials, StoreCredentials(accessKey: "three", secretKey: "four=five/six+", sessionToken: "seven"))
        XCTAssertEqual(work.region, "eu-west-3")
        XCTAssertEqual(work.endpoint, "http://127.0.0.1:9000")
        XCTAssertEqual(try settings([:]).region, "eu-central-1")
        XCTAssertEqual(try settings(["AWS_REGION": "r1", "AWS_DEFAULT_REGION": "r2"]).region, "r1")
        XCTAssertEqual(
            try settings(["AWS_ENDPOINT_URL_S3": "https://a.example", "AWS_ENDPOINT_URL": "https://b.example"])
                .endpoint,
            "https://a.example")
    }

    func testWhatIsMissingOrWrongIsSaidWithoutSecrets() throws {
        let keys = ["AWS_ACCESS_KEY_ID": "mine", "AWS_SECRET_ACCESS_KEY": "5ecret"]
        let cases: [([String: String], String)] = [
            ([:], "AWS_ACCESS_KEY_ID"), (["AWS_PROFILE": "work"], "profile work"),
            (keys.merging(["AWS_ENDPOINT_URL": "http://me:5ecret@127.0.0.1"]) { $1 }, "AWS_ENDPOINT_URL"),
            (keys.merging(["AWS_ENDPOINT_URL": "ftp://127.0.0.1"]) { $1 }, "AWS_ENDPOINT_URL"),
            (keys.merging(["AWS_ENDPOINT_URL": "127.0.0.1:9000"]) { $1 }, "AWS_ENDPOINT_URL"),
            (["AWS_ACCESS_KEY_ID": "mine", "AWS_SECRET_ACCESS_KEY": "5ecret\r\nx: y"], "line break"),
            (keys.merging(["AWS_MAX_ATTEMPTS": "0"]) { $1 }, "AWS_MAX_ATTEMPTS"),
        ]
        for (variables, part) in cases {
            XCTAssertThrowsError(try settings(variables), part) { error in
                XCTAssertEqual((error as? StoreError)?.kind, .configuration)
                XCTAssert("\(error)".contains(part), "\(error)")
                XCTAssertFalse("\(error)".contains("5ecret"), "\(error)")
            }
        }
        var text = ""
        try dump(settings(keys), to: &text)
        XCTAssertFalse((text + "\(try settings(keys))").contains("5ecret"), text)
    }

    func testAmazonsStoresAreInTheDomainOfTheirRegion() throws {
        let hosts = [
            "us-east-1": "s3.amazonaws.com",
            "eu-central-1": "s3.eu-central-1.amazonaws.com",
            "us-gov-west-1": "s3.us-gov-west-1.amazonaws.com",
            "cn-north-1": "s3.cn-north-1.amazonaws.com.cn",
            "cn-northwest-1": "s3.cn-northwest-1.amazonaws.com.cn",
            "eusc-de-east-1": "s3.eusc-de-east-1.amazonaws.eu",
            "us-iso-east-1": "s3.us-iso-east-1.c2s.ic.gov",
            "us-isob-east-1": "s3.us-isob-east-1.sc2s.sgov.gov",
            "us-isof-south-1": "s3.us-isof-south-1.csp.hci.ic.gov",
            "eu-isoe-west-1": "s3.eu-isoe-west-1.cloud.adc-e.uk",
        ]
        let keys = ["AWS_ACCESS_KEY_ID": "mine", "AWS_SECRET_ACCESS_KEY": "s"]
        for (region, host) in hosts {
            XCTAssertEqual(try settings(keys.merging(["AWS_REGION": region]) { $1 }).amazonHost, host)
        }
    }

    func testPlacesInStores() throws {
        XCTAssertEqual(try StoreLocation("s3://photos").key("done"), "done")
        let place = try StoreLocation("s3://photos/a b/ü/")
        XCTAssertEqual(place.key("done/1.json"), "a b/ü/done/1.json")
        XCTAssertEqual(place.description, "s3://photos/a b/ü")
        for text in [
            "s3://", "s3://ab", "s3://Photos", "s3:///x", "s3://photos//x", "s3://photos/../x", "s3://photos/a\nb",
            "/photos",
        ] {
            XCTAssertThrowsError(try StoreLocation(text), text)
        }
    }
}
