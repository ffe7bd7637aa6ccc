import Glibc
import Wording

/// Where the app finds what is installed beside it.
enum DataFiles {
    /// The folder of icons, where the desktop does not know it by itself.
    static var iconFolder: String? { InstalledFiles.sourceRoot.map { $0 + "/data/icons" } }

    /// The catalog that comes with the program; nil where it is not installed.
    static var sampleCatalog: String? {
        let candidates = [
            InstalledFiles.installed("classicphotos/sample.csv"),
            InstalledFiles.sourceRoot.map { $0 + "/data/sample.csv" },
        ]
        return candidates.compactMap { $0 }.first { access($0, R_OK) == 0 }
    }
}
