import CAtspi
import Foundation
import XCTest

@testable import PhotoApp

/// Keys that are letters and digits, on keyboards that write others. Each is pressed by the number that the X server knows it by.
final class KeyboardLayoutTests: GtkTestCase {
    private static let (zero, one, z, c, l, n, p) = ("19", "10", "52", "54", "46", "57", "33")

    /// Russian, Greek, Hebrew and Arabic beside an English one, Russian alone, and Vietnamese, whose upper row has letters.
    func testTheLargeViewHasItsKeysInEveryLayout() throws {
        try MainActor.assumeIsolated {
            try LargeViewTests.withPhotos { person in
                for layout in ["ru,us", "gr,us", "il,us", "ara,us", "ru", "vn"] {
                    try Self.withLayout(layout) {
                        try person.keys(Self.n)
                        try person.wait("the next photo in \(layout)") { person.numberInLarge(of: 2) == 2 }
                        try person.keys(Self.p)
                        try person.wait("the one before in \(layout)") { person.numberInLarge(of: 2) == 1 }
                        try person.keys(Self.c)
                        try person.wait("the comparison in \(layout)") {
                            person.isOn("Compare with the published photo")
                        }
                        try person.keys(Self.c)
                        try person.keys(Self.l)
                        try person.wait("the looks in \(layout)") { person.sees("Xpro2") }
                        try person.keys(Self.l)
                        try person.wait("the photo in \(layout)") { !person.sees("Xpro2") }
                    }
                }
            }
        }
    }

    func testDigitsZoomWhereTheyAreLetters() throws {
        try MainActor.assumeIsolated {
            try LargeViewTests.withPhotos { person in
                let fitting = try LargeViewTests.makeSmall(person)
                try Self.withLayout("vn") {
                    try person.keys(Self.one)
                    try person.wait("the actual size") { try LargeViewTests.redCount() > fitting + 1_000 }
                    try person.keys(Self.zero)
                    try person.wait("all of the photo") { try abs(LargeViewTests.redCount() - fitting) < 500 }
                }
            }
        }
    }

    func testLooksAreTakenBackAndPhotosCopiedInEveryLayout() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, folder in
                let person = try OwnPhotosTests.start([photos.path], folder.appending(path: "settings"))
                try person.waitForRow("two.png, Done")
                try person.focus()
                let looks = (classic: "2 photos · Original", other: "2 photos · Black and White")
                try person.wait("the first look") { person.sees(looks.classic) }
                try person.press("Look") { person.sees("Black and White") }
                try person.keys("Right")
                try person.keys("Escape")
                try person.wait("the other look") { person.sees(looks.other) }
                try person.tab(to: "one.png, Done")
                for layout in ["ru,us", "ru"] {
                    try Self.withLayout(layout) {
                        try person.keys("ctrl+" + Self.z)
                        try person.wait("the look before in \(layout)") { person.sees(looks.classic) }
                        try person.keys("ctrl+shift+" + Self.z)
                        try person.wait("the look again in \(layout)") { person.sees(looks.other) }
                        try person.waitForMessage("1 photo was copied.", afterKey: "ctrl+" + Self.c)
                    }
                }
                try person.close()
            }
        }
    }

    /// Does something on a keyboard of another layout.
    @MainActor private static func withLayout(_ layout: String, _ body: () throws -> Void) throws {
        try Screen.setLayout(layout)
        defer { try? Screen.setLayout("us") }
        try body()
    }
}
