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
                    let parts = tr("This _Photo").split(separator: "_", omittingEmptySubsequences: false)
                    let (one, key) = (parts.joined(), parts[1].prefix(1).lowercased())
                    try person.press(tr("Look"), isLarge: true) { person.sees(one) }
                    try person.keys("alt+\(key)")
                    try person.wait("the look for it") { person.isOn(one) }
                    try person.keys("Right", "Right")
                    try Screen.park()
                    try photographer.take(scenes[0])
                    try person.keys("Escape", "l")
                    try person.wait("the looks") { person.sees("Xpro2") }
                    try Screen.park()
                    try photographer.take(scenes[1])
                    try person.keys("Escape", "Escape")
                    let name = String(first.prefix { $0 != "," })
                    try person.wait("its look in its row") { !person.rows.contains(first) && person.sees(name) }
                    try Screen.park()
                    try photographer.take(scenes[2])
                }
            }
        }
    }
}
