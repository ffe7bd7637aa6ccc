import CGtk

/// The pointer as another of its classes; GObject's instances begin with their parent's.
///
/// Swift takes what C hands out for optional, and C takes it back as such.
public func cast<From, To>(
    _ pointer: UnsafeMutablePointer<From>?, to _: To.Type = To.self
) -> UnsafeMutablePointer<To>? {
    pointer.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: To.self) }
}

/// A final class or an interface as a class whose layout is known.
public func cast<To>(_ pointer: OpaquePointer, to _: To.Type = To.self) -> UnsafeMutablePointer<To> {
    UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: To.self)
}

/// A GObject that is kept for as long as this.
@MainActor public final class ObjectReference {
    /// The object.
    public let pointer: OpaquePointer

    /// Keeps an object, sinking its floating reference if it has one.
    public init(_ pointer: OpaquePointer) {
        self.pointer = pointer
        g_object_ref_sink(UnsafeMutableRawPointer(pointer))
    }

    /// Takes over a reference that the caller owns, such as that of a constructor.
    public init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    isolated deinit {
        g_object_unref(UnsafeMutableRawPointer(pointer))
    }
}
