import FoundationEssentials

/// Where a window was closed: what the next start has to show.
struct SoakPlace: Codable {
    var catalog: String
    /// The name of the photo at the top; empty where there is none.
    var name: String
    var search = ""
    /// View mode, order, look, intensity and appearance.
    var settings: [String] = []
    var width: Int32 = 0
    var height: Int32 = 0

    static func read(from folder: String) -> SoakPlace? {
        (try? Data(contentsOf: URL(filePath: folder + "/place.json"))).flatMap {
            try? JSONDecoder().decode(SoakPlace.self, from: $0)
        }
    }

    func write(to folder: String) {
        try? JSONEncoder().encode(self).write(to: URL(filePath: folder + "/place.json"))
    }

    /// Whether a window is at this place.
    ///
    /// - Parameter names: Of the photos on its screen.
    func isSame(as present: SoakPlace, names: [String]) -> Bool {
        // No window is smaller than what it holds, whatever it was told to be.
        settings == present.settings && catalog == present.catalog && search == present.search
            && max(width, 360) == max(present.width, 360) && max(height, 300) == max(present.height, 300)
            && (name.isEmpty || names.contains(name))
    }
}
