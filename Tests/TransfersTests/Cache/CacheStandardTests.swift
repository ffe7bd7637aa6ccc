import Foundation
import OperationsCore
import Testing

@testable import Transfers

/// The tests of http-tests/cache-tests for RFC 9111, where somebody has fetched them: `CACHE_TESTS` names their folder. They
/// are run as for the cache of a browser, and need Node.js.
///
/// What a test does with requests that this client does not make (other methods, byte ranges, conditions of one's own) is not
/// tested. All that fail are printed.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["CACHE_TESTS"] != nil)) struct CacheStandardTests {
    @Test func conformance() async throws {
        let suite = try #require(ProcessInfo.processInfo.environment["CACHE_TESTS"])
        let server = try CacheTestsServer(suite)
        defer { server.stop() }
        let tests = try await JSONDecoder().decode([CacheTest].self, from: server.get("tests"))
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-cache-tests-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let cache = DiskCache(folder: folder.path, limit: 64_000_000)
        let outcomes = await withTaskGroup { group in
            for test in tests {
                group.addTask { (test, await CacheTestRun(test: test, server: server, cache: cache).outcome()) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var counts: [String: [String: Int]] = [:]
        for (test, outcome) in outcomes.sorted(by: { $0.0.id < $1.0.id }) {
            let kind = test.kind ?? "required"
            counts[kind, default: [:]][outcome.name, default: 0] += 1
            if let reason = outcome.reason { print(outcome.name, kind, test.id, "|", test.name, "|", reason) }
        }
        for (kind, count) in counts.sorted(by: { $0.key < $1.key }) { print("cache-tests \(kind): \(count)") }
        #expect(counts["required"]?["passed"] ?? 0 > 0)
    }
}

/// A test as the suite describes it: requests, one after another, with what the server says to each.
struct CacheTest: Decodable, Sendable {
    struct Request: Sendable {
        /// As the suite has it, for its server.
        var whole: [String: JSONValue]
        subscript(name: String) -> JSONValue? { whole[name] }
        func pairs(_ name: String) -> [[JSONValue]] { (whole[name]?.array ?? []).map { $0.array ?? [$0] } }
        func isSetup(_ member: String) -> Bool {
            whole["setup"]?.bool == true || (whole["setup_tests"]?.array ?? []).contains { $0.string == member }
        }
    }

    var id: String
    var name: String
    var kind: String?
    var requests: [[String: JSONValue]]
}

/// Any value of JSON.
enum JSONValue: Codable, Sendable {
    case null, bool(Bool), number(Double), string(String), array([JSONValue]), object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let array = try? value.decode([JSONValue].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .number(let number):
            if let whole = Int(exactly: number) { try container.encode(whole) } else { try container.encode(number) }
        case .string(let string): try container.encode(string)
        case .array(let array): try container.encode(array)
        case .object(let object): try container.encode(object)
        }
    }

    var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
    var number: Double? { if case .number(let number) = self { number } else { nil } }
    var string: String? { if case .string(let string) = self { string } else { nil } }
    var array: [JSONValue]? { if case .array(let array) = self { array } else { nil } }
    var object: [String: JSONValue]? { if case .object(let object) = self { object } else { nil } }
}
