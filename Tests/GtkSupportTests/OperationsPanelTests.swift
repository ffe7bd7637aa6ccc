import CAtspi
import CGtk
import Foundation
import GtkSupport
import Operations
import PhotoPipeline
import XCTest

@testable import PhotoApp

/// The panel that draws operations.
final class OperationsPanelTests: GtkTestCase {
    func testPointingAtAPhotoSaysItsTimesAndLanesFold() throws {
        try MainActor.assumeIsolated {
            let person = try Person.atTheSample()
            try person.keys("F9")
            try person.wait("the panel") { person.sees("Main thread") && person.sees("Suspend: Download queue") }
            // What happened before it was opened is not known to it. Who points at a photo while it comes sees how it goes on.
            let row = try XCTUnwrap(person.frame(of: "Morning Mist, Done", role: ATSPI_ROLE_LIST_ITEM))
            try Screen.move(x: row.x + row.width / 2, y: row.y + row.height / 2)
            try person.keys("shift+F5")
            try person.wait("the times of its stages") {
                for x in [0, 3] { try Screen.move(x: row.x + row.width / 2 + x, y: row.y + row.height / 2) }
                guard let text = person.name(beginningWith: "Morning Mist: Download ") else { return false }
                return text.contains(" ms · ") && text.contains("Decode ") && text.contains("Filter ")
            }
            // And who points at a bar sees the row of its photo stand out.
            try person.press("Live") { !person.isOn("Live") }
            let canvas = try XCTUnwrap(person.frame(of: "Operations", role: ATSPI_ROLE_IMAGE))
            var x = canvas.width
            try person.wait("a row that stands out") {
                x = x < 40 ? canvas.width - 6 : x - 24
                try Screen.move(x: canvas.x + x, y: canvas.y + Int(TimelineView.lowHeight) + 8)
                return try Screen.pixelCounts(of: [[28, 113, 216]])[0] > 1_000
            }
            try person.press("Fold: Download queue") { !person.sees("Suspend: Download queue") }
            try person.press("Fold: Download queue") { person.sees("Suspend: Download queue") }
            try person.close()
        }
    }

    func testTheTraceIsWrittenAndOtherwiseItIsSaidWhyNot() throws {
        try MainActor.assumeIsolated {
            let file = FileManager.default.temporaryDirectory.appending(path: "classicphotos-trace-\(UUID()).json")
            defer { try? FileManager.default.removeItem(at: file) }
            let person = try Person.atTheSample()
            try person.keys("F9")
            try person.wait("the panel") { person.sees("Main thread") }
            try person.press("Save Trace…") { try Screen.hasWindow("Save Trace") }
            // Nobody can make a file there.
            try person.answerFileDialog("Save Trace", "/proc/trace.json")
            try person.wait("the reason") {
                person.sees("The Trace Was Not Saved") && person.sees("The file cannot be written: it is not there.")
            }
            try Screen.focusTopWindow()
            try Screen.key("Escape")
            try person.wait("the end of the message") { !person.sees("The Trace Was Not Saved") }
            try person.focus()
            try person.press("Save Trace…") { try Screen.hasWindow("Save Trace") }
            try person.answerFileDialog("Save Trace", file.path)
            try person.wait("the end") { person.sees("The trace was saved.") }
            XCTAssertTrue(try String(contentsOf: file, encoding: .utf8).contains("traceEvents"))
            try person.focus()
            try person.close()
        }
    }

    /// As in a window that is minimized, or on another desktop: no frame is drawn there.
    func testTheTraceIsBoundedAlsoWhereNothingIsDrawn() throws {
        try MainActor.assumeIsolated {
            let pending = PhotoPipeline().pending
            let panel = OperationsPanel(pending)
            let window = try XCTUnwrap(gtk_window_new())
            gtk_window_set_child(cast(window), panel.widget)
            gtk_window_present(cast(window))
            panel.isOpen = true
            Self.wait("a frame") { panel.frames > 0 }
            gtk_widget_set_visible(window, 0)
            let frames = panel.frames
            let queue = pending.decodeQueue
            let count = 3 * OperationsPanel.recordedCount
            for number in 0..<count {
                let operation = BlockOperation {}
                operation.name = "operation \(number)"
                queue.addOperation(operation)
            }
            queue.waitUntilAllOperationsAreFinished()
            XCTAssertEqual(panel.frames, frames)
            let trace = String(decoding: try XCTUnwrap(panel.recorded).chromeTrace(), as: UTF8.self)
            XCTAssertFalse(trace.contains("\"operation 0\""))
            XCTAssertTrue(trace.contains("\"operation \(count - OperationsPanel.recordedCount)\""))
            XCTAssertTrue(trace.contains("\"operation \(count - 1)\""))
            panel.isOpen = false
            gtk_window_destroy(cast(window))
        }
    }

    func testLanesHaveTheRoomThatTheyNeed() {
        MainActor.assumeIsolated {
            let view = TimelineView()
            view.timeline = Timeline(lanes: 3)
            let whole = view.top(ofLane: 3)
            view.folded = [1]
            XCTAssertEqual(whole - view.top(ofLane: 3), TimelineView.laneHeight - TimelineView.lowHeight)
            XCTAssertEqual(view.top(ofLane: 2) - view.top(ofLane: 1), TimelineView.lowHeight)
            view.heightBeside = { $0 == 1 ? 40 : 20 }
            XCTAssertEqual(view.top(ofLane: 2) - view.top(ofLane: 1), 40)
        }
    }

