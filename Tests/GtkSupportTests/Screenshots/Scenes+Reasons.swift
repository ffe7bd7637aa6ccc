import CAtspi
import Foundation
import TestServers
import XCTest

/// Texts that need room: why a photo failed, a long message in a narrow window, and large text.
extension Scenes {
    func takeReasons() throws {
        guard photographer.wants("information", "message", "message-narrow", "operations-large-text") else { return }
        if photographer.wants("information") { try takeInformation() }
        for (scene, size) in [("message", (860, 640)), ("message-narrow", (360, 640))] where photographer.wants(scene) {
            try photographer.run([], size: size, preferences: ["what is this"]) { person in
                try person.wait("the message") { person.name(beginningWith: broken) != nil }
                try photographer.take(scene)
            }
        }
        guard photographer.wants("operations-large-text") else { return }
        let sample = Translations.root.appending(path: "data/sample.csv").path
        try Screen.setTextSize(percent: 200)
        defer { try? Screen.setTextSize(percent: 100) }
        try photographer.run([sample]) { person in
            try person.keys("F9")
            try person.wait("the panel") { person.sees(tr("Download queue")) }
            try person.keys("shift+F5")
            try person.wait("the end") { person.rows.contains { $0.hasSuffix(tr("Done")) } }
            try photographer.take("operations-large-text", ofRest: false)
        }
    }

    /// How the message about the preferences begins.
    private var broken: String {
        let text = tr("Parts of the preferences cannot be understood. The file as it was is kept as “{path}”.")
        return String(text.prefix { $0 != "{" })
    }

    private func takeInformation() throws {
        let server = try FaultServer()
        defer { server.stop() }
        server.serve(Data("<!doctype html><html><body>Hello</body></html>".utf8), at: "/page.jpg")
        let catalog = try photographer.write("name,url\nPage,\(server.url("/page.jpg"))\n", to: "page.csv")
        try photographer.run([catalog]) { person in
            let row = "Page, " + tr("What arrived is not a picture")
            try person.waitForRow(row)
            try person.keys("Home")
            try person.wait("the chosen photo") { person.isChosen(row) }
            try person.keys("alt+Return")
            try dialog(person, tr("Information"), "information")
        }
    }
}
