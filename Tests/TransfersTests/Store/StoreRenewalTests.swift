import Foundation
import OperationsCore
import TestServers
import XCTest

@testable import Transfers

/// Credentials that expire, and that somebody else renews in the shared files.
final class StoreRenewalTests: StoreTestCase {
    func testCredentialsThatWereRenewedAreReadAgain() throws {
        let store = store { $0.reload = { StoreCredentials(accessKey: "renewed", secretKey: "5ecretToo") } }
        server.fail(.init("PUT", status: 400, code: "ExpiredToken"))
        try store.put("key", Data())
        XCTAssertEqual(server.heads.map { $0.contains("renewed/") }, [false, true])
        server.fail(.init("PUT", status: 400, code: "ExpiredToken"))
        XCTAssertEqual(failure { try store.put("key", Data()) }?.kind, .credentials)
    }

    /// Has all that is signed with the first keys be told that they have expired.
    private func expire() {
        server.fail(.init("", status: 400, code: "ExpiredToken", times: 99, holding: "Credential=who/"))
    }

    /// While the first request reads the file, the second one, which failed as well, has read it already.
    func testRequestsThatExpireTogetherAllGoOn() throws {
        expire()
        let (other, isAsked) = (Lock(ObjectStore?.none), Lock(false))
        let store = store {
            $0.reload = {
                let isFirst = isAsked.withLock { isAsked in
                    defer { isAsked = true }
                    return !isAsked
                }
                if isFirst { try? other.withLock { $0 }?.put("second", Data()) }
                return StoreCredentials(accessKey: "renewed", secretKey: "5ecretToo")
            }
        }
        other.withLock { $0 = store }
        try store.put("first", Data())
        XCTAssertEqual(server.objects.keys.sorted(), ["first", "second"])
        XCTAssertEqual(server.heads.map { $0.contains("renewed/") }, [false, false, true, true])
        other.withLock { $0 = nil }
    }

    /// The first request has read the file before it was renewed, the second one reads it afterwards and is done earlier.
    func testKeysThatWereReadBeforeTheRenewalReplaceNone() throws {
        expire()
        let (other, isAsked) = (Lock(ObjectStore?.none), Lock(false))
        let store = store { settings in
            let expired = settings.credentials
            settings.reload = {
                let isFirst = isAsked.withLock { isAsked in
                    defer { isAsked = true }
                    return !isAsked
                }
                guard isFirst else { return StoreCredentials(accessKey: "renewed", secretKey: "5ecretToo") }
                try? other.withLock { $0 }?.put("second", Data())
                return expired
            }
        }
        other.withLock { $0 = store }
        XCTAssertNoThrow(try store.put("first", Data()))
        XCTAssertEqual(server.objects.keys.sorted(), ["first", "second"])
        XCTAssertEqual(server.heads.map { $0.contains("renewed/") }, [false, false, true, true])
        other.withLock { $0 = nil }
    }

    /// The answer to HEAD does not say that they have.
    func testFactsAreRightAfterARenewal() throws {
        server.set("key", Data("body".utf8))
        server.set("empty", Data())
        expire()
        func renewing() -> ObjectStore {
            store { $0.reload = { StoreCredentials(accessKey: "renewed", secretKey: "5ecretToo") } }
        }
        XCTAssertEqual(try renewing().facts("key")?.size, 4)
        XCTAssertEqual(try renewing().facts("empty")?.size, 0)
        XCTAssertNil(try renewing().facts("none"))
        XCTAssertEqual(failure { try store().facts("key") }?.code, "ExpiredToken")
    }
}
