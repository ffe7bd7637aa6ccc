import CGtk
import GtkSupport
import XCTest

@testable import PhotoApp

/// The dialogs around saving, in the program of the tests.
final class SaveDialogsTests: GtkTestCase {
    func testARefusalGoesWithTheNextAttemptWhichIsSeen() throws {
        try MainActor.assumeIsolated {
            var answers: [CheckedContinuation<String?, Never>] = []
            let hands = SaveAllDialog.Hands(
                choosePlace: { _, _ in },
                save: { _, _ in await withCheckedContinuation { answers.append($0) } })
            SaveAllDialog.show(over: nil, "All photos", "folder", SaveAllChoices(), hands)
            let dialog = try XCTUnwrap(ReleaseTests.window(titled: "Save All Photos"))
            @MainActor func texts() -> [String] { ReleaseTests.texts(below: dialog) }
            @MainActor func save() { gtk_widget_activate(gtk_window_get_default_widget(cast(dialog))) }
            XCTAssertFalse(texts().contains("Preparing…"))
            save()
            Self.wait("that it goes on") { texts().contains("Preparing…") }
            try XCTUnwrap(answers.popLast()).resume(returning: "The folder is taken.")
            Self.wait("the refusal") { texts().contains("The folder is taken.") && !texts().contains("Preparing…") }
            save()
            Self.wait("the next attempt") { !answers.isEmpty }
            XCTAssertFalse(texts().contains("The folder is taken."))
            Self.wait("that it goes on") { texts().contains("Preparing…") }
            let kept = WeakObject(dialog)
            try XCTUnwrap(answers.popLast()).resume(returning: nil)
            Self.wait("the end of the dialog") { !kept.isAlive }
        }
    }

    /// A save that somebody would take for one that hangs.
    private final class WaitingSave: PausableSave {
        var progress: Double? = 0.25
        var promised: [String] = []
        var isPaused = false
        var isWaitingForNetwork = false
        func start() {}
        func cancel() {}
    }

    func testALineSaysWhatItsSaveWaitsFor() throws {
        try MainActor.assumeIsolated {
            let job = WaitingSave()
            let line = SaveLine(job, "Saving 4 photos…", PhotosPause(isOn: { false }, end: {}), onLeave: {})
            // Nothing else holds it.
            let widget = try XCTUnwrap(line.widget)
            g_object_ref_sink(widget)
            defer { g_object_unref(widget) }
            @MainActor func state() -> String? {
                line.update()
                return ReleaseTests.texts(below: widget).last
            }
            XCTAssertEqual(state(), "25 %")
            job.isWaitingForNetwork = true
            XCTAssertEqual(state(), "Waiting for the network · 25 %")
            // What the person has said comes first.
            job.isPaused = true
            XCTAssertEqual(state(), "Paused · 25 %")
            (job.isPaused, job.isWaitingForNetwork) = (false, false)
            XCTAssertEqual(state(), "25 %")
        }
    }

    func testALongMessageKeepsItsButtonInTheWindow() throws {
        try MainActor.assumeIsolated {
            let application = Self.application(named: "Messages")
            let lines = (1...8).map { "Photo \($0): There is no such picture on the server (404)" }
            MessageDialog.showAlone(
                application.pointer, "Not All Photos Were Saved",
                "8 photos were not saved:\n" + lines.joined(separator: "\n"))
            let window = try XCTUnwrap(ReleaseTests.window(titled: "Classic Photos"))
            defer { gtk_window_destroy(cast(window)) }
            @MainActor func bottom() -> Float? {
                var bounds = graphene_rect_t()
                guard
                    let button = ReleaseTests.buttons(below: window).first(where: {
                        gtk_button_get_label(cast($0)).map { String(cString: $0) } == "_Close"
                    }), gtk_widget_compute_bounds(button, window, &bounds) != 0
                else { return nil }
                return bounds.origin.y + bounds.size.height
            }
            Self.wait("the button in its place") { (bottom() ?? 0) > 100 }
            XCTAssertLessThan(try XCTUnwrap(bottom()), Float(gtk_widget_get_height(window)))
        }
    }
}
