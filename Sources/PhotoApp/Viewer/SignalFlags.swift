import CGtk
import GtkSupport

/// The modifier keys that a signal brings.
struct SignalFlags: SignalValue {
    private let bits: UInt32
    static func accepts(_ type: GType) -> Bool { type == gdk_modifier_type_get_type() }
    init(reading value: UnsafePointer<GValue>) { bits = g_value_get_flags(value) }
    var hasControl: Bool { bits & GDK_CONTROL_MASK.rawValue != 0 }
    var hasShift: Bool { bits & GDK_SHIFT_MASK.rawValue != 0 }
}
