import Foundation
import OperationsCore
import TestServers
import XCTest

@testable import Transfers

/// An object store that fails on request, and how it is asked.
class StoreTestCase: XCTestCase {
    private(set) var server: StoreServer!

    override func setUpWithError() throws { server = try StoreServer() }

    override func tearDown() {
        server.stop()
        server = nil
    }

    static let secret = "5ecretKey"

    func store(
        bucket: String = StoreServer.bucket, _ change: (inout StoreSettings) -> Void = { _ in }
    ) -> ObjectStore {
        var settings = StoreSettings(
            endpoint: server.endpoint,
            credentials: StoreCredentials(accessKey: "who", secretKey: Self.secret, sessionToken: "5ecretToken"))
        settings.backoff = Backoff(initial: .milliseconds(1), maximum: .milliseconds(2))
        settings.attempts = 3
        change(&settings)
        return ObjectStore(bucket: bucket, settings)
    }

    func failure(_ body: () throws -> some Any) -> StoreError? {
        do {
            _ = try body()
            return nil
        } catch {
            XCTAssert(error is StoreError, "\(error)")
            let text = "\(error)"
            XCTAssertFalse(text.contains("5ecret") || text.contains("secret words") || text.contains("who"), text)
            return error as? StoreError
        }
    }
}
