/// The namespaces of the properties that ``XMPPacket`` changes or leaves out, by the prefixes that it knows them by.
enum XMPNamespaces {
    private static let prefixes: [String: Set<String>] = [
        "http://ns.adobe.com/tiff/1.0/": ["tiff"], "http://ns.adobe.com/exif/1.0/": ["exif"],
        "http://ns.adobe.com/photoshop/1.0/": ["photoshop"], "http://ns.adobe.com/xap/1.0/": ["xmp", "xap"],
        "http://ns.adobe.com/xmp/note/": ["xmpNote"], "http://ns.adobe.com/hdr-gain-map/1.0/": ["hdrgm"],
        "http://ns.google.com/photos/1.0/container/": ["Container", "GContainer"],
        "http://ns.google.com/photos/1.0/camera/": ["GCamera", "Camera"],
        "http://ns.google.com/photos/1.0/depthmap/": ["GDepth"], "http://ns.google.com/photos/1.0/image/": ["GImage"],
        "http://ns.google.com/photos/1.0/panorama/": ["GPano"],
        "http://www.metadataworkinggroup.com/schemas/regions/": ["mwg-rs"],
        "http://ns.microsoft.com/photo/1.2/": ["MP"],
        "http://iptc.org/std/Iptc4xmpExt/2008-02-29/": ["Iptc4xmpExt", "iptcExt"],
        "http://ns.acdsee.com/regions/": ["acdsee-rs"], "http://ns.adobe.com/camera-raw-settings/1.0/": ["crs"],
    ]

    /// Whether a packet gives none of these namespaces another prefix, or none at all.
    static func haveUsualPrefixes(in packet: [UInt8]) -> Bool {
        let word = Array("xmlns".utf8)
        var rest = packet[...]
        while let first = rest.firstIndex(of: word[0]) {
            rest = rest[first...]
            guard rest.starts(with: word) else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(word.count)
            guard let sign = rest.firstIndex(of: UInt8(ascii: "=")),
                let open = rest[sign...].firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }),
                let close = rest[(open + 1)...].firstIndex(of: rest[open])
            else { return true }
            let value = String(decoding: rest[(open + 1)..<close], as: UTF8.self)
            let prefix = rest[..<sign].filter { $0 > 0x20 && $0 != UInt8(ascii: ":") }
            // A value with a character reference may be any of them.
            if value.utf8.contains(UInt8(ascii: "&")) { return false }
            if let usual = prefixes[value], !usual.contains(String(decoding: prefix, as: UTF8.self)) { return false }
            rest = rest[(close + 1)...]
        }
        return true
    }
}
