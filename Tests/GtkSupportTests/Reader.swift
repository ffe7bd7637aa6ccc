import CAtspi
import Foundation
import XCTest

/// Sees a program as a screen reader does: by roles, names and states.
///
/// Everything that is asked may be gone the next moment; then the answer is nil, and whoever waits asks again.
@MainActor final class Reader {
    /// A thing on the screen.
    struct Element: Equatable {
        fileprivate let reference: AccessibilityBus.Reference
        fileprivate let item: AccessibilityBus.Item
        fileprivate let bus: AccessibilityBus

        var name: String { item.name }
        var description: String { item.description }
        var role: AtspiRole { AtspiRole(item.role) }

        /// Where it is in its window, in pixels; nil where it never had a place, as what is on other pages.
        @MainActor var frame: (x: Int, y: Int, width: Int, height: Int)? {
            bus.frame(of: reference).flatMap { $0.width > 0 ? $0 : nil }
        }

        /// Whether it is in a state, such as chosen.
        func has(_ state: AtspiStateType) -> Bool { item.states >> UInt64(state.rawValue) & 1 == 1 }

        /// Whether they are the same thing, whatever the program says of it by now.
        static func == (one: Element, other: Element) -> Bool { one.reference == other.reference }

        /// Sets the value of a slider.
        @MainActor func set(_ value: Double) -> Bool { bus.set(reference, to: value) }
    }

    private let program: String
    private let bus: AccessibilityBus
    /// What the app calls its list of photos, in the language of its user.
    var listName = "Photos"

    init(program: String) throws {
        guard SessionBus.address != nil else { throw XCTSkip("there is no message bus (dbus-daemon)") }
        guard let bus = AccessibilityBus.shared else { throw XCTSkip("there is no accessibility bus (at-spi2-core)") }
        self.program = program
        self.bus = bus
    }

    /// The first thing that is such, from the windows downwards.
    ///
    /// - Parameter row: How the name of the row begins that is looked into too.
    func first(inRow row: String? = nil, _ isSuch: (Element) -> Bool) -> Element? {
        var known: [AccessibilityBus.Reference: AccessibilityBus.Item] = [:]
        var next = bus.children(of: bus.programs(named: program))
        var seen = 0
        while !next.isEmpty, seen < 20_000 {
            let level = elements(next, &known)
            seen += next.count
            if let found = level.first(where: isSuch) { return found }
            // There are hundreds of rows and cells; most that is in them their names say too. What is in a tip has the name of what the tip
            // tells of, and a place that is counted from the tip's corner.
            let further = level.filter { element in
                if element.name == "GtkTooltipWindow" { return false }
                let isRow = [ATSPI_ROLE_LIST_ITEM, ATSPI_ROLE_TABLE_CELL].contains(element.role)
                return !isRow || row.map(element.name.hasPrefix) ?? false
            }
            next = bus.children(of: further.map(\.reference))
        }
        return nil
    }

    /// What the program says of things.
    ///
    /// - Parameter known: What it has said of others; it is asked again where one of these is not among them.
    private func elements(
        _ references: [AccessibilityBus.Reference], _ known: inout [AccessibilityBus.Reference: AccessibilityBus.Item]
    ) -> [Element] {
        for program in Set(references.filter { known[$0] == nil }.map(\.program)) {
            known.merge(bus.items(of: program)) { $1 }
        }
        return references.compactMap { reference in
            known[reference].map { Element(reference: reference, item: $0, bus: bus) }
        }
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
        guard let list = first({ $0.name == listName }) else { return [] }
        var known: [AccessibilityBus.Reference: AccessibilityBus.Item] = [:]
        return elements(bus.children(of: [list.reference]), &known).map(\.name)
    }
}
