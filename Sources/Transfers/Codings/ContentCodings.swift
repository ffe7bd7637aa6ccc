/// What a body was coded with, by the head of its answer (RFC 9110, 8.4).
struct ContentCodings: Equatable {
    /// A coding that is decoded.
    enum Coding: String, CaseIterable {
        case gzip, deflate, br, zstd
    }

    /// The codings in the order in which they were applied; empty where there is nothing to decode.
    private(set) var codings: [Coding] = []
    /// Whether there are names that nobody here knows.
    ///
    /// Servers put there what is none: a character set, `binary`, or the `aws-chunked` of an upload long ago. It is
    /// certain only that we cannot decode it, and what we asked for it is not; so the body is taken as it is.
    private(set) var isUnknown = false

    /// What a request says about them.
    static let acceptLine = "Accept-Encoding: " + Coding.allCases.map(\.rawValue).joined(separator: ", ")
    /// How many codings a body may have. HTTP has no limit (RFC 9110, 8.4), and each takes memory and time. Servers use one; two are there
    /// where a file that is packed already is packed again on its way, and three where that happens twice.
    private static let most = 3

    /// - Parameter fields: The values of all `Content-Encoding` fields.
    init(_ fields: [String]) {
        for field in fields {
            for part in field.utf8.split(separator: UInt8(ascii: ",")) {
                let name = String(decoding: part.filter { $0 > 0x20 }, as: UTF8.self).lowercased()
                if name.isEmpty || name == "identity" || name == "none" { continue }
                if let coding = Coding(rawValue: name == "x-gzip" ? "gzip" : name) {
                    codings.append(coding)
                } else {
                    isUnknown = true
                }
            }
        }
        if isUnknown { codings = [] }
    }

    /// Whether there is something to decode.
    var isEncoded: Bool { !codings.isEmpty }

    /// What is wrong, as the end of a sentence.
    var fault: String? { codings.count > Self.most ? "its body is coded more than \(Self.most) times" : nil }
}
