import Foundation
import XCTest

extension Scenes {
    /// The size of the recording: what README shows without making letters smaller.
    private static let recorded = (width: 960, height: 880)

    /// README's recording: the sample over its slow network, with the operations panel, scrolled, and with another look.
    ///
    /// It is only made where it is asked for. The pauses are what somebody who watches needs.
    func takeRecording() throws {
        guard photographer.isAskedFor("recording") else { return }
        try photographer.run([], layout: "grid", size: Self.recorded) { person in
            try person.wait("the first page") { person.sees(tr("See the _Sample")) }
            try Screen.park()
            let film = try photographer.film(size: Self.recorded)
            defer { film.end() }
            pause(500)
            // What opens by the pointer needs the room that the panel takes.
            try person.press(tr("See the _Sample")) { !person.rows.isEmpty }
            try Screen.park()
            try person.keys("F9")
            try person.wait("the panel") { person.sees(tr("Download queue")) }
            // So slow that one sees what is scrolled past cancelled, and the rest arrive.
            try person.wait("the slider") { person.set(tr("Rate"), to: 2) }
            pause(600)
            for _ in 0..<3 {
                try Screen.click(x: 300, y: 160, button: 5, times: 3)
                pause(700)
            }
            try Screen.park()
            try person.wait("the last photos") { person.rows.last?.hasSuffix(", " + tr("Done")) ?? false }
            pause(800)
            try person.keys("F9")
            try person.press(tr("Look")) { person.sees(tr("Original")) }
            try Screen.park()
            pause(700)
            for _ in 0..<3 {
                try person.keys("Right")
                pause(450)
            }
            try person.keys("Escape")
            pause(1_000)
        }
    }

    /// A recording is watched by a person: it lasts so long on purpose. Nothing is tested, and nothing waited for.
    private func pause(_ milliseconds: UInt32) { usleep(milliseconds * 1_000) }
}

/// Keeps copies of the screen, one after the other, until it ends.
final class Film {
    private let camera = Process()

    /// - Parameters:
    ///   - screen: The file that the X server keeps its screen in.
    ///   - part: Which part of it is of interest, as X says it: width, height and place. It is kept in the file `part`.
    ///   - folder: The folder of the copies. The name of each is the time at which it was taken, in milliseconds.
    init(of screen: String, _ part: String, into folder: URL) throws {
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(part.utf8).write(to: folder.appending(path: "part"))
        camera.executableURL = URL(filePath: "/usr/bin/env")
        let loop = #"while cp "$1" "$2/$(date +%s%3N).xwd"; do sleep 0.08; done"#
        camera.arguments = ["setpriv", "--pdeathsig", "TERM", "bash", "-c", loop, "-", screen, folder.path]
        try camera.run()
    }

    func end() {
        camera.terminate()
        camera.waitUntilExit()
    }
}

extension Photographer {
    /// Begins to film the window.
    func film(size: (width: Int, height: Int)) throws -> Film {
        let screen = try XCTUnwrap(
            ProcessInfo.processInfo.environment["CLASSICPHOTOS_SCREENSHOTS_SCREEN"], "Scripts/screenshots names it")
        return try Film(
            of: screen, "\(size.width)x\(size.height)+\(Self.border)+\(Self.border)",
            into: output.appending(path: "recording"))
    }
}
