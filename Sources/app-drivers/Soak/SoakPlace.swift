import FoundationEssentials

/// Where a window was closed: what the next start has to show.
struct SoakPlace: Codable {
    var catalog: String
    /// The name of the photo at the top; empty where there is none.
    var name: String
    /// What is searched for; nil where something was typed that may not have counted yet.
    var search: String? = ""
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
    /// - Parameters:
    ///   - names: Of the photos on its screen.
    ///   - smallest: What it holds needs that much room, whatever it was told to be.
    func isSame(as present: SoakPlace, names: [String], smallest: (width: Int32, height: Int32)) -> Bool {
        // The program does not start with a smaller one, either.
        let (least, low) = (max(360, smallest.width), max(300, smallest.height))
        return settings == present.settings && catalog == present.catalog
            && (search == nil || search == present.search)
            && max(width, least) == max(present.width, least) && max(height, low) == max(present.height, low)
            && (name.isEmpty || names.contains(name))
    }
}
