import CAtspi
import Foundation
import Glibc
import TestServers
import XCTest

/// Takes pictures of every state of the app, as people come to it; `Scripts/screenshots` runs this.
final class ScreenshotTests: GtkTestCase {
    private static let photographs = URL(filePath: "/usr/share/backgrounds/mate")

    func testEveryState() throws {
        let environment = ProcessInfo.processInfo.environment
        guard let output = environment["CLASSICPHOTOS_SCREENSHOTS"] else {
            throw XCTSkip("Scripts/screenshots takes the pictures")
        }
        func words(_ name: String) -> [String] {
            (environment[name] ?? "").split(separator: " ").map(String.init)
        }
        let languages = words("CLASSICPHOTOS_SCREENSHOTS_LANGUAGES")
        let appearances = words("CLASSICPHOTOS_SCREENSHOTS_APPEARANCES")
        try MainActor.assumeIsolated {
            let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-shots-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            for language in languages.isEmpty ? ["en", "vi", "ko"] : languages {
                for appearance in appearances.isEmpty ? ["light", "dark"] : appearances {
                    let photographer = try Photographer(
                        language: language, isDark: appearance == "dark", output: URL(filePath: output),
                        wanted: Set(words("CLASSICPHOTOS_SCREENSHOTS_SCENES")), folder: folder)
                    try Scenes(photographer, photographs: Self.photographs).takeAll()
                }
            }
        }
    }
}
