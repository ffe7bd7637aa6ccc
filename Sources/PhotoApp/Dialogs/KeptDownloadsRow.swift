import CGtk
import GtkSupport
import Transfers

/// A row of the preferences that says how much is kept of what was downloaded, and clears it.
final class KeptDownloadsRow {
    let widget = adw_action_row_new()
    private let button = gtk_button_new_with_label(tr("Clear"))
    private let cache: DiskCache
    private var isOpen = true
    /// Counts what was begun, so that only the last is told of.
    private var begun = 0

    init(_ cache: DiskCache) {
        self.cache = cache
        guard let widget, let button else { return }
        adw_preferences_row_set_title(cast(widget), tr("Kept Downloads").escapedForMarkup)
        gtk_accessible_reset_relation(OpaquePointer(widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY)
        gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
        gtk_widget_set_sensitive(button, 0)
        adw_action_row_add_suffix(cast(widget), button)
        // The row's signals keep it until the row is gone.
        connect(button, "clicked") { [self] in clear() }
        connect(widget, "destroy") { [self] in isOpen = false }
        Task {
            let size = await cache.size()
            if begun == 0 { show(size) }
        }
    }

    /// Has so many bytes be kept at most from now on; what is too much goes at once.
    func setLimit(_ limit: Int) {
        begin(limit < cache.limit ? tr("Making it smaller…") : tr("Making room…")) { [cache] in
            await cache.setLimit(limit)
            return nil
        }
    }

    private func clear() {
        begin(tr("Clearing…")) { [cache] in
            do throws(DiskCache.ClearingError) {
                try await cache.clear()
                return nil
            } catch {
                return error
            }
        }
    }

    /// Does something with what is kept, off the main thread, and says so until it is done.
    private func begin(_ text: String, _ work: @escaping () async -> DiskCache.ClearingError?) {
        setSensitive(false)
        say(text)
        begun += 1
        let number = begun
        Task {
            let failure = await work()
            let size = await cache.size()
            if number == begun { show(size, failure: failure) }
        }
    }

    /// - Parameter size: How many bytes are kept; nil if that is not known, where clearing may be of help.
    private func show(_ size: Int?, failure: DiskCache.ClearingError? = nil) {
        guard isOpen else { return }
        setSensitive(size != 0)
        if let failure {
            say(tr("Not all of it could be cleared: {reason}").filled(["reason": failure.text]))
        } else if let size {
            let text = tr("{size} of {limit} at most")
            say(
                size == 0
                    ? tr("Nothing is kept")
                    : text.filled(["size": size.sizeText, "limit": cache.limit.sizeText]))
        } else {
            say(tr("What is kept cannot be read"))
        }
    }

    private func setSensitive(_ isSensitive: Bool) {
        // The keyboard stays in the row.
        if !isSensitive { passFocus(from: button) { gtk_widget_grab_focus(widget) } }
        gtk_widget_set_sensitive(button, isSensitive ? 1 : 0)
    }

    private func say(_ text: String) {
        guard let widget else { return }
        adw_action_row_set_subtitle(cast(widget), text.escapedForMarkup)
        // Screen readers say it too, and the title once.
        cgtk_set_accessible_label(widget, "\(tr("Kept Downloads")): \(text)")
    }
}
