import Transfers
import Wording

/// The options that say what is kept of the downloads.
///
/// By default nothing is: a catalog's addresses are fetched once each, and a second copy of every picture is not to be left
/// on somebody's disk unasked. A run goes on where an earlier one stopped without it.
enum CacheOptions {
    static func add(to parser: inout OptionParser) {
        parser.value(
            "cache", "DIR",
            "Keep downloads in DIR, by HTTP's rules; on: your own cache folder; off: not even partial ones")
        parser.value(
            "cache-size", "SIZE", "The most that the cache takes on disk (default: 512MB, or what it takes already)")
    }

    /// The cache that is asked for; nil for none.
    static func cache(_ values: OptionValues) throws(UsageError) -> DiskCache? {
        let size = try values.bytes("cache-size", in: 4_200_000...1_000_000_000_000)
        let folder: String
        switch values.text("cache") {
        case nil where size != nil: throw UsageError("--cache-size is the size of --cache DIR, which is not given")
        case nil, "off": return nil
        case "": throw UsageError("--cache takes a folder, on, or off")
        case "on":
            guard let standard = DiskCache.standardFolder else {
                throw UsageError("--cache on needs XDG_CACHE_HOME or HOME to be set; --cache DIR names a folder")
            }
            folder = standard
        case let path?: folder = path
        }
        return DiskCache(folder: folder, limit: size ?? DiskCache.limit(keepingWhatIsIn: folder)) { condition in
            if let text = text(of: condition, folder) { Console.error(text + "\n") }
        }
    }

    /// What somebody who relies on the cache has to know; nil while it works.
    private static func text(of condition: DiskCache.Condition, _ folder: String) -> String? {
        switch condition {
        case .ready: nil
        case .readOnly(let reason): tr("The cache in \(folder) stores nothing: \(reason)")
        case .diskFull: tr("The cache in \(folder) stores nothing: the disk is full")
        case .unavailable(let reason): tr("The cache in \(folder) is not used: \(reason)")
        }
    }
}
