import Foundation
import ImageCodecs
import Operations
import PhotoPipeline
import XCTest

/// A drawing that takes long to load: it holds nobody up beyond the limit or after a cancel.
final class SlowDrawingTests: XCTestCase {
    private var file = URL(filePath: "/")

    override func setUpWithError() throws {
        let rules = 20_000
        let style = (0..<rules).map { ".a\($0) .b\($0) .c\($0){fill:#\(100 + $0 % 900)}" }.joined()
        let shapes = (0..<rules).map { "<rect class='c\($0) b\($0)' width='1' height='1'/>" }.joined()
        file = FileManager.default.temporaryDirectory.appending(path: "slow-\(UUID()).svg")
        try Data(
            "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><style>\(style)</style>\(shapes)</svg>".utf8
        )
        .write(to: file)
    }

    override func tearDown() {
        try? FileManager.default.removeItem(at: file)
    }

    private func pipeline(limit: Duration) -> PhotoPipeline {
        var configuration = PhotoPipeline.Configuration()
        configuration.decodeLimits.timeLimit = limit
        return PhotoPipeline(configuration: configuration)
    }

    private var request: ImageRequest { ImageRequest(address: file, longestSide: 8, allowsLocalFiles: true) }

    /// The helpers of this process, each with the seconds that it has computed for.
    private static func helpers() -> [pid_t: Double] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        var helpers: [pid_t: Double] = [:]
        for pid in names.compactMap({ pid_t($0) }) {
            let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
            let parts = text.split(separator: ")")
            let fields = parts.last?.split(separator: " ") ?? []
            guard parts.first?.hasSuffix("(photo-decoder") == true, fields.count > 13, fields[1] == "\(getpid())" else {
                continue
            }
            helpers[pid] = (Double(fields[11]) ?? 0) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
        return helpers
    }

    func testTheTimeLimitIsForAllOfIt() async throws {
        let before = Self.helpers()
        let pipeline = pipeline(limit: .seconds(3))
        let task = pipeline.imageTask(for: request)
        var seen: Set<pid_t> = []
        while pipeline.pending.count > 0 {
            for (helper, time) in Self.helpers() where time > (before[helper] ?? 0) + 0.2 { seen.insert(helper) }
            try await Task.sleep(for: .milliseconds(5))
        }
        let result = await task.result
        guard case .failure(let error) = result else { return XCTFail("it was quick: \(result)") }
        XCTAssertEqual(error.reason, .decodeTimeout)
        // One helper was at it and was ended, no second one.
        XCTAssertEqual(seen.count, 1)
    }

    func testACancelEndsItWhileItIsLoaded() async throws {
        let before = Self.helpers()
        let pipeline = pipeline(limit: .seconds(600))
        let task = pipeline.imageTask(for: request)
        let busy = ContinuousClock.now + .seconds(60)
        while !Self.helpers().contains(where: { $0.value > (before[$0.key] ?? 0) + 0.2 }) {
            guard .now < busy else { return XCTFail("no helper is at it") }
            try await Task.sleep(for: .milliseconds(5))
        }
        let start = ContinuousClock.now
        task.cancel()
        while pipeline.pending.count > 0 {
            guard .now < start + .seconds(20) else { return XCTFail("it went on for 20 s") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
