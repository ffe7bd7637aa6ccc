import CSoup
import Foundation

/// The answer to one request, which goes out as slowly as the network allows. It is on the server's thread only.
final class Answer {
    /// How often it is seen whether more may go out, in milliseconds.
    private static let interval: guint = 10

    /// The server keeps it until it is finished, and it keeps the answer; nobody asks for it later.
    private let message: OpaquePointer
    private var left: Data
    private var pace: Pace
    private var speed: () -> NetworkSpeed = { NetworkSpeed() }
    private var timer: UnsafeMutablePointer<GSource>?

    /// Works out what to answer.
    ///
    /// - Parameters:
    ///   - message: The request.
    ///   - path: The path that it asks for.
    ///   - folder: What has the file; nil where nothing has it.
    init(to message: OpaquePointer, _ path: String, from folder: ServedFolder?) {
        self.message = message
        pace = Pace(asked: Self.now)
        left = Data()
        let method = soup_server_message_get_method(message).map { String(cString: $0) } ?? ""
        let headers = soup_server_message_get_response_headers(message)
        soup_message_headers_replace(headers, "Cache-Control", "no-store")
        if !["GET", "HEAD"].contains(method) {
            soup_message_headers_replace(headers, "Allow", "GET, HEAD")
            answer(405, Data())
        } else if let file = folder?.file(at: path) {
            soup_message_headers_replace(headers, "Accept-Ranges", "bytes")
            soup_message_headers_replace(headers, "ETag", file.entityTag)
            soup_message_headers_replace(headers, "Content-Type", file.mediaType)
            answer(file, isWhole: method == "HEAD")
        } else {
            answer(404, Data())
        }
        if method == "HEAD" { left = Data() }
    }

    /// Sends it, from when the network allows that.
    ///
    /// - Parameter speed: Asked for how slow the network is at present.
    func begin(_ speed: @escaping () -> NetworkSpeed) {
        self.speed = speed
        soup_server_message_pause(message)
        let timer = g_timeout_source_new(Self.interval)
        self.timer = timer
        g_source_set_callback(
            timer,
            { answer in
                guard let answer else { return 0 }
                return Unmanaged<Answer>.fromOpaque(answer).takeUnretainedValue().send() ? 1 : 0
            }, Unmanaged.passRetained(self).toOpaque(),
            { if let answer = $0 { Unmanaged<Answer>.fromOpaque(answer).release() } })
        g_source_attach(timer, g_main_context_get_thread_default())
        csoup_when_finished(
            message,
            { _, answer in
                guard let answer else { return }
                Unmanaged<Answer>.fromOpaque(answer).takeUnretainedValue().end()
            }, Unmanaged.passRetained(self).toOpaque(),
            { answer, _ in
                guard let answer else { return }
                // A message may go without an end when the server does.
                let kept = Unmanaged<Answer>.fromOpaque(answer)
                kept.takeUnretainedValue().end()
                kept.release()
            })
    }

    // MARK: Sending

    /// Sends what may go out now.
    ///
    /// - Returns: Whether there is more.
    private func send() -> Bool {
        guard let count = pace.due(at: Self.now, speed()) else { return true }
        let body = soup_server_message_get_response_body(message)
        let part = left.prefix(count)
        left = left.dropFirst(part.count)
        if !part.isEmpty {
            let bytes = part.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
            soup_message_body_append_bytes(body, bytes)
            g_bytes_unref(bytes)
        }
        if left.isEmpty { soup_message_body_complete(body) }
        soup_server_message_unpause(message)
        return !left.isEmpty
    }

    /// Sends no more: all of it is sent, or its client is gone.
    private func end() {
        guard let timer else { return }
        self.timer = nil
        g_source_destroy(timer)
        g_source_unref(timer)
    }

    private static var now: Duration { .microseconds(g_get_monotonic_time()) }

    // MARK: What to answer

    private func answer(_ status: UInt32, _ body: Data) {
        soup_server_message_set_status(message, status, nil)
        let headers = soup_server_message_get_response_headers(message)
        soup_message_headers_set_content_length(headers, goffset(body.count))
        soup_message_body_set_accumulate(soup_server_message_get_response_body(message), 0)
        left = body
    }

    /// Answers with a file, or with the one part of it that is asked for.
    private func answer(_ file: ServedFolder.File, isWhole: Bool) {
        let content = file.content
        let headers = soup_server_message_get_response_headers(message)
        guard !isWhole, let range = range(of: file) else { return answer(200, content) }
        guard !range.isEmpty else {
            soup_message_headers_replace(headers, "Content-Range", "bytes */\(content.count)")
            return answer(416, Data())
        }
        soup_message_headers_set_content_range(
            headers, goffset(range.lowerBound), goffset(range.upperBound - 1), goffset(content.count))
        answer(206, content.dropFirst(range.lowerBound).prefix(range.count))
    }

    /// The part that is asked for: nil for all of it, also where several are asked for; empty where there is no such part.
    private func range(of file: ServedFolder.File) -> Range<Int>? {
        let headers = soup_server_message_get_request_headers(message)
        if let condition = soup_message_headers_get_one(headers, "If-Range"),
            String(cString: condition) != file.entityTag
        {
            return nil
        }
        var ranges: UnsafeMutablePointer<SoupRange>?
        var count: Int32 = 0
        let total = file.content.count
        guard soup_message_headers_get_ranges(headers, goffset(total), &ranges, &count) != 0 else { return nil }
        defer { soup_message_headers_free_ranges(headers, ranges) }
        guard count == 1, let range = ranges?.pointee else { return nil }
        let first = max(0, Int(range.start))
        return first..<max(first, min(total, Int(range.end) + 1))
    }
}
