import Foundation
import XCTest

/// How many bytes of this process are in memory.
func residentBytes() throws -> Int {
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return try XCTUnwrap(fields.count > 1 ? Int(fields[1]) : nil) * Int(sysconf(Int32(_SC_PAGESIZE)))
}
