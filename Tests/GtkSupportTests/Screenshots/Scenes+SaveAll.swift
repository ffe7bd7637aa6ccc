import CAtspi
import Foundation
import XCTest

extension Scenes {
    /// How all photos are saved, while that goes on, and what has come of it.
    func takeSaveAll() throws {
        for (prefix, size) in [("", Photographer.size), ("narrow-", (width: 360, height: 640))] {
            let scenes = ["save-all", "save-all-refused", "save-all-paused", "save-all-ended"].map { prefix + $0 }
            guard scenes.contains(where: { photographer.wants($0) }) else { continue }
            let place = FileManager.default.temporaryDirectory.appending(path: "Pictures-\(UUID())")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: place) }
            try Data("a file".utf8).write(to: place.appending(path: "a"))
            let preferences = [
                "save-place=\(place.path)", "save-smaller=true", "save-longest-side=640", "keep-pictures=false",
            ]
            // Slow enough for a pause to come in between.
            try withPhotos(missing: true, settings: "limit_rate 1500k;") { catalog in
                try photographer.run([catalog], size: size, preferences: preferences) { person in
                    try waitForRows(person, failed: 1)
                    try person.keys("ctrl+shift+s")
                    try open(scenes[0], person, size)
                    try person.type("a")
                    try Screen.key("Return")
                    try person.wait("the refusal") { person.name(beginningWith: refusal) != nil }
                    try photographer.take(scenes[1])
                    try Screen.key("ctrl+a")
                    try person.type("b")
                    try Screen.key("Return")
                    let isEnglish = photographer.language == "en"
                    let saving = (isEnglish ? "Saving {count} photos…" : tr("Saving {count} photo…"))
                        .replacing("{count}", with: "18")
                    let pause = tr("Pause: {what}").replacing("{what}", with: saving)
                    let resume = tr("Resume: {what}").replacing("{what}", with: saving)
                    try person.wait("the saving") { person.sees(saving, role: ATSPI_ROLE_PROGRESS_BAR) }
                    try person.press(pause) { person.sees(resume) }
                    try Screen.park()
                    try photographer.take(scenes[2])
                    try person.press(resume) { person.sees(tr("Open _Report")) }
                    try Screen.park()
                    try photographer.take(scenes[3])
                }
            }
        }
    }

    private var refusal: String { String(tr("This folder cannot be used: {reason}.").prefix { $0 != ":" }) }

    private func open(_ scene: String, _ person: Person, _ size: (width: Int, height: Int)) throws {
        let title = tr("Save All Photos")
        try person.wait("the dialog") { try Screen.hasWindow(title) }
        try Screen.resize(title, width: min(size.width, 480), height: min(size.height, 600))
        try Screen.centreTopWindow(width: size.width, height: size.height)
        try Screen.focus(title)
        try photographer.take(scene)
    }
}
