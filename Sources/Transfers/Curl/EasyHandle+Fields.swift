import CCurl
import Glibc

extension EasyHandle {
    /// The value of a field of the current answer, the last one where it is repeated. Bytes that are no UTF-8 are replaced.
    func header(_ name: StaticString) -> String? { lastField(name).map { String(cString: $0.pointee.value) } }

    /// The same as it came: the bytes of a `Location` are escaped one by one, whatever letters they were meant for.
    func headerBytes(_ name: StaticString) -> [UInt8]? {
        lastField(name).map { Array(UnsafeRawBufferPointer(start: $0.pointee.value, count: strlen($0.pointee.value))) }
    }

    private func lastField(_ name: StaticString) -> UnsafeMutablePointer<curl_header>? {
        guard let first = field(name, 0) else { return nil }
        // What libcurl gave out is written over when it is asked again.
        let amount = first.pointee.amount
        return amount > 1 ? field(name, amount - 1) : first
    }

    /// The values of all fields of a name in the current answer, in their order.
    func headers(_ name: StaticString) -> [String] {
        guard let first = field(name, 0) else { return [] }
        let amount = first.pointee.amount
        return [String(cString: first.pointee.value)]
            + (1..<max(amount, 1)).compactMap { field(name, $0).map { String(cString: $0.pointee.value) } }
    }

    private func field(_ name: StaticString, _ index: Int) -> UnsafeMutablePointer<curl_header>? {
        let bytes = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        guard seenNames.mayContain(bytes) else { return nil }
        var header: UnsafeMutablePointer<curl_header>?
        let text = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
        let code = curl_easy_header(pointer, text, index, UInt32(CURLH_HEADER), -1, &header)
        return code == CURLHE_OK ? header : nil
    }

    /// The first of the directives in `X-Robots-Tag` fields that the client respects and that is meant for it.
    var respectedDirective: String? {
        guard !respected.isEmpty else { return nil }
        return RobotsTag.directive(in: headers("X-Robots-Tag"), respecting: respected, token: token)
    }

    /// Whether the current answer says how long it is, and nothing about its connection, which it then leaves open.
    var announcesItsEnd: Bool {
        field("Connection", 0) == nil && field("Proxy-Connection", 0) == nil && field("Content-Length", 0) != nil
            && long(CURLINFO_HTTP_VERSION) == CURL_HTTP_VERSION_1_1
    }

    /// The header fields of the current answer.
    var fields: HeaderFields {
        var fields = HeaderFields()
        var header: UnsafeMutablePointer<curl_header>?
        while let next = curl_easy_nextheader(pointer, UInt32(CURLH_HEADER), -1, header) {
            fields.append(String(cString: next.pointee.name), String(cString: next.pointee.value))
            header = next
        }
        return fields
    }
}
