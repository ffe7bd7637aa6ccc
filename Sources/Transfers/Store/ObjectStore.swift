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
    /// When whatever is still asked ends; nil as long as nobody wants an end.
    private let end = Lock<ContinuousClock.Instant?>(nil)
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
            let host = settings.amazonHost
            // A certificate for *.s3.amazonaws.com is none for names with further dots.
            (origin, root) =
                bucket.contains(".") ? ("https://" + host, "/" + bucket) : ("https://\(bucket).\(host)", "")
        }
    }

    /// Gives what is asked, now and later, only a few seconds more (``StoreSettings/leave``): the program is to end.
    package func endSoon() {
        let time = ContinuousClock.now + settings.leave
        end.withLock { if $0 == nil { $0 = time } }
    }

    /// Whether the program is to end: what takes long is given up then, and what it has left is removed in the time that there is.
    package var isEnding: Bool { end.withLock { $0 != nil } }

    private var isOver: Bool { end.withLock { $0.map { ContinuousClock.now >= $0 } ?? false } }

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
        try ask(request) { (answer) throws(StoreError) in answer }
    }

    /// Asks until there is an answer that somebody can make something of, or an error that stays.
    ///
    /// - Parameter take: Makes something of an answer; what it throws is dealt with like an error of the store's.
    func ask<Result>(
        _ request: Request, _ take: (Answer) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        var body: [UInt8] = []
        return try tryAgain(request.isCancelled) { (signer) throws(StoreError) in
            body.removeAll(keepingCapacity: true)
            var isTooLong = false
            let head = try once(request, signer) { _, piece in
                isTooLong = isTooLong || body.count + piece.count > request.limit
                if !isTooLong { body.append(contentsOf: piece) }
                return !isTooLong
            } tooLong: {
                isTooLong
            }
            return try take(Answer(status: head.status, fields: head.fields, body: body))
        }
    }

    /// Asks for what is a document, of the kind that all results are.
    ///
    /// A store may say that all is well before it knows, as with a copy and the end of an upload in parts: what comes then is an error,
    /// or nothing. Whole documents of another kind are what something else says than a store, and will say again.
    ///
    /// - Parameter unreadable: What it counts as when the answer is missing, or is cut off.
    func askForResult(_ request: Request, unreadable: StoreError.Kind = .unavailable) throws(StoreError) -> StoreXML {
        try ask(request) { (answer) throws(StoreError) in
            let document = StoreXML.parse(answer.body)
            if let document, document.name.hasSuffix("Result") { return document }
            if document?.name == "Error" {
                throw failure(StoreHandle.Head(status: 500, fields: answer.fields), answer.body)
            }
            if document != nil || Self.beginsAsNoResult(answer.body) {
                throw StoreError(.answer, "\(origin) does not answer as an object store; look at AWS_ENDPOINT_URL")
            }
            throw StoreError(unreadable, "the store's answer is cut off, or cannot be read")
        }
    }

    /// Whether a text that is no XML cannot be what a result begins with: a page that only browsers can read, or JSON.
    private static func beginsAsNoResult(_ text: [UInt8]) -> Bool {
        let start = String(decoding: text.prefix(1_000), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        guard let first = start.first else { return false }
        let word = start.prefix(9).lowercased()
        return first != "<" || word == "<!doctype" || word.hasPrefix("<html")
    }

    /// Does something about an object; nil where there is none.
    func ifThere<Result>(_ body: () throws(StoreError) -> Result?) throws(StoreError) -> Result? {
        do throws(StoreError) {
            return try body()
        } catch {
            if error.kind == .notFound { return nil }
            throw error
        }
    }

    /// Repeats what fails and may pass.
    ///
    /// - Parameter body: Does it, with the credentials to sign with.
    func tryAgain<Result>(
        _ isCancelled: @Sendable () -> Bool, _ body: (StoreCredentials) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        var (attempt, hasReloaded) = (1, false)
        while true {
            let signer = credentials.withLock { $0 }
            do throws(StoreError) {
                return try body(signer)
            } catch {
                if isCancelled() || isOver { throw StoreError(.cancelled, "it was given up") }
                if error.kind == .credentials, !hasReloaded, areRenewed(since: signer) {
                    hasReloaded = true
                    continue
                }
                guard error.isTransient, attempt < settings.attempts else { throw error }
                wait(settings.backoff.delay(afterAttempt: attempt), isCancelled)
                attempt += 1
            }
        }
    }

    /// Reads the credentials again; says whether they are others than those that a request was signed with.
    ///
    /// Of several requests that fail at once, the first one's thread changes what the store signs with before the others look. A thread
    /// that read the file before it was renewed brings the keys that it came with: those replace nothing that another has found since.
    private func areRenewed(since signer: StoreCredentials) -> Bool {
        let fresh = settings.reload?()
        return credentials.withLock { credentials in
            if let fresh, fresh != signer { credentials = fresh }
            return credentials != signer
        }
    }

    private func wait(_ delay: Duration, _ isCancelled: () -> Bool) {
        let end = ContinuousClock.now + delay
        while ContinuousClock.now < end, !isCancelled(), !isOver { usleep(20_000) }
    }

    /// Asks once.
    ///
    /// - Parameters:
    ///   - signer: What it is signed with.
    ///   - take: Takes pieces of the body of a success, with its head; whether it wants more.
    ///   - tooLong: Whether the answer was cut off by `take`.
    func once(
        _ request: Request, _ signer: StoreCredentials,
        take: @escaping (StoreHandle.Head, UnsafeRawBufferPointer) -> Bool,
        tooLong: () -> Bool = { false }
    ) throws(StoreError) -> StoreHandle.Head {
        let isGivenUp = { [self] in request.isCancelled() || isOver }
        if isGivenUp() { throw StoreError(.cancelled, "it was given up") }
        guard let handle = idle.withLock({ $0.popLast()?.handle }) ?? StoreHandle() else {
            throw StoreError(.unavailable, "there is no memory for a connection")
        }
        var text: [UInt8] = []
        let (head, failure) = (request.body ?? Data()).withUnsafeBytes { body in
            handle.perform(made(request, signer, body), isCancelled: isGivenUp) { head, piece in
                if (200...299).contains(head.status) { return take(head, piece) }
                if text.count < 1 << 16 { text.append(contentsOf: piece) }
                return true
            }
        }
        let back = IdleHandle(handle: handle)
        idle.withLock { if $0.count < 32 { $0.append(back) } }
        if isGivenUp() { throw StoreError(.cancelled, "it was given up") }
        if tooLong() { throw StoreError(.answer, "the store's answer is too long") }
        if let failure { throw StoreError(failure, of: origin) }
        if (200...299).contains(head.status) { return head }
        throw self.failure(head, text)
    }

    /// What an answer means that is no success.
    func failure(_ head: StoreHandle.Head, _ text: [UInt8]) -> StoreError {
        let error = Self.error(in: text)
        var facts = StoreError.Facts(bucket: bucket)
        facts.region = Self.word(head.fields["x-amz-bucket-region"] ?? error?["Region"])
        if let date = head.fields["date"] {
            let seconds = curl_getdate(date, nil)
            if seconds > 0 { facts.ahead = Int(time(nil)) - Int(seconds) }
        }
        return StoreError(status: head.status, code: Self.word(error?["Code"]), facts)
    }

    /// The error that a body is; nil where it is something else.
    private static func error(in text: [UInt8]) -> StoreXML? {
        StoreXML.parse(text).flatMap { $0.name == "Error" ? $0 : nil }
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
    private func made(
        _ request: Request, _ credentials: StoreCredentials, _ body: UnsafeRawBufferPointer
    ) -> StoreHandle.Request {
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
