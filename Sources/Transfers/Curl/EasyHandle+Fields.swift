import CCurl

extension EasyHandle {
    /// The values of all fields of a name in the current answer, in their order.
    func headers(_ name: String) -> [String] {
        var values: [String] = []
        var header: UnsafeMutablePointer<curl_header>?
        while curl_easy_header(pointer, name, values.count, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK,
            let found = header
        {
            values.append(String(cString: found.pointee.value))
        }
        return values
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
