import CAtspi
import Foundation

extension Scenes {
    /// A look that one photo alone has, and all looks beside each other.
    func takeOwnLooks() throws {
        for (prefix, size) in [("", Photographer.size), ("narrow-", (width: 360, height: 640))] {
            let scenes = ["look-of-one", "side-by-side", "own-looks"].map { prefix + $0 }
            guard scenes.contains(where: { photographer.wants($0) }) else { continue }
            try withPhotos { catalog in
                try photographer.run([catalog], size: size) { person in
                    try waitForRows(person)
                    let first = person.rows[0]
                    try person.press(first) { person.sees(first, role: ATSPI_ROLE_IMAGE) }
                    let one = tr("This _Photo")
                    let told = tr("{count} photo has a look of its own.").replacing("{count}", with: "1")
                    try person.press(tr("Look"), isLarge: true) { person.sees(one) }
                    try person.keys("alt+\(photographer.mnemonic(of: "This _Photo"))")
                    try person.wait("the look for it") { person.isOn(one) }
                    try person.keys("Right", "Right")
                    try person.wait("what is said of it") { person.sees(told) }
                    try Screen.park()
                    try photographer.take(scenes[0])
                    try person.keys("Escape")
                    try person.wait("the end of the chooser") { !person.sees(one) }
                    try person.keys("l")
                    try person.wait("the looks") { person.sees("Xpro2") }
                    try Screen.park()
                    try photographer.take(scenes[1])
                    try person.keys("Escape", "Escape")
                    try person.wait("its look in its row") {
                        person.rows.count > 1 && !person.rows.contains(first)
                    }
                    try Screen.park()
                    try photographer.take(scenes[2])
                }
            }
        }
    }
}
