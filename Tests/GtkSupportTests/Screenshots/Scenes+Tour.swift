extension Scenes {
    /// Steps of the guided tour before and after they are shown.
    func takeTour() throws {
        let sizes = [("tour", Photographer.size), ("narrow-tour", (width: 360, height: 640))]
        for (scene, size) in sizes where photographer.wants(scene) {
            try photographer.run([], size: size) { person in
                try person.wait("the first page") { person.sees(tr("Open _Folder…")) }
                try person.keys("shift+F1")
                for title in [
                    "The list that blocks", "Work in the background", "Operations with dependencies", "States",
                    "Cancelling what scrolled away", "Suspending while scrolling", "Asynchronous operations",
                    "Failures, and trying again", "Testing with a seeded scheduler", "Reading the trace",
                    "Three ways, side by side",
                ] {
                    try person.wait(title) { person.sees(tr(title)) }
                    if title == "Testing with a seeded scheduler" {
                        try photographer.take("\(scene)-testing", of: scene)
                    } else {
                        let show = tr("Show _Me"), shown = tr("Being shown")
                        if title == "The list that blocks" { try photographer.take("\(scene)-first", of: scene) }
                        try person.press(show) { person.sees(shown) }
                        try person.wait("the end") { !person.sees(shown) }
                        try Screen.park()
                        let name = title.split(separator: " ").joined(separator: "-").filter { $0 != "," }.lowercased()
                        try photographer.take("\(scene)-\(name)", of: scene, ofRest: false)
                    }
                    if title != "Three ways, side by side" { try person.press(tr("_Next")) { !person.sees(tr(title)) } }
                }
                try person.press(tr("Close the tour")) { !person.sees(tr("Close the tour")) }
            }
        }
    }
}
