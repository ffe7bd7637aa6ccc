import CAtspi
import Foundation
import XCTest

@testable import PhotoApp

/// What files of the user's say of looks, which may be anything.
final class ChosenLookTests: GtkTestCase {
    func testAnyNumberIsAnIntensity() throws {
        let numbers: [(Double, Double)] = [
            (0.4, 0.4), (-3, 0), (1e30, 1), (.nan, 1), (.infinity, 1), (-.infinity, 1),
        ]
        for (number, intensity) in numbers {
            XCTAssertEqual(ChosenLook(identifier: "classic", intensity: number).intensity, intensity, "\(number)")
        }
        for (number, intensity) in [("0.4", 0.4), ("-3", 0), ("1e30", 1)] {
            let text = #"{"identifier": "vivid", "intensity": \#(number)}"#
            let look = try JSONDecoder().decode(ChosenLook.self, from: Data(text.utf8))
            XCTAssertEqual(look, ChosenLook(identifier: "vivid", intensity: intensity), number)
        }
    }

    func testAnyNumberInTheFilesLetsTheProgramStart() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, folder in
                let settings = folder.appending(path: "settings/classicphotos")
                try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
                try Data("[window]\nown-look=vivid\nown-intensity=nan\n".utf8)
                    .write(to: settings.appending(path: "app.ini"))
                let person = try OwnLookTests.start(photos, settings.deletingLastPathComponent())
                try person.wait("the look of all") { person.sees("2 photos · Vivid") }
                try OwnLookTests.giveLook("one.png", person)
                try person.close()

                let looks = settings.deletingLastPathComponent().appending(path: "data/classicphotos/looks")
                let file = try XCTUnwrap(FileManager.default.contentsOfDirectory(atPath: looks.path).first)
                let place = looks.appending(path: file)
                let text = try String(contentsOf: place, encoding: .utf8)
                let changed = text.replacing("\"intensity\":1", with: "\"intensity\":1e30")
                XCTAssertNotEqual(changed, text)
                try Data(changed.utf8).write(to: place)
                let next = try OwnLookTests.start(photos, settings.deletingLastPathComponent())
                try next.wait("the look of its own") {
                    next.rows.contains { $0.hasPrefix("one.png, Done, Look: ") && !$0.hasSuffix("%)") }
                }
                try next.close()
            }
        }
    }
}
