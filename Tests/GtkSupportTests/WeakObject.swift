import CGtk

/// Watches a `GObject` without keeping it.
final class WeakObject {
    private let reference = UnsafeMutablePointer<GWeakRef>.allocate(capacity: 1)

    init(_ object: UnsafeMutablePointer<GtkWidget>) {
        g_weak_ref_init(reference, UnsafeMutableRawPointer(object))
    }

    deinit {
        g_weak_ref_clear(reference)
        reference.deallocate()
    }

    /// Whether somebody keeps it.
    var isAlive: Bool {
        guard let object = g_weak_ref_get(reference) else { return false }
        g_object_unref(object)
        return true
    }
}
