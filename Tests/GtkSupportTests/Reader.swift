import CAtspi
import Foundation
import XCTest

/// Sees a program as a screen reader does: by roles, names and states.
///
/// Everything that is asked may be gone the next moment; then the answer is nil, and whoever waits asks again.
@MainActor final class Reader {
    /// A thing on the screen.
    final class Element {
        fileprivate let accessible: UnsafeMutablePointer<AtspiAccessible>

        fileprivate init?(_ accessible: UnsafeMutablePointer<AtspiAccessible>?) {
            guard let accessible else { return nil }
            self.accessible = accessible
        }

        deinit { g_object_unref(accessible) }

        var name: String { Reader.text { atspi_accessible_get_name(accessible, nil) } ?? "" }
        var role: AtspiRole { atspi_accessible_get_role(accessible, nil) }

        var children: [Element] {
            let count = atspi_accessible_get_child_count(accessible, nil)
            guard count > 0 else { return [] }
            return (0..<count).compactMap { Element(atspi_accessible_get_child_at_index(accessible, $0, nil)) }
        }

        /// Where it is in its window, in pixels; nil where it never had a place, as what is on other pages.
        var frame: (x: Int, y: Int, width: Int, height: Int)? {
            guard let component = atspi_accessible_get_component_iface(accessible) else { return nil }
            defer { g_object_unref(component) }
            guard let rectangle = atspi_component_get_extents(component, ATSPI_COORD_TYPE_WINDOW, nil) else {
                return nil
            }
            defer { g_free(rectangle) }
            let found = rectangle.pointee
            return found.width > 0 ? (Int(found.x), Int(found.y), Int(found.width), Int(found.height)) : nil
        }

        /// Whether it is in a state, such as chosen.
        func has(_ state: AtspiStateType) -> Bool {
            guard let states = atspi_accessible_get_state_set(accessible) else { return false }
            defer { g_object_unref(states) }
            return atspi_state_set_contains(states, state) != 0
        }

        /// Sets the value of a slider.
        func set(_ value: Double) -> Bool {
            guard let slider = atspi_accessible_get_value_iface(accessible) else { return false }
            defer { g_object_unref(slider) }
            return atspi_value_set_current_value(slider, value, nil) != 0
        }
    }

    private let program: String
    /// What the app calls its list of photos, in the language of its user.
    var listName = "Photos"

    init(program: String) throws {
        guard SessionBus.address != nil else { throw XCTSkip("there is no message bus (dbus-daemon)") }
        guard atspi_init() <= 1 else { throw XCTSkip("there is no accessibility bus (at-spi2-core)") }
        self.program = program
        atspi_set_timeout(5_000, 60_000)
        guard let desktop = Element(atspi_get_desktop(0)) else { return }
        // What a test asks for is what is there now.
        atspi_accessible_set_cache_mask(desktop.accessible, ATSPI_CACHE_NONE)
    }

    /// The windows of the program.
    private var windows: [Element] {
        guard let desktop = Element(atspi_get_desktop(0)) else { return [] }
        return desktop.children.filter {
            // Emptying the desktop's cache would do that, too, and may go round in circles for ever: paths on the bus are
            // used again, so that what is remembered may be its own ancestor.
            atspi_accessible_set_cache_mask($0.accessible, ATSPI_CACHE_NONE)
            return $0.name == program
        }.flatMap(\.children)
    }

    /// The first thing that is such, from the windows downwards.
    ///
    /// - Parameter row: How the name of the row begins that is looked into too.
    func first(inRow row: String? = nil, _ isSuch: (Element) -> Bool) -> Element? {
        var next = windows
        var seen = 0
        while !next.isEmpty, seen < 20_000 {
            var further: [Element] = []
            for element in next {
                seen += 1
                if isSuch(element) { return element }
                // There are hundreds of rows; most that is in them their names say too.
                let isRow = element.role == ATSPI_ROLE_LIST_ITEM
                if !isRow || row.map(element.name.hasPrefix) ?? false { further += element.children }
            }
            next = further
        }
        return nil
    }

    /// The first thing of a name that has a place in a window.
    func element(named name: String, role: AtspiRole? = nil, inRow row: String? = nil) -> Element? {
        first(inRow: row) { $0.name == name && (role == nil || $0.role == role) && $0.frame != nil }
    }

    /// The last thing of a name that has a place in a window: of pages with the same names the one that was made last.
    func lastElement(named name: String) -> Element? {
        var last: Element?
        _ = first {
            if $0.name == name, $0.frame != nil { last = $0 }
            return false
        }
        return last
    }

    /// The names of the rows, in their order: those on screen and some around them.
    var rows: [String] {
        first { $0.name == listName }?.children.map(\.name) ?? []
    }

    private nonisolated static func text(_ get: () -> UnsafeMutablePointer<CChar>?) -> String? {
        guard let text = get() else { return nil }
        defer { g_free(text) }
        return String(cString: text)
    }
}
