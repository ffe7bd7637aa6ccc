import Glibc

/// Where a person's programs keep what they can get again (XDG Base Directory Specification, 0.8).
enum CacheFolder {
    /// The path of a folder of ours in it; nil where there is no home.
    static func path(_ name: String) -> String? {
        let base: String? =
            if let own = variable("XDG_CACHE_HOME"), own.hasPrefix("/") { own } else {
                variable("HOME").map { $0 + "/.cache" }
            }
        guard let base, base.hasPrefix("/") else { return nil }
        return "\(base)/classicphotos/\(name)"
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
