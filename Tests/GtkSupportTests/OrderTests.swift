import CAtspi
import Foundation
import ImageCodecs
import Pixels
import XCTest

/// The orders that photos can be put in, by the menu.
final class OrderTests: GtkTestCase {
    /// The entries of the menu, by how many there are above them.
    private enum Entry: Int {
        case catalog = 5, name, state, modified, size, reversed
    }

    func testFilesAreOrderedByDateAndSizeAndTheOrderIsKept() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, folder in
                let large = PixelBuffer(size: PixelSize(width: 900, height: 900))
                try ImageEncoder(format: .png).encode(large).write(to: photos.appending(path: "three.png"))
                for (name, day) in [("one", 2), ("two", 3), ("three", 1)] {
                    try FileManager.default.setAttributes(
                        [.modificationDate: Date(timeIntervalSince1970: Double(day) * 86_400)],
                        ofItemAtPath: photos.appending(path: name + ".png").path)
                }
                let settings = folder.appending(path: "settings")
                let person = try OwnPhotosTests.start([photos.path], settings)
                try Self.waitForRows(["one", "three", "two"], person)
                try Self.choose(.modified, person)
                try Self.waitForRows(["two", "one", "three"], person)
                try Self.choose(.reversed, person)
                try Self.waitForRows(["three", "one", "two"], person)
                try Self.choose(.size, person)
                try Self.waitForRows(["two", "one", "three"], person)
                try person.close()

                let next = try OwnPhotosTests.start([photos.path], settings)
                try Self.waitForRows(["two", "one", "three"], next)
                try Self.choose(.reversed, next)
                try Self.waitForRows(["three", "one", "two"], next)
                try next.close()
            }
        }
    }

    func testThePhotosStayChosenThatWereChosen() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, folder in
                for name in ["three", "zwei"] {
                    try FileManager.default.copyItem(
                        at: photos.appending(path: "two.png"), to: photos.appending(path: "\(name).png"))
                }
                let person = try OwnPhotosTests.start([photos.path], folder.appending(path: "settings"))
                try Self.waitForRows(["one", "three", "two", "zwei"], person)
                try person.focus()
                try person.keys("Home", "shift+Down")
                @MainActor func chosen() -> [String] { person.rows.filter { person.isChosen($0) } }
                try person.wait("two") { chosen() == ["one.png, Done", "three.png, Done"] }
                try Self.choose(.reversed, person)
                try Self.waitForRows(["zwei", "two", "three", "one"], person)
                try person.wait("the same two") { chosen() == ["three.png, Done", "one.png, Done"] }
                try person.search("three")
                try person.wait("what is found") { person.rows == ["three.png, Done"] }
                try person.wait("it, as before") { chosen() == ["three.png, Done"] }
                try person.close()
            }
        }
    }

    func testAPhotoThatIsOpenedIsPagedThroughInTheOrderThatWasChosen() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, folder in
                try FileManager.default.copyItem(
                    at: photos.appending(path: "two.png"), to: photos.appending(path: "three.png"))
                let settings = folder.appending(path: "settings")
                let person = try OwnPhotosTests.start([photos.path], settings)
                try Self.waitForRows(["one", "three", "two"], person)
                try Self.choose(.reversed, person)
                try Self.waitForRows(["two", "three", "one"], person)
                try person.close()

                let next = try OwnPhotosTests.start([photos.appending(path: "three.png").path], settings)
                try next.wait("it in large") { next.numberInLarge(of: 3) == 2 }
                try next.focus()
                try next.keys("Page_Down")
                try next.wait("the next one") { next.numberInLarge(of: 3) == 3 }
                try next.keys("Escape")
                try next.wait("the photo that was seen last") { next.isChosen("one.png, Done") }
                try next.close()
            }
        }
    }

    func testPhotosAreOrderedByName() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, folder in
                let catalog = folder.appending(path: "names.csv")
                let lines = ["name,url", "b,photos/one.png", "a 10,photos/one.png", "a 2,photos/two.png", ""]
                try Data(lines.joined(separator: "\n").utf8).write(to: catalog)
                let person = try OwnPhotosTests.start([catalog.path], folder.appending(path: "settings"))
                @MainActor func wait(_ names: [String]) throws {
                    try person.wait("rows \(names)") { person.rows == names.map { "\($0), Done" } }
                }
                try wait(["b", "a 10", "a 2"])
                try Self.choose(.name, person)
                try wait(["a 2", "a 10", "b"])
                try Self.choose(.reversed, person)
                try wait(["b", "a 10", "a 2"])
                try Self.choose(.reversed, person)
                try wait(["a 2", "a 10", "b"])
                try Self.choose(.catalog, person)
                try wait(["b", "a 10", "a 2"])
                try person.close()
            }
        }
    }

    func testPhotosAreOrderedByState() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, folder in
                let catalog = folder.appending(path: "states.csv")
                let lines = ["name,url", "x,photos/one.png", "y,photos/none.png", "z,photos/two.png", ""]
                try Data(lines.joined(separator: "\n").utf8).write(to: catalog)
                let person = try OwnPhotosTests.start([catalog.path], folder.appending(path: "settings"))
                let (x, y, z) = ("x, Done", "y, The file is not there", "z, Done")
                try person.wait("the photos") { person.rows == [x, y, z] }
                // What needs a person comes first.
                try Self.choose(.state, person)
                try person.wait("the one that is missing at the top") { person.rows == [y, x, z] }
                try Self.choose(.reversed, person)
                try person.wait("it at the bottom") { person.rows == [z, x, y] }
                try Self.choose(.reversed, person)
                try person.wait("it at the top again") { person.rows == [y, x, z] }
                // Once it is there it is as the others are.
                try FileManager.default.copyItem(
                    at: photos.appending(path: "one.png"), to: photos.appending(path: "none.png"))
                try person.focus()
                try person.keys("F5")
                try person.wait("the photo") { Set(person.rows) == [x, "y, Done", z] }
                // Where it is only moves when somebody chooses the order again.
                XCTAssertEqual(person.rows.first, "y, Done")
                try Self.choose(.state, person)
                try person.wait("all as the catalog has them") { person.rows == [x, "y, Done", z] }
                try person.close()
            }
        }
    }

    func testPhotosOfTheWebAreSaidToHaveNoFiles() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { _, folder in
                let catalog = folder.appending(path: "web.csv")
                try Data("name,url\nb,http://127.0.0.1:9/b\na,http://127.0.0.1:9/a\n".utf8).write(to: catalog)
                let person = try OwnPhotosTests.start([catalog.path], folder.appending(path: "settings"))
                try person.wait("the photos") { person.rows.count == 2 }
                try Self.choose(.size, person)
                try person.wait("why nothing has changed") {
                    person.sees("These photos have no files on this computer that they could be ordered by.")
                }
                XCTAssertTrue(person.rows.first?.hasPrefix("b,") ?? false)
                try person.close()
            }
        }
    }

    // MARK: Helpers

    @MainActor private static func waitForRows(_ names: [String], _ person: Person) throws {
        try person.wait("rows \(names)") { person.rows == names.map { "\($0).png, Done" } }
    }

    @MainActor private static func choose(_ entry: Entry, _ person: Person) throws {
        try person.press("View and order") { person.sees("By File Size") }
        try person.focus()
        try person.keys(Array(repeating: "Down", count: entry.rawValue) + ["Return"])
        try person.wait("the end of the menu") { !person.sees("By File Size") }
    }
}
