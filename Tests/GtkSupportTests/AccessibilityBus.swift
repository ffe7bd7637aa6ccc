import CGtk
import Foundation
import XCTest

/// The bus on which programs tell screen readers what is in their windows.
///
/// A list has hundreds of rows, and each answer is a trip to the program and back. So what is asked of many things is
/// asked at once, and what a program says of all things that it knows to be asked for comes in one answer. By libatspi,
/// which asks for each thing by itself, a look at a window took some thousand trips.
@MainActor final class AccessibilityBus {
    /// A thing in a program.
    struct Reference: Hashable {
        /// The program's name on the bus.
        let program: String
        let path: String

        static let registry = Reference(
            program: "org.a11y.atspi.Registry", path: "/org/a11y/atspi/accessible/root")
    }

    /// What a program says of a thing.
    struct Item {
        let name: String
        /// What is said after the name.
        let description: String
        let role: UInt32
        /// A bit for each state.
        let states: UInt64
    }

    /// Nil where it cannot be reached.
    static let shared = AccessibilityBus()

    private let connection: OpaquePointer
    /// Answers arrive while somebody waits for them, and nothing else of this process goes on meanwhile.
    private let context = g_main_context_new()

    private init?() {
        guard let address = SessionBus.address, let session = Self.connect(address) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(session)) }
        let reply = g_dbus_connection_call_sync(
            session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", nil, nil,
            G_DBUS_CALL_FLAGS_NONE, 60_000, nil, nil)
        guard let own = reply.map(Value.init)?[0].text, let connection = Self.connect(own) else { return nil }
        self.connection = connection
    }

    private static func connect(_ address: String) -> OpaquePointer? {
        let flags = GDBusConnectionFlags(
            G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
        return g_dbus_connection_new_for_address_sync(address, flags, nil, nil, nil)
    }

    /// The programs of a name; more than one while another comes to its end.
    func programs(named name: String) -> [Reference] {
        let programs = children(of: [.registry])
        let names = ask(programs, "org.freedesktop.DBus.Properties", "Get") {
            .tuple([.text("org.a11y.atspi.Accessible"), .text("Name")])
        }
        return zip(programs, names).filter { $1?[0].inner.text == name }.map(\.0)
    }

    /// The children of things, in their order; none of things that are gone.
    func children(of parents: [Reference]) -> [Reference] {
        ask(parents, "org.a11y.atspi.Accessible", "GetChildren").flatMap { reply in
            reply?[0].children.map(\.reference) ?? []
        }
    }

    /// What a program says of all things that somebody was told of as children of others.
    func items(of program: String) -> [Reference: Item] {
        let cache = Reference(program: program, path: "/org/a11y/atspi/cache")
        let items = ask([cache], "org.a11y.atspi.Cache", "GetItems")[0]?[0].children ?? []
        return Dictionary(
            items.map { item in
                let states = item[9].children.map { UInt64($0.number) }
                let bits = states.count == 2 ? states[0] | states[1] << 32 : 0
                return (
                    item[0].reference,
                    Item(
                        name: item[6].text ?? "", description: item[8].text ?? "", role: item[7].number, states: bits)
                )
            }, uniquingKeysWith: { $1 })
    }

    /// Where a thing is in its window, in pixels.
    ///
    /// GTK 4.18 takes the border of the window from the places of the window and of all that is in it, and does so once more for what is in
    /// it. Of other containers it takes what is around their content as well; that is a few pixels, and stays.
    func frame(of thing: Reference) -> (x: Int, y: Int, width: Int, height: Int)? {
        guard let told = extents(of: thing) else { return nil }
        let program = Reference(program: thing.program, path: Reference.registry.path)
        guard let window = children(of: [program]).first, window != thing, let border = extents(of: window) else {
            return told
        }
        return (told.x - 2 * border.x, told.y - 2 * border.y, told.width, told.height)
    }

    /// What a program says of the place of a thing.
    private func extents(of thing: Reference) -> (x: Int, y: Int, width: Int, height: Int)? {
        // 1 is the window, 0 would be the screen.
        let reply = ask([thing], "org.a11y.atspi.Component", "GetExtents") { .tuple([.number(1)]) }[0]
        guard let sides = reply?[0].children.map(\.integer), sides.count == 4 else { return nil }
        return (sides[0], sides[1], sides[2], sides[3])
    }

    /// Sets the value of a slider; false where it is none.
    func set(_ thing: Reference, to value: Double) -> Bool {
        ask([thing], "org.freedesktop.DBus.Properties", "Set") {
            .tuple([.text("org.a11y.atspi.Value"), .text("CurrentValue"), .variant(.double(value))])
        }[0] != nil
    }

    /// Asks many things the same, without waiting in between.
    ///
    /// - Returns: The answer of each; nil where it is gone or says that it cannot.
    private func ask(
        _ things: [Reference], _ interface: String, _ method: String, _ arguments: () -> Argument? = { nil }
    ) -> [Value?] {
        g_main_context_push_thread_default(context)
        defer { g_main_context_pop_thread_default(context) }
        let answers = things.map { thing in
            let answer = Answer()
            g_dbus_connection_call(
                connection, thing.program, thing.path, interface, method, arguments()?.variant, nil,
                G_DBUS_CALL_FLAGS_NO_AUTO_START, 10_000, nil,
                { source, result, answer in
                    guard let answer else { return }
                    let reply = g_dbus_connection_call_finish(source.map { OpaquePointer($0) }, result, nil)
                    Unmanaged<Answer>.fromOpaque(answer).takeRetainedValue().arrive(reply)
                }, Unmanaged.passRetained(answer).toOpaque())
            return answer
        }
        for answer in answers { while !answer.isThere { g_main_context_iteration(context, 1) } }
        return answers.map(\.value)
    }

    /// What somebody waits for. Only the main thread has to do with it.
    private final class Answer {
        private(set) var isThere = false
        private(set) var value: Value?

        func arrive(_ reply: OpaquePointer?) {
            isThere = true
            value = reply.map(Value.init)
        }
    }

    /// A value that came over the bus.
    private final class Value {
        private let variant: OpaquePointer

        /// Takes over the reference.
        init(_ variant: OpaquePointer) { self.variant = variant }
        deinit { g_variant_unref(variant) }

        subscript(index: Int) -> Value { Value(g_variant_get_child_value(variant, gsize(index))) }
        var children: [Value] { (0..<Int(g_variant_n_children(variant))).map { self[$0] } }
        /// What is in a value of any type.
        var inner: Value { Value(g_variant_get_variant(variant)) }
        var text: String? { g_variant_get_string(variant, nil).map { String(cString: $0) } }
        var number: UInt32 { g_variant_get_uint32(variant) }
        var integer: Int { Int(g_variant_get_int32(variant)) }

        @MainActor var reference: Reference { Reference(program: self[0].text ?? "", path: self[1].text ?? "") }
    }

    /// A value to send.
    private indirect enum Argument {
        case text(String)
        case number(UInt32)
        case double(Double)
        case variant(Argument)
        case tuple([Argument])

        /// It belongs to whoever sends it.
        var variant: OpaquePointer? {
            switch self {
            case .text(let text): return g_variant_new_string(text)
            case .number(let number): return g_variant_new_uint32(number)
            case .double(let number): return g_variant_new_double(number)
            case .variant(let inner): return g_variant_new_variant(inner.variant)
            case .tuple(let members):
                let variants = members.map(\.variant)
                return g_variant_new_tuple(variants, gsize(variants.count))
            }
        }
    }
}
