import CGtk
import GtkSupport
import PhotoPipeline

/// Whom a look is for.
enum LookTarget {
    /// All photos that have none of their own.
    case all
    /// Some photos, which have it instead of that of all.
    case photos([Photo.ID])

    /// The photos; none where it is for all.
    var photos: [Photo.ID] {
        if case .photos(let photos) = self { photos } else { [] }
    }

    var isForAll: Bool {
        if case .all = self { true } else { false }
    }
}

/// Two buttons side by side that say whom a look is for: all photos, or the one that is seen or those that are chosen.
final class LookTargetSwitch {
    let widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
    /// Called when somebody has chosen the other one.
    var onSwitch: () -> Void = {}
    /// Whom a look is for at present.
    private(set) var target = LookTarget.all

    private let all = gtk_toggle_button_new_with_mnemonic(tr("_All Photos"))
    private let some = gtk_toggle_button_new_with_mnemonic("")
    private var photos: [Photo.ID] = []
    private var isShowing = false

    init() {
        guard let widget, let all, let some else { return }
        gtk_widget_add_css_class(widget, "linked")
        gtk_box_set_homogeneous(cast(widget), 1)
        gtk_toggle_button_set_group(cast(some), cast(all))
        Self.name(all, tr("_All Photos"))
        for button in [all, some] {
            gtk_widget_set_hexpand(button, 1)
            gtk_box_append(cast(widget), button)
        }
        connect(some, "toggled") { [weak self] in
            guard let self, !isShowing else { return }
            target = gtk_toggle_button_get_active(cast(some)) != 0 ? .photos(photos) : .all
            onSwitch()
        }
    }

    /// GTK 4.8 tells screen readers the mark of the key, too.
    private static func name(_ button: Widget, _ text: String) {
        gtk_accessible_reset_relation(OpaquePointer(button), GTK_ACCESSIBLE_RELATION_LABELLED_BY)
        cgtk_set_accessible_label(button, text.filter { $0 != "_" })
    }

    /// Offers photos that a look can be for instead of all.
    ///
    /// - Parameters:
    ///   - photos: The photos; where there are none, only all of them are left.
    ///   - isLarge: Whether they are the one that is seen in large.
    ///   - isChosen: Whether a look is for these, until somebody chooses otherwise.
    func offer(_ photos: [Photo.ID], isLarge: Bool, isChosen: Bool) {
        guard let all, let some else { return }
        self.photos = photos
        target = isChosen && !photos.isEmpty ? .photos(photos) : .all
        isShowing = true
        defer { isShowing = false }
        let text =
            isLarge
            ? tr("This _Photo")
            : photos.isEmpty
                ? tr("Selected Photos")
                : tr("{count} _Selected Photo", "{count} _Selected Photos", photos.count)
        gtk_button_set_label(cast(some), text)
        Self.name(some, text)
        gtk_widget_set_sensitive(some, photos.isEmpty ? 0 : 1)
        gtk_widget_set_tooltip_text(some, photos.isEmpty ? tr("Choose a photo first.") : nil)
        gtk_toggle_button_set_active(cast(target.isForAll ? all : some), 1)
    }
}
