import Foundation
import XCTest

/// Lets the main queue run until a condition is met.
@MainActor func waitUntil(
    _ what: String, file: StaticString = #filePath, line: UInt = #line, until isMet: () -> Bool
) {
    let end = Date(timeIntervalSinceNow: 60)
    while !isMet() {
        guard Date() < end else { return XCTFail("no \(what) after a minute", file: file, line: line) }
        RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.005))
    }
}
