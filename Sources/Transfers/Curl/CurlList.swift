import CCurl

/// A list of strings in libcurl's memory, such as header lines.
final class CurlList {
    /// Nil for an empty list.
    let pointer: UnsafeMutableRawPointer?

    init(_ lines: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines { list = curl_slist_append(list, line) ?? list }
        pointer = UnsafeMutableRawPointer(list)
    }

    deinit {
        curl_slist_free_all(pointer?.assumingMemoryBound(to: curl_slist.self))
    }
}
