public import CGtk

extension Bool: SignalValue, SignalResult {
    public static func accepts(_ type: GType) -> Bool { type == cgtk_fundamental_boolean() }
    public init(reading value: UnsafePointer<GValue>) { self = g_value_get_boolean(value) != 0 }
    public func write(to value: UnsafeMutablePointer<GValue>?) {
        if let value { g_value_set_boolean(value, self ? 1 : 0) }
    }
}

extension Int32: SignalValue, SignalResult {
    public static func accepts(_ type: GType) -> Bool { type == cgtk_fundamental_int() }
    public init(reading value: UnsafePointer<GValue>) { self = g_value_get_int(value) }
    public func write(to value: UnsafeMutablePointer<GValue>?) {
        if let value { g_value_set_int(value, self) }
    }
}

extension UInt32: SignalValue {
    public static func accepts(_ type: GType) -> Bool { type == cgtk_fundamental_uint() }
    public init(reading value: UnsafePointer<GValue>) { self = g_value_get_uint(value) }
}

extension Double: SignalValue {
    public static func accepts(_ type: GType) -> Bool { type == cgtk_fundamental_double() }
    public init(reading value: UnsafePointer<GValue>) { self = g_value_get_double(value) }
}

/// An object, a boxed value or a variant that a signal brings; it is valid during the call.
public struct SignalPointer: SignalValue {
    /// The pointer, if there is one.
    public let pointer: OpaquePointer?

    public static func accepts(_ type: GType) -> Bool {
        let kind = cgtk_fundamental(type)
        return kind == cgtk_fundamental_object() || kind == cgtk_fundamental_interface()
            || kind == cgtk_fundamental_boxed() || kind == cgtk_fundamental_variant() || type == g_value_get_type()
    }

    public init(reading value: UnsafePointer<GValue>) {
        switch cgtk_fundamental(cgtk_value_type(value)) {
        case cgtk_fundamental_boxed(): pointer = g_value_get_boxed(value).map { OpaquePointer($0) }
        case cgtk_fundamental_variant(): pointer = g_value_get_variant(value)
        default: pointer = g_value_get_object(value).map { OpaquePointer($0) }
        }
    }
}

/// The answer of a handler whose signal takes none.
public struct NoResult: SignalResult {
    public init() {}
    public func write(to value: UnsafeMutablePointer<GValue>?) {}
}

/// Connects a closure that answers nothing; see the other `connect`.
@discardableResult
public func connect<each Argument: SignalValue>(
    _ object: OpaquePointer, _ signal: String, _ handler: @escaping @MainActor (repeat each Argument) -> Void
) -> gulong {
    connect(object, signal) { (arguments: repeat each Argument) -> NoResult in
        handler(repeat each arguments)
        return NoResult()
    }
}

/// Connects a closure that answers nothing, for a class whose layout is known; see the other `connect`.
@discardableResult
public func connect<Object, each Argument: SignalValue>(
    _ object: UnsafeMutablePointer<Object>, _ signal: String,
    _ handler: @escaping @MainActor (repeat each Argument) -> Void
) -> gulong {
    connect(OpaquePointer(object), signal, handler)
}

extension String: SignalValue {
    public static func accepts(_ type: GType) -> Bool { type == cgtk_fundamental_string() }
    public init(reading value: UnsafePointer<GValue>) {
        self = g_value_get_string(value).map { String(cString: $0) } ?? ""
    }
}
