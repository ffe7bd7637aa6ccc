import TestServers
import XCTest

/// A program that ends while transfers and caches are at work.
final class ProcessEndTests: XCTestCase {
    /// libcrypto would let go of what threads digest with.
    func testAProgramMayEndAmidDigests() throws {
        for _ in 0..<5 {
            let child = try ChildProcess("transfer-child", ["end", "digests", "0"])
            XCTAssertEqual(child.waitForEnd(), [])
            XCTAssertEqual(child.status, 0)
        }
    }
}
