import CCurl
import Glibc
import OperationsCore

import struct FoundationEssentials.Data

/// A bucket of an object store that speaks S3. Calls block until the answer is there; any number of threads may call at once.
///
/// What may pass by itself is tried again, see ``StoreSettings/attempts``. Bodies are signed with their digest, so that a store refuses
/// what was altered on the way.
package final class ObjectStore: Sendable {
    package let bucket: String
    let settings: StoreSettings
    private let credentials: Lock<StoreCredentials>
    private let idle = Lock<[IdleHandle]>([])
    /// Scheme and host that requests go to, and what their paths begin with.
    private let origin: String
    private let root: String

    /// A handle that no thread uses now.
    ///
    /// Only the list of idle ones, which is behind a lock, has it: whoever takes it out is the only one that uses it, and puts it
    /// back when it is done with it. That makes `@unchecked Sendable` true.
    private struct IdleHandle: @unchecked Sendable {
        let handle: StoreHandle
    }

    package init(bucket: String, _ settings: StoreSettings) {
        (self.bucket, self.settings) = (bucket, settings)
        credentials = Lock(settings.credentials)
        if let endpoint = settings.endpoint {
            (origin, root) = (endpoint, "/" + bucket)
        } else {
            let host = settings.region == "us-east-1" ? "s3.amazonaws.com" : "s3.\(settings.region).amazonaws.com"
            // A certificate for *.s3.amazonaws.com is none for names with further dots.
            (origin, root) =
                bucket.contains(".") ? ("https://" + host, "/" + bucket) : ("https://\(bucket).\(host)", "")
        }
    }

    /// What is to be asked.
    struct Request {
        var method: String
        /// Empty for the bucket itself.
        var key = ""
        var query: [(String, String)] = []
        /// By names in small letters.
        var headers: [String: String] = [:]
        /// Nil for requests that have none.
        var body: Data?
        /// The most that is taken of an answer's body.
        var limit = 16 << 20
        var isCancelled: @Sendable () -> Bool = { false }
    }

    struct Answer {
        let status: Int
        let fields: [String: String]
        var body: [UInt8]
    }

    // MARK: Asking

    /// Asks until there is an answer, or an error that stays.
    func ask(_ request: Request) throws(StoreError) -> Answer {
        var body: [UInt8] = []
        return try tryAgain(request.isCancelled) { () throws(StoreError) -> Answer in
            body.removeAll(keepingCapacity: true)
            var isTooLong = false
            let head = try once(request) { _, piece in
                isTooLong = isTooLong || body.count + piece.count > request.limit
                if !isTooLong { body.append(contentsOf: piece) }
                return !isTooLong
            } tooLong: {
                isTooLong
            }
            return Answer(status: head.status, fields: head.fields, body: body)
        }
    }

    /// Repeats what fails and may pass.
    func tryAgain<Result>(
        _ isCancelled: @Sendable () -> Bool, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        var (attempt, hasReloaded) = (1, false)
        while true {
            do throws(StoreError) {
                return try body()
            } catch {
                if isCancelled() { throw StoreError(.cancelled, "it was given up") }
                if error.kind == .credentials, !hasReloaded, let reload = settings.reload, let fresh = reload(),
                    credentials.withLock({ old in
                        defer { old = fresh }
                        return old != fresh
                    })
                {
                    hasReloaded = true
                    continue
                }
                guard error.isTransient, attempt < settings.attempts else { throw error }
                wait(settings.backoff.delay(afterAttempt: attempt), isCancelled)
                attempt += 1
            }
        }
    }

    private func wait(_ delay: Duration, _ isCancelled: () -> Bool) {
        let end = ContinuousClock.now + delay
        while ContinuousClock.now < end, !isCancelled() { usleep(20_000) }
    }

    /// Asks once.
    ///
    /// - Parameters:
    ///   - take: Takes pieces of the body of a success, with its head; whether it wants more.
    ///   - tooLong: Whether the answer was cut off by `take`.
    func once(
        _ request: Request, take: @escaping (StoreHandle.Head, UnsafeRawBufferPointer) -> Bool,
        tooLong: () -> Bool = { false }
    ) throws(StoreError) -> StoreHandle.Head {
        if request.isCancelled() { throw StoreError(.cancelled, "it was given up") }
        guard let handle = idle.withLock({ $0.popLast()?.handle }) ?? StoreHandle() else {
            throw StoreError(.unavailable, "there is no memory for a connection")
        }
        var text: [UInt8] = []
        let (head, failure) = (request.body ?? Data()).withUnsafeBytes { body in
            handle.perform(made(request, body), isCancelled: request.isCancelled) { head, piece in
                if (200...299).contains(head.status) { return take(head, piece) }
                if text.count < 1 << 16 { text.append(contentsOf: piece) }
                return true
            }
        }
        let back = IdleHandle(handle: handle)
        idle.withLock { if $0.count < 32 { $0.append(back) } }
        if request.isCancelled() { throw StoreError(.cancelled, "it was given up") }
        if tooLong() { throw StoreError(.answer, "the store's answer is too long") }
        if let failure { throw StoreError(failure, of: origin) }
        if (200...299).contains(head.status) { return head }
        throw self.failure(head, text)
    }

    /// What an answer means that is no success.
    func failure(_ head: StoreHandle.Head, _ text: [UInt8]) -> StoreError {
        let document = StoreXML.parse(text)
        let error = document.flatMap { $0.name == "Error" ? $0 : nil }
        var facts = StoreError.Facts(bucket: bucket)
        facts.region = Self.word(head.fields["x-amz-bucket-region"] ?? error?["Region"])
        if let date = head.fields["date"] {
            let seconds = curl_getdate(date, nil)
            if seconds > 0 { facts.ahead = Int(time(nil)) - Int(seconds) }
        }
        return StoreError(status: head.status, code: Self.word(error?["Code"]), facts)
    }

    /// A text of the store's that may be shown: a word of letters, digits, dots and hyphens.
    static func word(_ text: String?) -> String? {
        guard let text, !text.isEmpty, text.utf8.count <= 64,
            text.utf8.allSatisfy({
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
                    || $0 == 0x2E
            })
        else { return nil }
        return text
    }

    /// The signed request.
    private func made(_ request: Request, _ body: UnsafeRawBufferPointer) -> StoreHandle.Request {
        let credentials = credentials.withLock { $0 }
        let moment = RequestSignature.Moment(Int(time(nil)))
        let path = root + "/" + RequestSignature.encoded(request.key, keepsSlashes: true)
        let digest = SHA256.hexDigest(of: body)
        var headers = request.headers
        headers["host"] = String(origin.split(separator: "/").last ?? "")
        headers["x-amz-date"] = moment.text
        headers["x-amz-content-sha256"] = digest
        headers["x-amz-security-token"] = credentials.sessionToken
        let signature = RequestSignature(credentials: credentials, region: settings.region).authorization(
            request.method, path, query: request.query, headers: headers, bodyDigest: digest, at: moment)
        var lines = headers.map { "\($0.key): \($0.value)" }
        lines.append("authorization: \(signature)")
        if request.body != nil { lines.append("content-type: application/octet-stream") }
        let query = RequestSignature.text(of: request.query)
        return StoreHandle.Request(
            method: request.method, address: origin + path + (query.isEmpty ? "" : "?" + query), headers: lines,
            body: request.body == nil ? nil : body, certificateAuthorities: settings.certificateAuthorities)
    }
}
