internal import CVips
internal import Glibc

/// The shared libraries that make pixels of files, as this process has loaded them.
///
/// Few of them tell their version, and a security update may change pixels without changing it. So a library is known by its
/// file: its name, size and time.
enum DecodingLibraries {
    /// How their names begin.
    private static let names = [
        "libvips", "vips-", "libjpeg", "libpng", "libspng", "libz.", "libdeflate", "libwebp", "libtiff", "libcgif",
        "liblcms2", "librsvg", "libcairo", "libpixman", "libpango", "libharfbuzz", "libfreetype", "libfontconfig",
        "libheif", "libde265", "libaom", "libdav1d", "libjxl", "libhwy",
    ]

    /// What this process has mapped; nothing where the system does not tell.
    static func maps() -> String {
        let file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        // It has no size, and comes a page at a time.
        var (bytes, page) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
        while case let count = read(file, &page, page.count), count > 0 { bytes += page[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A line for each library; the same as long as none of them is replaced.
    /// - Parameter maps: What the process has mapped, in the form of `/proc/self/maps`.
    static func marks(in maps: some StringProtocol) -> [String] {
        var paths: Set<Substring> = []
        for line in maps.split(separator: "\n") {
            guard let start = line.firstIndex(of: "/") else { continue }
            paths.insert(Substring(line[start...]))
        }
        return paths.compactMap { path in
            let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
            guard names.contains(where: name.hasPrefix) else { return nil }
            var status = stat()
            // One that was replaced while it was in use is another one.
            guard stat(String(path), &status) == 0 else { return "\(name) ?" }
            return "\(name) \(status.st_size) \(status.st_mtim.tv_sec)"
        }.sorted()
    }
}

extension ImageDecoder {
    /// Tells the libraries that decode from others, which may make other pixels of the same file.
    package static let version: String = {
        // It loads some of them.
        try? Vips.start()
        let marks = DecodingLibraries.marks(in: DecodingLibraries.maps())
        return ([String(cString: vips_version_string())] + marks).joined(separator: "\n")
    }()
}
