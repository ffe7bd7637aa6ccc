import CCurl

extension EasyHandle {
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
