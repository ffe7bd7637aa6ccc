import Glibc

/// Signs requests to object stores: AWS Signature, version 4.
///
/// libcurl signs too (`CURLOPT_AWS_SIGV4`), and what it signs depends on its version: 7.88 takes the query as it stands, later ones sort
/// and encode it, and later ones again the path. It also signs by the time of day alone and hashes no body, so that the published
/// examples could not be a test.
struct RequestSignature {
    /// A point in time, as signatures have it: `20130524T000000Z`.
    struct Moment {
        let text: String

        init(text: String) { self.text = text }

        /// - Parameter seconds: Since 1970, UTC.
        init(_ seconds: Int) {
            var (clock, parts) = (time_t(seconds), tm())
            gmtime_r(&clock, &parts)
            func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
            text =
                "\(parts.tm_year + 1900)\(two(parts.tm_mon + 1))\(two(parts.tm_mday))T\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))Z"
        }

        var day: Substring { text.prefix(8) }
    }

    let credentials: StoreCredentials
    let region: String
    var service = "s3"

    /// The value of the header `Authorization`.
    ///
    /// - Parameters:
    ///   - path: Encoded.
    ///   - query: Names and values, not encoded.
    ///   - headers: Those that are signed: all that are sent, by names in small letters; `host` and `x-amz-date` among them.
    ///   - bodyDigest: SHA-256 of the body, in hexadecimal digits.
    func authorization(
        _ method: String, _ path: String, query: [(String, String)], headers: [String: String], bodyDigest: String,
        at moment: Moment
    ) -> String {
        let names = headers.keys.sorted()
        let signed = names.joined(separator: ";")
        let lines = names.map { "\($0):\(Self.collapsed(headers[$0] ?? ""))\n" }.joined()
        let canonical = [method, path, Self.text(of: query), lines, signed, bodyDigest].joined(separator: "\n")
        let scope = "\(moment.day)/\(region)/\(service)/aws4_request"
        let text = ["AWS4-HMAC-SHA256", moment.text, scope, SHA256.hexDigest(of: Array(canonical.utf8))].joined(
            separator: "\n")
        var key = Array("AWS4\(credentials.secretKey)".utf8)
        for word in [String(moment.day), region, service, "aws4_request"] {
            key = SHA256.authenticationCode(of: Array(word.utf8), key: key)
        }
        let signature = SHA256.hex(SHA256.authenticationCode(of: Array(text.utf8), key: key))
        return
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope), SignedHeaders=\(signed), Signature=\(signature)"
    }

    /// A query as it is signed, and sent: encoded, and sorted by what comes out.
    static func text(of query: [(String, String)]) -> String {
        query.map { (encoded($0.0), encoded($0.1)) }.sorted { $0 < $1 }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    /// For escapes, which have capitals.
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Bytes of UTF-8 as escapes, but for the letters that need none.
    static func encoded(_ text: String, keepsSlashes: Bool = false) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
            case 0x2F where keepsSlashes: bytes.append(byte)
            default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Without space at either end, and with one space for several.
    private static func collapsed(_ value: String) -> String {
        value.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }
}
