import FoundationEssentials
import Glibc

/// Whether two paths mean one file.
enum FileIdentity {
    static func isSame(_ first: String, _ second: String) -> Bool {
        var (one, other) = (stat(), stat())
        if stat(first, &one) == 0, stat(second, &other) == 0 {
            return one.st_dev == other.st_dev && one.st_ino == other.st_ino
        }
        return URL(filePath: first).standardized.path == URL(filePath: second).standardized.path
    }
}
