import CAtspi
import Foundation
import Glibc
import XCTest

/// Starts the app in one language, light or dark, and takes pictures of its window.
@MainActor final class Photographer {
    /// The size of the pictures: the one that software centres ask for.
    nonisolated static let size = (width: 1_248, height: 702)
    /// Where there is no desktop that draws shadows, GTK draws a border around the window.
    nonisolated static let border = 4

    let language: String
    let isDark: Bool
    let output: URL
    private let wanted: Set<String>
    private let folder: URL
    private let texts: [String: String]
    private var runs = 0

    /// - Parameters:
    ///   - output: The folder for the pictures.
    ///   - wanted: Which scenes; empty for all.
    ///   - folder: A folder for what the app remembers, and for catalogs.
    init(language: String, isDark: Bool, output: URL, wanted: Set<String>, folder: URL) throws {
        self.language = language
        self.isDark = isDark
        self.output = output
        self.wanted = wanted
        self.folder = folder
        texts = language == "en" ? [:] : try Translations.read(language)
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    }

    /// What the app says for an English text.
    func tr(_ text: String) -> String { (texts[text] ?? text).filter { $0 != "_" } }

    /// The key that chooses what the app says for an English text, with Alt.
    func mnemonic(of text: String) -> String {
        (texts[text] ?? text).split(separator: "_", omittingEmptySubsequences: false).last?.first?.lowercased() ?? ""
    }

    /// Whether one of these scenes is to be taken at all.
    func wants(_ scenes: String...) -> Bool { wanted.isEmpty || !wanted.isDisjoint(with: scenes) }

    /// Whether a scene is to be taken that is not among all of them.
    func isAskedFor(_ scene: String) -> Bool { wanted.contains(scene) }

    /// A file that scenes can open.
    func write(_ text: String, to name: String) throws -> String {
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// Runs the app for some scenes, and closes it.
    func run(
        _ arguments: [String], layout: String = "list", size: (width: Int, height: Int) = Photographer.size,
        preferences: [String] = [], cache: URL? = nil, _ scenes: (Person) throws -> Void
    ) throws {
        runs += 1
        let settings = folder.appending(path: "settings-\(language)-\(isDark)-\(runs)")
        try prepare(settings, layout, size, preferences)
        // The locale's numbers; where the machine has no such locale, at least its language.
        var environment = ["LC_ALL": Self.locale(of: language), "G_DEBUG": ""]
        environment["XDG_CACHE_HOME"] = cache?.path
        let reader = try Reader(program: "classicphotos-app")
        reader.listName = tr("Photos")
        let app = try AppRun(
            arguments, settings: settings, isReadable: true, language: language, environment: environment)
        let person = Person(reader: reader, app: app)
        try person.focus(title: tr("Classic Photos"))
        try Screen.park()
        try scenes(person)
        // A dialog may have taken the keyboard with it.
        try person.focus(title: tr("Classic Photos"))
        try person.keys("Escape", "Escape", "ctrl+q")
        GtkTestCase.wait("end of the program", seconds: 60) { !app.isRunning }
        if !app.output.isEmpty { print("photographer: \(arguments): \(app.output)") }
    }

    /// Takes a picture when the screen has come to rest, or where something on it turns, soon.
    ///
    /// - Parameter group: What the picture is wanted with; nil for itself. Default: nil.
    func take(_ scene: String, of group: String? = nil, ofRest: Bool = true) throws {
        guard wants(group ?? scene) else { return }
        let name = "\(scene)-\(language)-\(isDark ? "dark" : "light").png"
        // A window may be smaller, and no smaller than what is in it.
        let window = try Screen.size(ofWindow: tr("Classic Photos"))
        let width = min(Self.size.width, window.width - 2 * Self.border)
        let height = min(Self.size.height, window.height - 2 * Self.border)
        let part = "\(width)x\(height)+\(Self.border)+\(Self.border)"
        try Screen.save(part, to: output.appending(path: name), atRest: ofRest)
    }

    private func prepare(
        _ settings: URL, _ layout: String, _ size: (width: Int, height: Int), _ preferences: [String]
    ) throws {
        let own = settings.appending(path: "classicphotos")
        let gtk = settings.appending(path: "gtk-4.0")
        for folder in [own, gtk] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        let lines =
            [
                "[window]", "width=\(size.width + 2 * Self.border)",
                "height=\(size.height + 2 * Self.border)", "layout=\(layout)",
                "appearance=\(isDark ? "dark" : "light")",
            ] + preferences
        try Data(lines.joined(separator: "\n").utf8).write(to: own.appending(path: "app.ini"))
        // GNOME's own font, where it is installed.
        try Data("[Settings]\ngtk-font-name=Cantarell 11\ngtk-cursor-blink=false\n".utf8)
            .write(to: gtk.appending(path: "settings.ini"))
    }

    private static func locale(of language: String) -> String {
        let name = ["en": "en_US.UTF-8", "vi": "vi_VN.UTF-8", "ko": "ko_KR.UTF-8"][language] ?? "C.UTF-8"
        guard let locale = newlocale(1 << LC_NUMERIC, name, nil) else { return "C.UTF-8" }
        freelocale(locale)
        return name
    }
}

extension Screen {
    /// Moves the pointer to where it touches nothing.
    static func park() throws { try move(x: 1_279, y: 1_023) }

    /// Keeps a part of the screen in a file.
    ///
    /// - Parameters:
    ///   - part: Which one, as X does: width, height and place.
    ///   - atRest: Whether to wait until it stays the same for some pictures.
    @MainActor static func save(_ part: String, to file: URL, atRest: Bool) throws {
        func image() throws -> Data { try capture(["-crop", part, "+repage", "-depth", "8", "rgb:-"]) }
        var last = try image()
        var calm = 0
        var tries = 0
        // Fades take less than half a second; a picture in the middle of one differs from the next.
        while calm < 4, tries < (atRest ? 200 : 12) {
            usleep(60_000)
            let next = try image()
            calm = next == last ? calm + 1 : 0
            last = next
            tries += 1
        }
        try Data(try capture(["-crop", part, "+repage", "-depth", "8", "png:-"])).write(to: file)
    }
}
