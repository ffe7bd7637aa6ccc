import TestServers
import XCTest

@testable import Transfers

/// A process that has no free file descriptors for a while.
final class ShortageTests: DownloadTestCase {
    func testAClientThatWasMadeWithoutDescriptorsWorksOnceThereAreSome() throws {
        XCTAssertEqual(try run("client"), ["without room 1", "answered 3"])
    }

    func testAHostIsNotBlamedForALackOfDescriptors() throws {
        XCTAssertEqual(try run("host"), ["connections 8", "look-ups 8", "resting 0", "answered 1"])
    }

    func testALackOfDescriptorsPasses() throws { XCTAssertEqual(try run("retry"), ["answered 1"]) }

    func testALackOfDescriptorsForAFileThatIsSentPasses() throws {
        XCTAssertEqual(try run("upload"), ["answered 1"])
    }

    func testWhatIsNoShortage() {
        XCTAssertNil(Shortage(code: EACCES))
        XCTAssertNil(Shortage(code: 0))
        XCTAssertNotNil(Shortage(code: ENOBUFS))
    }

    /// What the child says of a run.
    private func run(_ name: String) throws -> [String] {
        let port = try XCTUnwrap(server.url("/ok").port)
        return try ChildProcess("transfer-child", ["shortage", name, "\(port)"]).waitForEnd()
    }
}
