import CGtk
import Glibc

/// Tells when the machine has too little memory: by the kernel's pressure stall information, and by what desktops tell
/// through GLib's memory monitor.
@MainActor public final class MemoryPressure {
    private let monitor = g_memory_monitor_dup_default().map { ObjectReference(owning: $0) }
    private var descriptor: Int32 = -1
    private var source: guint = 0
    private let onShortage: () -> Void

    /// - Parameters:
    ///   - path: Where the kernel tells it.
    ///   - onShortage: Called on the thread that draws, at most every two seconds, while memory is short.
    public init(path: String = "/proc/pressure/memory", onShortage: @escaping () -> Void) {
        self.onShortage = onShortage
        if let monitor {
            connect(monitor.pointer, "low-memory-warning") { [weak self] in self?.onShortage() }
        }
        // Where the kernel has none, or does not let ordinary users watch it, the desktop's word is left.
        descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        // Something waited for memory for 200 ms out of 2 s.
        let trigger = "some 200000 2000000\0"
        guard descriptor >= 0, write(descriptor, trigger, trigger.utf8.count) == trigger.utf8.count else { return }
        source = g_unix_fd_add_full(
            G_PRIORITY_DEFAULT, descriptor, GIOCondition(G_IO_PRI.rawValue | G_IO_ERR.rawValue),
            { _, condition, pressure in
                guard let pressure else { return 0 }
                let watch = Unmanaged<MemoryPressure>.fromOpaque(pressure).takeUnretainedValue()
                // An error means that there is no more to watch.
                guard condition.rawValue & G_IO_ERR.rawValue == 0 else {
                    watch.source = 0
                    return 0
                }
                watch.onShortage()
                return 1
            }, Unmanaged.passUnretained(self).toOpaque(), nil)
    }

    isolated deinit {
        if source != 0 { g_source_remove(source) }
        if descriptor >= 0 { close(descriptor) }
    }
}
