import Foundation
import XCTest

/// Who presses a button that answers no more then goes on by the keyboard.
final class KeyboardFocusTests: GtkTestCase {
    func testKeysWorkAtTheLastPhotoAndAtTheFirst() throws {
        try MainActor.assumeIsolated {
            try LargeViewTests.withPhotos { person in
                try person.tab(to: "Next photo")
                try person.keys("Return")
                try person.wait("the last one") { person.numberInLarge(of: 2) == 2 }
                try person.keys("p")
                try person.wait("the first one") { person.numberInLarge(of: 2) == 1 }
                try person.keys("n")
                try person.wait("the last one") { person.numberInLarge(of: 2) == 2 }
                try person.tab(to: "Previous photo")
                try person.keys("Return")
                try person.wait("the first one") { person.numberInLarge(of: 2) == 1 }
                try person.keys("n")
                try person.wait("the last one") { person.numberInLarge(of: 2) == 2 }
            }
        }
    }
}
