import CGtk
import GtkSupport
import XCTest

/// A test that needs GTK and a display.
class GtkTestCase: XCTestCase {
    /// Asked once: GTK says yes to whoever asks again after there was none, and crashes at the first use.
    @MainActor private static let hasDisplay = gtk_init_check() != 0

    override func setUpWithError() throws {
        TestEnvironment.apply()
        try MainActor.assumeIsolated {
            guard Self.hasDisplay else { throw XCTSkip("there is no display; run under xvfb-run") }
            MainLoop.attachMainQueue()
        }
    }

    /// An application for windows of this process. Each has a name of its own, by which the message bus knows its objects for as long as
    /// the process runs.
    @MainActor static func application(named name: String, line: UInt = #line) -> ObjectReference {
        let made: UnsafeMutablePointer<AdwApplication> = adw_application_new(
            "org.classicphotos.Tests.\(name)", G_APPLICATION_NON_UNIQUE)
        let application = ObjectReference(owning: OpaquePointer(made))
        XCTAssertNotEqual(g_application_register(cast(application.pointer), nil, nil), 0, line: line)
        return application
    }

    /// Turns the main loop until a condition is met.
    @MainActor static func wait(
        _ what: @autoclosure () -> String, seconds: Double = 60, file: StaticString = #filePath, line: UInt = #line,
        until isMet: () throws -> Bool
    ) rethrows {
        let end = Date(timeIntervalSinceNow: seconds)
        while try !isMet() {
            guard Date() < end else { return XCTFail("no \(what()) in time", file: file, line: line) }
            if !MainLoop.iterate(mayBlock: false) { usleep(2_000) }
        }
    }
}

/// Values of no type yet, for as long as the body runs.
func withEmptyValues(_ count: Int, _ body: (UnsafeMutablePointer<GValue>) -> Void) {
    let bytes = UnsafeMutableRawBufferPointer.allocate(
        byteCount: count * MemoryLayout<GValue>.stride, alignment: MemoryLayout<GValue>.alignment)
    defer { bytes.deallocate() }
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    if let first = bytes.baseAddress { body(first.assumingMemoryBound(to: GValue.self)) }
}
