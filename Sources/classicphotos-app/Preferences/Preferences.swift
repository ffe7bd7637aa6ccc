import CGtk
import Glibc
import GtkSupport
import PhotoBrowser

/// What the program remembers from one start to the next, in a file of the user's.
struct Preferences {
    /// How photos are laid out.
    enum Layout: String { case list, grid }

    /// Light or dark.
    enum Appearance: String { case system, light, dark }

    var width = 860
    var height = 720
    var isMaximized = false
    var appearance = Appearance.system
    var layout = Layout.list
    var order = PhotoArrangement.Order.catalog
    var look = LookChoice.all[0].identifier
    var intensity = 1.0
    /// Whether catalogs from the network may lead to this machine and to private networks.
    var allowsPrivateAddresses = false
    /// Whether what was downloaded is kept on disk.
    var keepsPictures = true
    /// The catalog that was open last, and the place of the photo that was on top.
    var catalog: String?
    var place = 0
    /// What was searched for in it, and the place of the photo that was on top then.
    var search = ""
    var placeInSearch = 0
    /// The catalogs that were opened, the last one first.
    var recent: [String] = []

    static let mostRecent = 8
    private static let group = "window"

    /// Notes that a catalog was opened.
    mutating func opened(_ catalog: String) {
        if self.catalog != catalog { forgetPlace() }
        self.catalog = catalog
        recent = Array(([catalog] + recent.filter { $0 != catalog }).prefix(Self.mostRecent))
    }

    /// Begins at the top of a catalog.
    mutating func forgetPlace() {
        (place, placeInSearch, search) = (0, 0, "")
    }

    // MARK: The file

    private static var path: String {
        String(cString: g_get_user_config_dir()) + "/classicphotos/app.ini"
    }

    /// What was kept; the defaults for everything that is not there or not understood.
    static func load() -> Preferences {
        var preferences = Preferences()
        guard let file = g_key_file_new() else { return preferences }
        defer { g_key_file_unref(file) }
        guard g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, nil) != 0 else { return preferences }
        func text(_ key: String) -> String? {
            guard let value = g_key_file_get_string(file, group, key, nil) else { return nil }
            defer { g_free(value) }
            return String(cString: value)
        }
        func number(_ key: String) -> Int? { text(key).flatMap { Int($0) } }
        preferences.width = min(max(number("width") ?? preferences.width, 360), 10_000)
        preferences.height = min(max(number("height") ?? preferences.height, 300), 10_000)
        preferences.isMaximized = text("maximized") == "true"
        preferences.appearance = text("appearance").flatMap(Appearance.init) ?? preferences.appearance
        preferences.layout = text("layout").flatMap(Layout.init) ?? preferences.layout
        preferences.order = text("order").flatMap(PhotoArrangement.Order.init) ?? preferences.order
        preferences.look = text("look") ?? preferences.look
        preferences.intensity = min(max(text("intensity").flatMap { Double($0) } ?? 1, 0), 1)
        preferences.allowsPrivateAddresses = text("private-addresses") == "true"
        preferences.keepsPictures = text("keep-pictures") != "false"
        preferences.catalog = text("catalog").flatMap { $0.isEmpty ? nil : $0 }
        preferences.place = max(0, number("place") ?? 0)
        preferences.search = text("search") ?? ""
        preferences.placeInSearch = max(0, number("place-in-search") ?? 0)
        preferences.recent = (0..<mostRecent).compactMap { text("recent-\($0)") }.filter { !$0.isEmpty }
        return preferences
    }

    /// Keeps them; what cannot be written is forgotten, which is no reason to keep a person from closing a window.
    func save() {
        guard let file = g_key_file_new() else { return }
        defer { g_key_file_unref(file) }
        func set(_ key: String, _ value: String) { g_key_file_set_string(file, Self.group, key, value) }
        set("width", "\(width)")
        set("height", "\(height)")
        set("maximized", "\(isMaximized)")
        set("appearance", appearance.rawValue)
        set("layout", layout.rawValue)
        set("order", order.rawValue)
        set("look", look)
        set("intensity", "\(intensity)")
        set("private-addresses", "\(allowsPrivateAddresses)")
        set("keep-pictures", "\(keepsPictures)")
        set("catalog", catalog ?? "")
        set("place", "\(place)")
        set("search", search)
        set("place-in-search", "\(placeInSearch)")
        for (index, catalog) in recent.enumerated() { set("recent-\(index)", catalog) }
        let folder = Self.path.lastIndex(of: "/").map { String(Self.path[..<$0]) } ?? "."
        g_mkdir_with_parents(folder, 0o700)
        g_key_file_save_to_file(file, Self.path, nil)
    }
}
