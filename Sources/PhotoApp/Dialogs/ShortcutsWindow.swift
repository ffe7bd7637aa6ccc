import CGtk
import GtkSupport

/// The window that lists the keys.
enum ShortcutsWindow {
    private static var groups: [(title: String, keys: [(key: String, text: String)])] {
        [
            (
                tr("Catalog"),
                [
                    ("<Control>o", tr("Open a catalog")), ("<Control><Shift>o", tr("Open a folder")),
                    ("<Control>l", tr("Open an address")), ("F5", tr("Try again what failed")),
                    ("<Shift>F5", tr("Reload with an empty memory")),
                ]
            ),
            (
                tr("Photos"),
                [
                    ("<Control>f", tr("Search")), ("<Control>1", tr("Show as a list")),
                    ("<Control>2", tr("Show as a grid")), ("<Control>plus <Control>minus", tr("Larger and smaller")),
                    ("Return", tr("Show in large")),
                    ("Menu", tr("Menu of a photo")),
                    ("<Alt>Return", tr("Information")), ("<Control>c", tr("Copy")), ("<Control>s", tr("Save as")),
                    ("<Control><Shift>s", tr("Save all with this look")),
                    ("<Control>z", tr("Undo a photo’s look")),
                    ("<Control><Shift>z", tr("Redo a photo’s look")),
                    ("<Control>p", tr("Print")), ("<Control><Shift>p", tr("Pause or resume")),
                ]
            ),
            (
                tr("Large View"),
                [
                    ("plus minus", tr("Zoom in and out")), ("0", tr("Show all of the photo")),
                    ("1", tr("Show its actual size")), ("Left Right", tr("Previous and next photo, or move")),
                    ("Page_Up Page_Down", tr("Previous and next photo")),
                    ("Home End", tr("First and last photo")),
                    ("space", tr("Hold to see the photo as it was published")),
                    ("c", tr("Compare before and after")), ("l", tr("Looks side by side")), ("F11", tr("Fullscreen")),
                    ("<Control>F5", tr("Slideshow")),
                    ("Escape", tr("Back to the photos")),
                ]
            ),
            (
                tr("Program"),
                [
                    ("F8", tr("Compare strategies")), ("F9", tr("Show the operations")),
                    ("<Control>comma", tr("Preferences")),
                    ("<Control>question", tr("Keyboard shortcuts")), ("F1", tr("Help")),
                    ("<Shift>F1", tr("Guided Tour")),
                    ("<Control>n", tr("New window")), ("<Control>w", tr("Close the window")),
                    ("<Control>q", tr("Quit")),
                ]
            ),
        ]
    }

    static func show(over window: Widget?) {
        // High enough for one page: GTK complains about the switch between pages that it makes itself.
        var xml = """
            <interface><object class="GtkShortcutsWindow" id="window"><property name="modal">1</property><child>\
            <object class="GtkShortcutsSection"><property name="section-name">all</property>\
            <property name="max-height">23</property>
            """
        for group in groups {
            xml += "<child><object class=\"GtkShortcutsGroup\">"
            xml += "<property name=\"title\">\(group.title.escapedForMarkup)</property>"
            for entry in group.keys {
                xml += "<child><object class=\"GtkShortcutsShortcut\">"
                xml += "<property name=\"accelerator\">\(entry.key.escapedForMarkup)</property>"
                xml += "<property name=\"title\">\(entry.text.escapedForMarkup)</property></object></child>"
            }
            xml += "</object></child>"
        }
        xml += "</object></child></object></interface>"
        guard let builder = gtk_builder_new_from_string(xml, -1) else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(builder)) }
        guard let object = gtk_builder_get_object(builder, "window") else { return }
        let shortcuts = UnsafeMutableRawPointer(object).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_transient_for(shortcuts, cast(window))
        gtk_window_set_title(shortcuts, tr("Keyboard shortcuts"))
        sayTitle(in: shortcuts)
        spellKeys(below: cast(shortcuts))
        connect(shortcuts, "close-request") { () -> Bool in
            Drops.reject(below: cast(shortcuts))
            return false
        }
        gtk_window_present(shortcuts)
    }

    /// Has the header say the title in the program's language: GTK's own text is there only where its translations are installed.
    private static func sayTitle(in window: UnsafeMutablePointer<GtkWindow>) {
        guard let bar = gtk_window_get_titlebar(window), isA(bar, gtk_header_bar_get_type()),
            let stack = gtk_header_bar_get_title_widget(OpaquePointer(bar)), isA(stack, gtk_stack_get_type()),
            let label = gtk_stack_get_child_by_name(OpaquePointer(stack), "title"), isA(label, gtk_label_get_type())
        else { return }
        gtk_label_set_text(OpaquePointer(label), tr("Keyboard shortcuts"))
    }

    /// Has keys be called what stands on them: GTK shows the names of some with underscores.
    private static func spellKeys(below widget: Widget?) {
        guard let widget else { return }
        if isA(widget, gtk_label_get_type()), let text = gtk_label_get_text(OpaquePointer(widget)) {
            let text = String(cString: text)
            if text.hasPrefix("Page_") { gtk_label_set_text(OpaquePointer(widget), text.replacing("_", with: " ")) }
        }
        var child = gtk_widget_get_first_child(widget)
        while let next = child {
            spellKeys(below: next)
            child = gtk_widget_get_next_sibling(next)
        }
    }

    private static func isA(_ widget: Widget, _ type: GType) -> Bool {
        g_type_is_a(cgtk_instance_type(widget), type) != 0
    }
}

extension String {
    /// The text as markup that shows it.
    var escapedForMarkup: String {
        guard let escaped = g_markup_escape_text(self, -1) else { return "" }
        defer { g_free(escaped) }
        return String(cString: escaped)
    }
}
