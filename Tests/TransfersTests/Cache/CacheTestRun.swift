import Foundation
import OperationsCore

@testable import Transfers

/// One test of http-tests/cache-tests: its requests, asked through a cache, and what the suite's client demands of them.
struct CacheTestRun: Sendable {
    enum Outcome: Error {
        case passed
        case failed(String)
        /// What the test needs before it tests anything did not happen.
        case setupFailed(String)
        /// It needs what the client does not do.
        case untested(String)

        var name: String {
            switch self {
            case .passed: "passed"
            case .failed: "failed"
            case .setupFailed: "setup failed"
            case .untested: "untested"
            }
        }

        var reason: String? {
            switch self {
            case .passed: nil
            case .failed(let reason), .setupFailed(let reason), .untested(let reason): reason
            }
        }
    }

    /// What came of one request, as the client of a browser would see it.
    private struct Answer {
        var status: Int
        var body: String
        /// nil for failures, of which one cannot say.
        var source: DownloadResponse.Source?
        /// nil where the client does not hand them on, as for failures.
        var fields: HeaderFields?
    }

    /// A request as the server saw it.
    private struct Seen: Decodable {
        private enum CodingKeys: String, CodingKey {
            case number = "request_num"
            case headers = "request_headers"
        }

        var number: Int?
        var headers: [String: String]
    }

    let test: CacheTest
    let server: CacheTestsServer
    let cache: DiskCache
    private let token = UUID().uuidString.lowercased()

    init(test: CacheTest, server: CacheTestsServer, cache: DiskCache) {
        self.test = test
        self.server = server
        self.cache = cache
    }

    func outcome() async -> Outcome {
        do {
            try await run()
            return .passed
        } catch let outcome as Outcome {
            return outcome
        } catch {
            return .setupFailed("\(error)")
        }
    }

    private func run() async throws {
        let requests = test.requests.map { whole in
            CacheTest.Request(whole: whole.merging(["name": .string(test.name), "id": .string(test.id)]) { $1 })
        }
        for request in requests {
            let method = request["request_method"]?.string ?? "GET"
            guard method == "GET" || method == "PUT" else { throw Outcome.untested(method) }
            let status = request.status ?? 200
            if request["redirect"]?.string == "manual", (300..<400).contains(status), status != 304 {
                throw Outcome.untested("a redirect that is not followed")
            }
            if request["expected_interim_responses"] != nil { throw Outcome.untested("interim responses") }
        }
        let config = try JSONEncoder().encode(requests.map(\.whole))
        try await server.put("config/\(token)", config)
        var answers: [Answer] = []
        for (index, request) in requests.enumerated() {
            _ = try await server.get("next/\(token)/\(index + 1)")
            let answer = try await ask(request)
            answers.append(answer)
            await cache.flush()
            try await check(answer, request, number: index + 1)
            // The suite asks for time to pass, on the clock of its server, too.
            if request["pause_after"]?.bool == true { try await Task.sleep(for: .seconds(3)) }
        }
        try check(answers, requests, seen: try await seen())
    }

    private func seen() async throws -> [Seen] {
        guard let state = try? await server.get("state/\(token)") else { return [] }
        return (try? JSONDecoder().decode([Seen].self, from: state)) ?? []
    }

    // MARK: Asking

    private func ask(_ request: CacheTest.Request) async throws -> Answer {
        var url = server.url + "test/\(token)"
        if let name = request["filename"]?.string { url += "/\(name)" }
        if let query = request["query_arg"]?.string { url += "?\(query)" }
        var headers = RequestHeaders()
        var policy = try Self.policy(request)
        for field in request.pairs("request_headers") {
            guard let name = field[0].string, let value = field.dropFirst().first?.string else {
                throw Outcome.untested("a condition of one's own")
            }
            if name.lowercased() == "cache-control" {
                policy = try Self.policy(directive: value)
                continue
            }
            do { try headers.set(name, to: value) } catch { throw Outcome.untested("\(name) of one's own") }
        }
        let address = URL(string: url)!
        if request["request_method"]?.string == "PUT" {
            let body = Data((request["request_body"]?.string ?? "").utf8)
            let upload = UploadOperation(
                UploadRequest(url: address, source: .data(body)), client: server.client, cache: cache)
            await finish(upload)
            switch upload.result {
            case .success(let response): return Answer(status: response.statusCode, body: "", fields: nil)
            case .failure(.http(let status)): return Answer(status: status, body: "", fields: nil)
            case let other: throw Outcome.setupFailed("upload: \(String(describing: other))")
            }
        }
        let download = CachedDownloadOperation(
            DownloadRequest(url: address, headers: headers), client: server.client, cache: cache, policy: policy)
        await finish(download)
        switch download.result {
        case .success(let response):
            return Answer(
                status: response.statusCode, body: String(decoding: response.body, as: UTF8.self),
                source: response.source, fields: response.exchange?.fields)
        case .failure(.http(let status)), .failure(.retryLater(let status, _)):
            return Answer(status: status, body: "", fields: nil)
        // A page in place of a picture; nothing else is known of it.
        case .failure(let error):
            return Answer(status: request["expected_status"]?.number == 504 ? 504 : -1, body: "\(error)")
        case nil: throw Outcome.setupFailed("no result")
        }
    }

