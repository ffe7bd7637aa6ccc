import CGtk
import GtkSupport
package import PhotoBrowser
import PhotoPipeline

/// What the program remembers from one start to the next, in a file of the user's.
package struct Preferences {
    /// How photos are laid out.
    package enum Layout: String { case list, grid }

    /// Light or dark.
    package enum Appearance: String { case system, light, dark }

    var width = 860
    var height = 720
    var isMaximized = false
    package var appearance = Appearance.system
    package var layout = Layout.list
    /// How large photos are shown.
    var thumbnails = ThumbnailSize.medium
    package var order = PhotoArrangement.Order.catalog
    /// Whether photos are in that order the other way round.
    package var isReversed = false
    /// What is done to the photos of catalogs.
    var catalogLook = ChosenLook.classic
    /// What is done to photos of one's own, from folders and files.
    var ownLook = ChosenLook.original
    /// Whether catalogs from the network may lead to this machine and to private networks.
    var allowsPrivateAddresses = false
    /// Whether what was downloaded is kept on disk.
    var keepsImages = true
    /// How much of it is kept, in bytes.
    var keptBytes = KeptSize.usual
    /// How all photos of a list were saved last.
    var saveAll = SaveAllChoices()
    /// The catalog that was open last, and the place of the photo that was on top.
    package var catalog: String?
    var place = KeptPlace()
    /// What was searched for in it, and the place of the photo that was on top then.
    package var search = ""
    var placeInSearch = KeptPlace()
    /// The catalogs that were opened, the last one first.
    var recent: [String] = []
    /// What the file says, as far as this program has read or written it.
    private var kept: [String: String] = [:]
    /// The catalogs that this program has opened, the last one first.
    private var openedHere: [String] = []
    /// Whether a part of the file was not understood, or the file could not be read.
    private(set) var isFaulty = false

    static let mostRecent = 8
    private static let group = "window"

    /// Notes that a catalog was opened.
    mutating func opened(_ catalog: String) {
        if self.catalog != catalog { forgetPlace() }
        self.catalog = catalog
        openedHere = [catalog] + openedHere.filter { $0 != catalog }
        recent = Self.recent(openedHere, before: recent)
    }

    private static func recent(_ first: [String], before others: [String]) -> [String] {
        Array((first + others.filter { !first.contains($0) }).prefix(mostRecent))
    }

    /// What was searched for, and the place there.
    var foundPlace: PresentPlace.Search { PresentPlace.Search(text: search, top: Photo.ID(placeInSearch.number)) }

    /// Begins at the top of a catalog.
    mutating func forgetPlace() {
        (place, placeInSearch, search) = (KeptPlace(), KeptPlace(), "")
    }

    // MARK: The file

    static var path: String {
        String(cString: g_get_user_config_dir()) + "/classicphotos/app.ini"
    }

    /// What was kept; the defaults for everything that is not there or not understood.
    ///
    /// - Parameter path: The file. Default: the user's.
    static func load(from path: String = path) -> Preferences {
        var preferences = Preferences()
        preferences.kept = preferences.values
        let settings = KeptSettings.read(path, group: group)
        preferences.isFaulty = settings.isFaulty
        guard let keyFile = settings.file else { return preferences }
        let file = keyFile.pointer
        defer { withExtendedLifetime(keyFile) {} }
        func text(_ key: String) -> String? {
            guard let value = g_key_file_get_string(file, group, key, nil) else { return nil }
            defer { g_free(value) }
            return String(cString: value)
        }
        func number(_ key: String) -> Int? { text(key).flatMap { Int($0) } }
        preferences.width = min(max(number("width") ?? preferences.width, 360), 10_000)
        preferences.height = min(max(number("height") ?? preferences.height, 294), 10_000)
        preferences.isMaximized = text("maximized") == "true"
        preferences.appearance = text("appearance").flatMap(Appearance.init) ?? preferences.appearance
        preferences.layout = text("layout").flatMap(Layout.init) ?? preferences.layout
        preferences.thumbnails = text("thumbnails").flatMap(ThumbnailSize.init) ?? preferences.thumbnails
        preferences.order = text("order").flatMap(PhotoArrangement.Order.init) ?? preferences.order
        preferences.isReversed = text("reversed") == "true"
        func look(_ prefix: String, _ usual: ChosenLook) -> ChosenLook {
            let intensity = text(prefix + "intensity").flatMap { Double($0) } ?? usual.intensity
            return ChosenLook(identifier: text(prefix + "look") ?? usual.identifier, intensity: intensity)
        }
        preferences.catalogLook = look("", preferences.catalogLook)
        preferences.ownLook = look("own-", preferences.ownLook)
        preferences.allowsPrivateAddresses = text("private-addresses") == "true"
        preferences.keepsImages = text("keep-pictures") != "false"
        preferences.keptBytes = KeptSize.bounded(number("keep-bytes") ?? KeptSize.usual)
        preferences.saveAll = SaveAllChoices(reading: text)
        preferences.catalog = text("catalog").flatMap { $0.isEmpty ? nil : $0 }
        func place(_ key: String) -> KeptPlace {
            KeptPlace(number: max(0, number(key) ?? 0), address: text(key + "-address") ?? "")
        }
        preferences.place = place("place")
        preferences.search = text("search") ?? ""
        preferences.placeInSearch = place("place-in-search")
        preferences.recent = recent(in: file)
        preferences.kept = preferences.values
        return preferences
    }

    private static func recent(in file: OpaquePointer) -> [String] {
        (0..<mostRecent).compactMap { index in
            guard let value = g_key_file_get_string(file, group, "recent-\(index)", nil) else { return nil }
            defer { g_free(value) }
            return String(cString: value)
        }.filter { !$0.isEmpty }
    }

    /// Takes what other windows have opened, too.
    mutating func refreshRecent() {
        guard let file = KeptSettings.read(Self.path, group: Self.group).file else { return }
        recent = withExtendedLifetime(file) { Self.recent(in: file.pointer) }
    }

    /// All but the recent catalogs, as the file has them.
    private var values: [String: String] {
        [
            "width": "\(width)", "height": "\(height)", "maximized": "\(isMaximized)",
            "appearance": appearance.rawValue, "layout": layout.rawValue, "order": order.rawValue,
            "reversed": "\(isReversed)", "thumbnails": thumbnails.rawValue,
            "look": catalogLook.identifier, "intensity": "\(catalogLook.intensity)",
            "own-look": ownLook.identifier, "own-intensity": "\(ownLook.intensity)",
            "private-addresses": "\(allowsPrivateAddresses)",
            "keep-pictures": "\(keepsImages)", "keep-bytes": "\(keptBytes)", "catalog": catalog ?? "",
            "place": "\(place.number)", "place-address": place.address, "search": search,
            "place-in-search": "\(placeInSearch.number)", "place-in-search-address": placeInSearch.address,
        ].merging(saveAll.values) { $1 }
    }

    /// Keeps what has changed since they were read; another window may have changed the rest.
    ///
    /// What cannot be written is no reason to keep a person from closing a window.
    ///
    /// A file that cannot be read is left alone. Of one that is not understood in part the rest stays, and all of it is put aside.
    ///
    /// - Parameter path: The file. Default: the user's.
    mutating func save(to path: String = path) -> Outcome {
        let settings = KeptSettings.read(path, group: Self.group)
        var copy: String?
        switch settings {
        case .none, .whole: break
        case .unreadable(let problem): return .failed(problem)
        case .damaged(_, let text):
            let broken = path + ".broken"
            if let problem = SettingsFile.keep(text, at: broken) { return .failed(problem) }
            copy = broken
        }
        guard let keyFile = settings.file ?? KeyFile() else { return .kept }
        defer { withExtendedLifetime(keyFile) {} }
        let (file, isThere) = (keyFile.pointer, settings.file != nil)
        let values = values
        var changed = isThere ? values.filter { kept[$0] != $1 } : values
        // A place is one in its catalog, and the next start shows that of the window that was closed last.
        for key in ["catalog", "place", "place-address", "search", "place-in-search", "place-in-search-address"]
        where !openedHere.isEmpty {
            changed[key] = values[key]
        }
        for (key, value) in changed { g_key_file_set_string(file, Self.group, key, value) }
        recent = Self.recent(openedHere, before: isThere ? Self.recent(in: file) : recent)
        for (index, catalog) in recent.enumerated() {
            g_key_file_set_string(file, Self.group, "recent-\(index)", catalog)
        }
        if let problem = SettingsFile.write(file, to: path) { return .failed(problem) }
        kept = values
        isFaulty = false
        return copy.map(Outcome.mended) ?? .kept
    }

    /// What has come of writing the file.
    enum Outcome: Equatable {
        case kept
        /// The file was not understood in part; as it was, it is in another one now.
        case mended(copy: String)
        /// Why it cannot be written, as the system or GLib says it.
        case failed(String)
    }
}
