public import CGtk

/// A type that a signal can bring.
public protocol SignalValue: SendableMetatype {
    /// Whether a parameter that was declared with this type can be read as this.
    static func accepts(_ type: GType) -> Bool
    /// Reads a parameter that ``accepts(_:)`` its type.
    init(reading value: UnsafePointer<GValue>)
}

/// A type that a handler can answer a signal with.
public protocol SignalResult {
    /// Writes the answer, where the signal takes one.
    func write(to value: UnsafeMutablePointer<GValue>?)
}

/// Connects a closure to a signal.
///
/// The closure's parameters are those of the signal behind the emitting object; their types are compared with the
/// signal's declaration at once, so that a mistake shows when the program starts and not when the signal comes. Trailing
/// parameters may be left out. The closure lives until the object is gone or the handler is disconnected.
///
/// - Parameters:
///   - object: What emits the signal.
///   - signal: The signal's name, with `::detail` where it has one.
///   - handler: Called on the main actor.
/// - Returns: What `g_signal_handler_disconnect` wants to have.
/// - Precondition: the object has such a signal with such parameters.
@discardableResult
public func connect<each Argument: SignalValue, Result: SignalResult>(
    _ object: OpaquePointer, _ signal: String, _ handler: @escaping @MainActor (repeat each Argument) -> Result
) -> gulong {
    var identifier: guint = 0
    var detail: GQuark = 0
    let isKnown = g_signal_parse_name(
        signal, cgtk_instance_type(UnsafeMutableRawPointer(object)), &identifier, &detail, 1)
    precondition(isKnown != 0, "there is no signal “\(signal)”")
    var query = GSignalQuery()
    g_signal_query(identifier, &query)
    var position = 0
    for type in repeat (each Argument).self {
        precondition(position < Int(query.n_params), "“\(signal)” has only \(query.n_params) parameters")
        precondition(type.accepts(query.param_types[position]), "parameter \(position) of “\(signal)” is no \(type)")
        position += 1
    }
    let box = HandlerBox { parameters, result in
        var next = 0
        @MainActor func read<Value: SignalValue>(_ type: Value.Type) -> Value {
            next += 1
            return Value(reading: parameters + next)
        }
        handler(repeat read((each Argument).self)).write(to: result)
    }
    let closure = g_closure_new_simple(guint(MemoryLayout<GClosure>.size), Unmanaged.passRetained(box).toOpaque())
    cgtk_set_marshal(closure) { closure, result, _, parameters, _, _ in
        guard let data = closure?.pointee.data, let parameters else { return }
        Unmanaged<HandlerBox>.fromOpaque(data).takeUnretainedValue().call(parameters, result)
    }
    g_closure_add_finalize_notifier(closure, closure?.pointee.data) { data, _ in
        if let data { Unmanaged<HandlerBox>.fromOpaque(data).release() }
    }
    return g_signal_connect_closure(UnsafeMutableRawPointer(object), signal, closure, 0)
}

/// As above, for a class whose layout is known.
@discardableResult
public func connect<Object, each Argument: SignalValue, Result: SignalResult>(
    _ object: UnsafeMutablePointer<Object>, _ signal: String,
    _ handler: @escaping @MainActor (repeat each Argument) -> Result
) -> gulong {
    connect(OpaquePointer(object), signal, handler)
}

private final class HandlerBox {
    let call: (UnsafePointer<GValue>, UnsafeMutablePointer<GValue>?) -> Void

    init(call: @escaping (UnsafePointer<GValue>, UnsafeMutablePointer<GValue>?) -> Void) {
        self.call = call
    }
}