    private func finish(_ operation: OperationsCore.Operation) async {
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            server.queue.addOperation(operation)
        }
    }

    private static func policy(_ request: CacheTest.Request) throws -> CachePolicy {
        switch request["cache"]?.string {
        case nil, "default": .standard
        case "no-store": .ignored
        case "reload": .reload
        case "no-cache": .revalidated
        case "only-if-cached": .onlyIfCached
        case let mode?: throw Outcome.untested("cache mode \(mode)")
        }
    }

    private static func policy(directive: String) throws -> CachePolicy {
        switch directive {
        case "no-cache": .revalidated
        case "no-store": .ignored
        case "only-if-cached": .onlyIfCached
        default: throw Outcome.untested("Cache-Control: \(directive)")
        }
    }

    // MARK: Demands

    private static let unseen = "the client hands on no header fields of answers from its cache"

    private func demand(_ isSetup: Bool, _ condition: Bool, _ reason: @autoclosure () -> String) throws {
        if !condition { throw isSetup ? Outcome.setupFailed(reason()) : Outcome.failed(reason()) }
    }

    private func check(_ answer: Answer, _ request: CacheTest.Request, number: Int) async throws {
        let wasAsked =
            switch answer.source {
            case .cache, .stale: false
            case .network, .validated: true
            case nil: try await seen().contains { $0.number == number }
            }
        switch request["expected_type"]?.string {
        case "cached": try demand(request.isSetup("expected_type"), !wasAsked, "answer \(number) is not from the cache")
        case "not_cached": try demand(request.isSetup("expected_type"), wasAsked, "answer \(number) is from the cache")
        default: break
        }
        if let expected = request["expected_status"] {
            if let status = expected.number {
                let isSetup = request.isSetup("expected_status")
                try demand(isSetup, answer.status == Int(status), "status \(number) is \(answer.status), not \(status)")
            }
        } else if answer.status == 999 {
            try demand(request.isSetup("expected_type"), false, "request \(number) should have been conditional")
        } else {
            let expected = request.status ?? 200
            // A body that is confirmed is handed on with the status that it had.
            let found = "\(answer.status), not \(expected): \(answer.body)"
            try demand(true, answer.status == expected, "status \(number) is \(found)")
        }
        for field in request.pairs("expected_response_headers") {
            try check(field, of: answer, isSetup: request.isSetup("expected_response_headers"), number: number)
        }
        for field in request.pairs("expected_response_headers_missing") where field.count == 1 {
            // There was no answer at all.
            if answer.status == -1 { continue }
            guard let fields = answer.fields else { throw Outcome.untested(Self.unseen) }
            let name = field[0].string ?? ""
            let isSetup = request.isSetup("expected_response_headers_missing")
            try demand(isSetup, fields.first(name.lowercased()) == nil, "answer \(number) has \(name)")
        }
        guard request["check_body"]?.bool != false, (200..<300).contains(answer.status), answer.status != 204,
            request["request_method"]?.string != "PUT"
        else { return }
        if let text = request["expected_response_text"] {
            guard let text = text.string else { return }
            let isSetup = request.isSetup("expected_response_text")
            try demand(isSetup, answer.body == text, "body \(number) is \(answer.body)")
        } else {
            let body = request["response_body"]?.string ?? token
            try demand(true, answer.body == body, "body \(number) is \(answer.body)")
        }
    }

    private func check(_ field: [JSONValue], of answer: Answer, isSetup: Bool, number: Int) throws {
        guard let fields = answer.fields else { throw Outcome.untested(Self.unseen) }
        let name = field[0].string ?? ""
        let values = fields.values(name.lowercased())
        guard !values.isEmpty else { return try demand(isSetup, false, "answer \(number) has no \(name)") }
        let value = values.joined(separator: ", ")
        switch field.count {
        case 1: break
        case 2:
            // A number is a date that only the server knows.
            guard let expected = field[1].string else { return }
            try demand(isSetup, value == expected, "\(name) of answer \(number) is \(value), not \(expected)")
        default:
            if field[1].string == ">", let least = field[2].number {
                try demand(isSetup, Double(value) ?? -1 > least, "\(name) of answer \(number) is \(value)")
            }
        }
    }

    private func check(_ answers: [Answer], _ requests: [CacheTest.Request], seen: [Seen]) throws {
        for (index, request) in requests.enumerated() {
            let number = index + 1
            let type = request["expected_type"]?.string
            if type == "cached" { continue }
            guard let one = seen.first(where: { $0.number == number }) else {
                try demand(request.isSetup("expected_type"), type == nil, "request \(number) was not sent")
                continue
            }
            let condition = ["etag_validated": "if-none-match", "lm_validated": "if-modified-since"][type ?? ""]
            if let condition {
                let isSetup = request.isSetup("expected_type")
                try demand(isSetup, one.headers[condition] != nil, "request \(number) has no \(condition)")
            }
            for field in request.pairs("expected_request_headers") {
                let name = field[0].string ?? ""
                let value = one.headers[name.lowercased()]
                let isRight = field.count > 1 ? value == field[1].string : value != nil
                let isSetup = request.isSetup("expected_request_headers")
                try demand(isSetup, isRight, "\(name) of request \(number) is \(value ?? "none")")
            }
            for field in request.pairs("expected_request_headers_missing") {
                let name = field[0].string ?? ""
                let value = one.headers[name.lowercased()]
                let isRight = field.count > 1 ? value != field[1].string : value == nil
                let isSetup = request.isSetup("expected_request_headers_missing")
                try demand(isSetup, isRight, "request \(number) has \(name)")
            }
        }
    }
}

extension CacheTest.Request {
    /// What the server answers with.
    var status: Int? { (self["response_status"]?.array?.first?.number).map { Int($0) } }
}
