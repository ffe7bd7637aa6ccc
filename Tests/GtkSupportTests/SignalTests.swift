import CGtk
import GtkSupport
import XCTest

final class SignalTests: GtkTestCase {
    func testHandlersGetTheirArgumentsAndAnswer() throws {
        try MainActor.assumeIsolated {
            let button = try XCTUnwrap(gtk_toggle_button_new())
            let kept = ObjectReference(OpaquePointer(button))
            var toggles = 0
            connect(button, "toggled") { toggles += 1 }
            gtk_toggle_button_set_active(cast(button), 1)
            XCTAssertEqual(toggles, 1)
            var names: [Bool] = []
            connect(button, "notify::active") { (parameter: SignalAny) in names.append(parameter.isThere) }
            gtk_toggle_button_set_active(cast(button), 0)
            XCTAssertEqual(names, [true])
            connect(button, "mnemonic-activate") { (cycles: Bool) -> Bool in
                XCTAssertTrue(cycles)
                return true
            }
            XCTAssertEqual(gtk_widget_mnemonic_activate(button, 1), 1)
            withExtendedLifetime(kept) {}
        }
    }

    func testAHandlerIsGoneWithItsObject() throws {
        try MainActor.assumeIsolated {
            final class Witness {}
            weak var witness: Witness?
            do {
                let label = try XCTUnwrap(gtk_label_new("text"))
                let kept = ObjectReference(OpaquePointer(label))
                let held = Witness()
                witness = held
                connect(label, "map") { _ = held }
                XCTAssertNotNil(witness)
                withExtendedLifetime(kept) {}
            }
            XCTAssertNil(witness)
        }
    }
}

/// Whatever a parameter is.
private struct SignalAny: SignalValue {
    let isThere: Bool
    static func accepts(_ type: GType) -> Bool { true }
    init(reading value: UnsafePointer<GValue>) { isThere = true }
}
