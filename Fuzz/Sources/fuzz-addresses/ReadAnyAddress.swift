import CCurl
import Foundation

@testable import Transfers

private let bases = ["http://me:Secret@host/dir/a?b=/c", "https://example.org:8443/"].compactMap { try? WebAddress($0) }

/// What an address is read as, alone and seen from another one.
///
/// Whatever is written: the reading is one that libcurl shares, that is the same when it is read again, and that lets
/// neither another scheme nor a foreign password through.
@_cdecl("LLVMFuzzerTestOneInput")
public func readAnyAddress(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let text = String(decoding: bytes, as: UTF8.self)
    // As addresses are read, without tabs and ends of lines. A host that spells the password has small letters.
    let isSecretNamed = text.filter { $0 != "\t" && !$0.isNewline }.contains("Secret")
    if let address = try? WebAddress(text) { judge(address) }
    for base in bases {
        if let address = try? WebAddress(text, relativeTo: base) { judge(address) }
        guard let next = try? base.redirected(to: bytes) else { continue }
        judge(next)
        precondition(next.origin == base.origin || isSecretNamed || !next.text.contains("Secret"))
    }
    return 0
}

private func judge(_ address: WebAddress) {
    let text = address.text
    precondition(text.utf8.allSatisfy { (0x21...0x7E).contains($0) } && !text.contains("#"))
    precondition(address.scheme == "http" || address.scheme == "https")
    precondition(text.hasPrefix(address.scheme + "://") && (0...65_535).contains(address.port))
    let again = try? WebAddress(text)
    precondition(again == address && again?.origin == address.origin)
    precondition(address.path.hasPrefix("/") && !address.withoutCredentials.hasCredentials)
    // The host is what libcurl connects to, and nobody takes another name for a number.
    precondition(part(CURLUPART_HOST, of: text) == address.host && address.host == address.host.lowercased())
    precondition(part(CURLUPART_URL, of: text) == text)
    var number = in_addr()
    if inet_aton(address.host, &number) != 0 { precondition(address.literal?.version == .v4) }
    _ = (address.url, address.query, address.isSecret, ResourceAddress.web(address).description)
}

private func part(_ part: CURLUPart, of text: String) -> String? {
    guard let handle = curl_url() else { return nil }
    defer { curl_url_cleanup(handle) }
    guard curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK else { return nil }
    var value: UnsafeMutablePointer<CChar>?
    guard curl_url_get(handle, part, &value, 0) == CURLUE_OK, let value else { return nil }
    defer { curl_free(value) }
    return String(cString: value)
}
