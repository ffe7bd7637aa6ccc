public import Foundation

/// How a ``FaultServer`` answers the requests for one path, one after the other.
public struct FaultScript: Sendable {
    /// What it does with one request.
    public enum Step: Sendable {
        /// Answers properly: with the part that was asked for, if the validator still holds, otherwise with the whole.
        case answer
        /// Answers with the whole, whatever was asked for.
        case whole
        /// Answers with a status, these headers and a few bytes.
        case status(Int, [String: String] = [:])
        /// Answers properly, but closes after so many bytes of the body.
        case cut(after: Int)
        /// Answers properly, but sends nothing after so many bytes of the body.
        case stall(after: Int)
        /// Closes without an answer.
        case noAnswer
        /// Sends nothing.
        case silence
        /// Answers a request for a part with this `Content-Range`, and as many bytes from there as are left.
        case part(range: String, from: Int)
    }

    /// What is served.
    public var body: Data
    /// Sent with each answer; `ETag` and `Last-Modified` among them are what `If-Range` is compared with.
    public var headers: [String: String]
    /// The steps for the first requests; the last one is for all that follow.
    public var steps: [Step]

    /// A script.
    public init(_ body: Data, headers: [String: String] = [:], _ steps: [Step]) {
        self.body = body
        self.headers = headers
        self.steps = steps
    }
}

extension FaultScript {
    /// Answers the request of a number, counted from 1; false if the connection is to be closed.
    func answer(_ number: Int, head: String, on connection: FaultConnection) -> Bool {
        let step = steps.isEmpty ? .answer : steps[min(number, steps.count) - 1]
        switch step {
        case .answer: return send(wanted(head), to: connection)
        case .whole: return send(nil, to: connection)
        case .cut(let count): return send(wanted(head), to: connection, upTo: count)
        case .stall(let count):
            _ = send(wanted(head), to: connection, upTo: count)
            connection.waitForClose()
            return false
        case .noAnswer: return false
        case .silence:
            connection.waitForClose()
            return false
        case .status(let status, let headers):
            connection.answer(status: "\(status) Status", headers: headers, body: Array("status".utf8))
            return true
        case .part(let range, let start):
            let headers = headers.merging(["Content-Range": range]) { $1 }
            connection.answer(status: "206 Partial Content", headers: headers, body: Array(body.dropFirst(start)))
            return true
        }
    }

    /// Where the part begins that may be sent, by RFC 9110, 13.1.5 and 14.2; nil for the whole.
    private func wanted(_ head: String) -> Int? {
        guard let range = Self.value(of: "Range", in: head), range.hasPrefix("bytes="), range.hasSuffix("-"),
            let start = Int(range.dropFirst(6).dropLast())
        else { return nil }
        if let validator = Self.value(of: "If-Range", in: head) {
            guard validator == headers["ETag"] || validator == headers["Last-Modified"] else { return nil }
        }
        return start
    }

    private func send(_ start: Int?, to connection: FaultConnection, upTo limit: Int? = nil) -> Bool {
        var head = "HTTP/1.1 200 OK\r\n"
        var part = Array(body)
        if let start {
            guard start < body.count else {
                let headers = ["Content-Range": "bytes */\(body.count)"]
                connection.answer(status: "416 Range Not Satisfiable", headers: headers, body: [])
                return true
            }
            head = "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes \(start)-\(body.count - 1)/\(body.count)\r\n"
            part.removeFirst(start)
        }
        head += "Content-Length: \(part.count)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        connection.send(Array((head + "\r\n").utf8) + part.prefix(limit ?? part.count))
        return limit == nil
    }

    /// The value of a header in a request's head.
    static func value(of name: String, in head: String) -> String? {
        for line in head.split(separator: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { continue }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }
        return nil
    }
}
