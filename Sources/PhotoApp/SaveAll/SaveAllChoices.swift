import CGtk
import GtkSupport
import ImageCodecs
import PhotoBrowser
import PhotoDevelopment
import PhotoPipeline

/// How all photos of a list are written, and where.
struct SaveAllChoices: Equatable {
    /// The folder that the photos' own folder is made in; nil for that of the user's pictures.
    var place: String?
    var format = ImageEncoder.Format.jpeg
    var quality = Self.usual.quality
    /// Whether pictures are made smaller, where they are larger than ``longestSide``.
    var isLimited = false
    var longestSide = 2_048
    var keepsMetadata = false

    static let qualities = 1...100
    static let longestSides = 16...32_768
    private static let usual = ImageEncoder(format: .jpeg)

    /// The defaults.
    init() {}

    // MARK: What is remembered

    /// - Parameter text: What was kept under a name.
    init(reading text: (String) -> String?) {
        place = text("save-place").flatMap { $0.isEmpty ? nil : $0 }
        format = text("save-format").flatMap(ImageEncoder.Format.init) ?? format
        func number(_ key: String, _ bounds: ClosedRange<Int>) -> Int? {
            text(key).flatMap { Int($0) }.flatMap { bounds.contains($0) ? $0 : nil }
        }
        quality = number("save-quality", Self.qualities) ?? quality
        isLimited = text("save-smaller") == "true"
        longestSide = number("save-longest-side", Self.longestSides) ?? longestSide
        keepsMetadata = text("save-metadata") == "true"
    }

    /// What is kept.
    var values: [String: String] {
        [
            "save-place": place ?? "", "save-format": format.rawValue, "save-quality": "\(quality)",
            "save-smaller": "\(isLimited)", "save-longest-side": "\(longestSide)",
            "save-metadata": "\(keepsMetadata)",
        ]
    }

    // MARK: What is done

    /// The folder that the photos' own folder is made in.
    var placePath: String {
        if let place, g_file_test(place, G_FILE_TEST_IS_DIR) != 0 { return place }
        return String(cString: g_get_user_special_dir(G_USER_DIRECTORY_PICTURES) ?? g_get_home_dir())
    }

    /// How a list's photos are developed with their looks.
    func options(into folder: String, with looks: PhotoLooks) -> DevelopmentOptions {
        var options = DevelopmentOptions(output: folder)
        options.filter = looks.usual.filter
        options.intensity = looks.usual.intensity
        options.ownFilters = looks.own.mapValues { .init($0.filter, intensity: $0.intensity) }
        options.resize = isLimited ? .longestSide(longestSide) : nil
        options.encoder = ImageEncoder(format: format, quality: quality)
        options.keepsMetadata = keepsMetadata
        options.names = .plain
        // As the list shows it.
        options.keepsDamaged = true
        // One processor is the window's.
        options.jobs = max(1, options.jobs - 1)
        return options
    }
}
