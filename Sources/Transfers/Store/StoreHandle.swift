import CCurl

/// One connection to an object store, for one thread at a time: requests wait for their answers.
///
/// Stores are not the hosts of a catalog, which have their schedule and its limits: a shard that is to be committed does not wait in their
/// line.
final class StoreHandle {
    /// What is sent.
    struct Request {
        var method: String
        var address: String
        var headers: [String]
        var body: UnsafeRawBufferPointer?
        var certificateAuthorities: String?
    }

    /// The head of an answer.
    struct Head {
        var status = 0
        /// By names in small letters.
        var fields: [String: String] = [:]
    }

    private static let connectTime = 10
    /// After so many seconds without a byte a connection is given up.
    private static let silence = 60

    private let pointer: UnsafeMutableRawPointer
    /// libcurl's own words about a failure.
    private let errorText: UnsafeMutablePointer<CChar>
    private var head = Head()
    private var take: (Head, UnsafeRawBufferPointer) -> Bool = { _, _ in false }
    private var isCancelled: () -> Bool = { false }

    init?() {
        guard CurlLibrary.isReady, let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl_easy_cleanup(pointer)
        errorText.deallocate()
    }

    /// Sends a request and waits until its answer is there.
    ///
    /// - Parameters:
    ///   - isCancelled: Whether it is given up; asked every second, and more often while bytes move.
    ///   - take: Takes a piece of the body; whether it wants more.
    /// - Returns: The head of the answer, as far as there is one, and why it is not whole; nil where it is.
    func perform(
        _ request: Request, isCancelled: @escaping () -> Bool, take: @escaping (Head, UnsafeRawBufferPointer) -> Bool
    ) -> (head: Head, failure: CurlFailure?) {
        curl_easy_reset(pointer)
        (head, self.take, self.isCancelled) = (Head(), take, isCancelled)
        defer { (self.take, self.isCancelled) = ({ _, _ in false }, { false }) }
        var lines: UnsafeMutablePointer<curl_slist>?
        for line in request.headers { lines = curl_slist_append(lines, line) }
        defer { curl_slist_free_all(lines) }
        setUp(request, lines)
        errorText[0] = 0
        let code = curl_easy_perform(pointer)
        return (head, code == CURLE_OK ? nil : CurlFailure(code: code, text: String(cString: errorText)))
    }

    private func setUp(_ request: Request, _ lines: UnsafeMutablePointer<curl_slist>?) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText)
        ccurl_set_long(pointer, CURLOPT_NOSIGNAL, 1)
        ccurl_set_string(pointer, CURLOPT_PROTOCOLS_STR, "http,https")
        ccurl_set_string(pointer, CURLOPT_URL, request.address)
        // Keys are what they are, with dots too.
        ccurl_set_long(pointer, CURLOPT_PATH_AS_IS, 1)
        ccurl_set_long(pointer, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        ccurl_set_long(pointer, CURLOPT_HTTP09_ALLOWED, 0)
        ccurl_set_long(pointer, CURLOPT_FOLLOWLOCATION, 0)
        ccurl_set_long(pointer, CURLOPT_CONNECTTIMEOUT, Self.connectTime)
        ccurl_set_long(pointer, CURLOPT_LOW_SPEED_LIMIT, 1)
        ccurl_set_long(pointer, CURLOPT_LOW_SPEED_TIME, Self.silence)
        ccurl_set_string(pointer, CURLOPT_USERAGENT, "ClassicPhotos")
        ccurl_set_long(pointer, CURLOPT_UPLOAD_BUFFERSIZE, 1 << 18)
        if let file = request.certificateAuthorities { ccurl_set_string(pointer, CURLOPT_CAINFO, file) }
        if let body = request.body {
            ccurl_set_long(pointer, CURLOPT_POST, 1)
            ccurl_set_offset(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            // It is there until the request is over.
            ccurl_set_pointer(
                pointer, CURLOPT_POSTFIELDS, UnsafeMutableRawPointer(mutating: body.baseAddress) ?? context)
            ccurl_set_string(pointer, CURLOPT_CUSTOMREQUEST, request.method)
        } else if request.method == "HEAD" {
            ccurl_set_long(pointer, CURLOPT_NOBODY, 1)
        } else if request.method != "GET" {
            ccurl_set_string(pointer, CURLOPT_CUSTOMREQUEST, request.method)
        }
        ccurl_set_pointer(pointer, CURLOPT_HTTPHEADER, lines)
        ccurl_set_data_function(pointer, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            StoreHandle.from(context)?.receiveHeader(line)
            return line.count
        }
        ccurl_set_pointer(pointer, CURLOPT_HEADERDATA, context)
        ccurl_set_data_function(pointer, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
            guard let handle = StoreHandle.from(context), handle.take(handle.head, piece) else {
                return Int(CURL_WRITEFUNC_ERROR)
            }
            return piece.count
        }
        ccurl_set_pointer(pointer, CURLOPT_WRITEDATA, context)
        ccurl_set_progress_function(pointer) { context, _, _, _, _ in
            StoreHandle.from(context)?.isCancelled() ?? true ? 1 : 0
        }
        ccurl_set_pointer(pointer, CURLOPT_XFERINFODATA, context)
        ccurl_set_long(pointer, CURLOPT_NOPROGRESS, 0)
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> StoreHandle? {
        context.map { Unmanaged<StoreHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    private func receiveHeader(_ line: UnsafeRawBufferPointer) {
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            // Another answer, after one that only said to go on.
            head = Head(status: text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
        } else if let colon = text.firstIndex(of: ":"), head.fields.count < 200 {
            let value = text[text.index(after: colon)...].split(whereSeparator: \.isWhitespace).joined(separator: " ")
            head.fields[text[..<colon].lowercased()] = value
        }
    }
}
