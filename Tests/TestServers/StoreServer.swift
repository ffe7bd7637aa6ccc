public import Foundation
import Glibc

/// An object store on a loopback port that has just enough of S3 for tests, keeps all in memory, and fails on request.
///
/// It looks at no signature, and its conditions are kept by a lock: what real stores do is shown with Ceph's gateway.
public final class StoreServer: Sendable {
    /// How requests fail.
    public struct Fault: Sendable {
        /// What a request's line begins with, such as `PUT /bucket/done/`.
        public var line: String
        public var status: Int
        public var code: String
        /// How many requests fail so.
        public var times = 1
        /// What their heads hold somewhere; empty for all.
        public var holding = ""
        /// Whether the request is carried out, and only its answer lost: the connection is closed.
        public var losesAnswer = false
        /// How many bytes of the answer's body come before the connection is closed; nil for an answer that is no success.
        public var cutAt: Int?
        public var headers: [String: String] = [:]
        /// The body of the answer; nil for what belongs to the code.
        public var body: String?
        /// Whether there is no answer, and the connection stays.
        public var isSilent = false

        public init(
            _ line: String, status: Int = 0, code: String = "", times: Int = 1, holding: String = "",
            losesAnswer: Bool = false, cutAt: Int? = nil, headers: [String: String] = [:], body: String? = nil,
            isSilent: Bool = false
        ) {
            (self.line, self.status, self.code, self.times) = (line, status, code, times)
            (self.holding, self.losesAnswer, self.cutAt) = (holding, losesAnswer, cutAt)
            (self.headers, self.body, self.isSilent) = (headers, body, isSilent)
        }
    }

    struct Object {
        var bytes: Data
        var digest: String?
        var tag: String { "\"\(bytes.count)-\(bytes.hashValue)\"" }
    }

    struct State {
        var objects: [String: Object] = [:]
        /// The parts of uploads, by the upload and their numbers.
        var uploads: [String: (key: String, digest: String?, begun: Date, parts: [Int: Data])] = [:]
        var faults: [Fault] = []
        var heads: [String] = []
        var lastUpload = 0
        var ignoresConditions = false
        var pageSize = 1000
    }

    public static let bucket = "bucket"
    private let listener: LoopbackListener
    let state: Guarded<State>

    public init() throws {
        let (log, state) = (ServerLog(ServerEntries()), Guarded(State()))
        self.state = state
        listener = try LoopbackListener(log) { Self.serve($0, log, state) }
    }

    deinit { stop() }

    public var endpoint: String { "http://127.0.0.1:\(listener.port)" }

    /// Lets requests fail from now on, the first that fits first.
    public func fail(_ faults: Fault...) { state.update { $0.faults += faults } }

    /// Lets all requests be answered again.
    public func clearFaults() { state.update { $0.faults = [] } }

    /// Takes conditions for nothing, as some stores do.
    public func ignoreConditions() { state.update { $0.ignoresConditions = true } }

    /// Lists so many keys at a time.
    public func setPageSize(_ size: Int) { state.update { $0.pageSize = size } }

    /// What is there, by the keys.
    public var objects: [String: Data] { state.update { $0.objects.mapValues(\.bytes) } }

    /// Puts an object; nil removes it.
    public func set(_ key: String, _ bytes: Data?) {
        state.update { $0.objects[key] = bytes.map { Object(bytes: $0) } }
    }

    /// Begins an upload in parts that nobody ends.
    public func beginUpload(_ key: String, at time: Date = Date()) {
        state.update { state in
            state.lastUpload += 1
            state.uploads["upload-\(state.lastUpload)"] = (key, nil, time, [:])
        }
    }

    /// How many uploads in parts have not come to their end.
    public var uploadCount: Int { uploadKeys.count }

    /// The keys of these, sorted.
    public var uploadKeys: [String] { state.update { $0.uploads.values.map(\.key).sorted() } }

    /// The heads of all requests so far.
    public var heads: [String] { state.update { $0.heads } }

    /// Waits until the heads of requests are as wished, or somebody has no more to wait for, which is asked ten times a second.
    public func wait(until isMet: @escaping ([String]) -> Bool, while goesOn: () -> Bool) {
        while goesOn(), !state.wait(seconds: 0.1, until: { isMet($0.heads) }) {}
    }

    /// Closes everything and waits until all threads have ended.
    public func stop() { listener.stop() }

    private static func serve(_ descriptor: Int32, _ log: ServerLog, _ state: Guarded<State>) {
        let connection = FaultConnection(descriptor: descriptor, log: log)
        while !connection.isClosedByPeer, let head = connection.readHead() {
            let count = FaultScript.value(of: "Content-Length", in: head).flatMap { Int($0) } ?? 0
            if FaultScript.value(of: "Expect", in: head) != nil { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
            let body = connection.readBody(count)
            guard body.count == count else { break }
            let (bytes, isLast) = state.update { $0.answer(StoreRequest(head, Data(body))) }
            guard let bytes else {
                while connection.pause(milliseconds: 1_000) {}
                break
            }
            connection.send(bytes)
            if isLast { break }
        }
    }
}