    func testNamesStandBesideTheirLanesAlsoInLargeText() throws {
        try MainActor.assumeIsolated {
            for percent in [100, 200] {
                try Self.withTextSize(percent) {
                    let panel = OperationsPanel(PhotoPipeline().pending)
                    let window = try XCTUnwrap(gtk_window_new())
                    gtk_window_set_child(cast(window), panel.widget)
                    gtk_window_set_default_size(cast(window), 1_000, 900)
                    gtk_window_present(cast(window))
                    panel.isOpen = true
                    Self.wait("lanes beside their names at \(percent) %") { Self.isBesideNames(panel) }
                    let isTaller = panel.view.mainThreadHeight > TimelineView.lowHeight
                    XCTAssertEqual(isTaller, percent == 200, "the text has its size")
                    panel.controls.first?.isFolded = true
                    Self.wait("them with a folded one at \(percent) %") { Self.isBesideNames(panel) }
                    panel.isOpen = false
                    gtk_window_destroy(cast(window))
                }
            }
        }
    }

    /// Whether each lane is as high as its name and buttons, and beside them, and the axis has its room below them.
    @MainActor private static func isBesideNames(_ panel: OperationsPanel) -> Bool {
        guard let canvas = panel.view.canvas?.widget, gtk_widget_get_height(canvas) > 0 else { return false }
        let isBeside = panel.controls.enumerated().allSatisfy { lane, control in
            var (x, y) = (0.0, 0.0)
            return gtk_widget_translate_coordinates(control.widget, canvas, 0, 0, &x, &y) != 0
                && abs(y - panel.view.top(ofLane: lane)) < 1
                && abs(Double(gtk_widget_get_height(control.widget)) - panel.view.height(ofLane: lane)) < 1
        }
        return isBeside && panel.view.top(ofLane: panel.controls.count) + 16 <= Double(gtk_widget_get_height(canvas))
    }

    /// Does something while texts have so many percent of their size, as the desktop's settings may say.
    @MainActor private static func withTextSize(_ percent: Int, _ body: () throws -> Void) rethrows {
        let settings = UnsafeMutableRawPointer(gtk_settings_get_default()).map {
            cast(OpaquePointer($0), to: GObject.self)
        }
        withEmptyValues(1) { value in
            g_value_init(value, cgtk_fundamental_int())
            g_value_set_int(value, gint(96 * 1_024 * percent / 100))
            g_object_set_property(settings, "gtk-xft-dpi", value)
        }
        defer { gtk_settings_reset_property(gtk_settings_get_default(), "gtk-xft-dpi") }
        try body()
    }

    func testABarIsShownFromEndToEnd() throws {
        try MainActor.assumeIsolated {
            let view = TimelineView()
            var timeline = Timeline(lanes: 1)
            let thing = NSObject()
            timeline.add(ObjectIdentifier(thing), "Decode A", for: "a", lane: 0, at: .seconds(1), dependencies: [])
            timeline.start(ObjectIdentifier(thing), at: .seconds(2))
            timeline.finish(ObjectIdentifier(thing), at: .milliseconds(2_004), .done)
            view.timeline = timeline
            view.now = 9
            view.width = 500
            view.zoom(to: try XCTUnwrap(timeline.bars.first))
            XCTAssertEqual(view.window.x(.seconds(2)), 50, accuracy: 0.1)
            XCTAssertEqual(view.window.x(.milliseconds(2_004)), 450, accuracy: 0.1)
            let y = view.top(ofLane: 0) + 5
            XCTAssertEqual(view.bar(x: 100, y: y)?.photo, "A")
            XCTAssertEqual(view.bar(x: 100, y: y)?.address, "a")
            XCTAssertNil(view.bar(x: 20, y: y))
            view.folded = [0]
            XCTAssertEqual(view.bar(x: 100, y: y)?.photo, "A")
            view.mainThread.work(from: .seconds(2), to: .milliseconds(2_001))
            XCTAssertNotNil(view.busy(x: 100, y: 5))
            XCTAssertNil(view.busy(x: 100, y: y))
        }
    }

    func testThePlacesSideBySideAreThoseThatWhatIsSeenNeeds() {
        MainActor.assumeIsolated {
            let view = TimelineView()
            var timeline = Timeline(lanes: 1)
            let things = (0..<5).map { _ in NSObject() }
            for (index, thing) in things.enumerated() {
                timeline.add(ObjectIdentifier(thing), "Decode \(index)", lane: 0, at: .zero, dependencies: [])
                if index < 4 { timeline.start(ObjectIdentifier(thing), at: .zero) }
            }
            for thing in things[..<4] { timeline.finish(ObjectIdentifier(thing), at: .seconds(1), .done) }
            timeline.start(ObjectIdentifier(things[4]), at: .seconds(60))
            view.timeline = timeline
            view.now = 2
            let crowded = Self.drawn(view)
            view.now = 62
            XCTAssertEqual([crowded, Self.drawn(view)], [4, 1])
        }
    }

    /// How many places side by side a picture of the view has.
    @MainActor private static func drawn(_ view: TimelineView) -> Int? {
        guard let snapshot = gtk_snapshot_new() else { return nil }
        view.draw(snapshot, graphene_size_t(width: 600, height: 200))
        g_object_unref(UnsafeMutableRawPointer(snapshot))
        return view.trackCounts.first
    }
}
