import Foundation
import Operations
import XCTest

@testable import PhotoDevelopment

/// The file with a run's timeline.
final class TraceFileTests: XCTestCase {
    private let path = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID()).json").path

    override func tearDown() {
        try? FileManager.default.removeItem(atPath: path)
    }

    private func names() throws -> [String] {
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path))) as? [String: Any]
        let events = try XCTUnwrap(object?["traceEvents"] as? [[String: Any]])
        return events.filter { ["X", "b"].contains($0["ph"] as? String) }.compactMap { $0["name"] as? String }
    }

    func testNothingThatHasFinishedIsMissing() async throws {
        for round in 0..<50 {
            let queues = [OperationQueue(), OperationQueue()]
            let trace = try TraceFile(path: path, of: queues)
            var operations: [Operation] = []
            for index in 0..<40 {
                let operation = BlockOperation {}
                operation.name = "\(index)"
                operations.append(operation)
                queues[index % 2].addOperation(operation)
            }
            for operation in operations { await operation.untilFinished() }
            try trace.finish()
            XCTAssertEqual(try names().sorted(), (0..<40).map(String.init).sorted(), "round \(round)")
        }
    }

    func testAPathThatCannotBeWrittenIsFoundAtOnce() {
        XCTAssertThrowsError(try TraceFile(path: path + "/no/such", of: [])) { error in
            guard case DevelopmentError.traceUnusable(path + "/no/such", _) = error else { return XCTFail("\(error)") }
        }
    }
}
