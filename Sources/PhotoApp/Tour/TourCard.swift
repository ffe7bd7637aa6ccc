import CGtk
import GtkSupport

/// The card of the guided tour: a step's idea, a button that shows it, and the ways to the other steps. It lies between the photos
/// and the operations, and takes nothing from either but room.
final class TourCard {
    /// What somebody pressed.
    enum Button: CaseIterable { case back, next, show, chapter, close }

    let widget = gtk_revealer_new()
    /// Called with what was pressed.
    var onPress: (Button) -> Void = { _ in }

    private let card = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6)
    private let number = gtk_label_new(nil)
    private let title = gtk_label_new(nil)
    private let text = gtk_label_new(nil)
    private let scrolled = gtk_scrolled_window_new()
    private let spinner = gtk_spinner_new()
    private let back = gtk_button_new_with_mnemonic(tr("_Back"))
    private let next = gtk_button_new_with_mnemonic(tr("_Next"))
    private let show = gtk_button_new_with_mnemonic(tr("Show _Me"))
    private let chapter = gtk_button_new()
    /// The most that the text takes of the window's height; more is scrolled to.
    private static let mostTextHeight: Int32 = 132
    /// Some lines of it are there in any window.
    private static let leastTextHeight: Int32 = 80
    /// As wide as lines are easy to read.
    private static let mostWidth: Int32 = 640

    init() {
        guard let widget, let card, let clamp = adw_clamp_new() else { return }
        for style in ["card", "tour"] { gtk_widget_add_css_class(card, style) }
        for part in [makeTop(), title, makeText(), makeButtons()] {
            if let part { gtk_box_append(cast(card), part) }
        }
        adw_clamp_set_maximum_size(OpaquePointer(clamp), Self.mostWidth)
        adw_clamp_set_child(OpaquePointer(clamp), card)
        gtk_revealer_set_transition_type(OpaquePointer(widget), GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP)
        gtk_revealer_set_child(OpaquePointer(widget), clamp)
        // Closed, it takes no room, and is no part of what screen readers see.
        gtk_widget_set_visible(widget, 0)
        closeByEscape(card)
        showSpinner()
    }

    /// Whether it is there.
    var isOpen = false {
        didSet {
            gtk_widget_set_visible(widget, isOpen ? 1 : 0)
            gtk_revealer_set_reveal_child(OpaquePointer(widget), isOpen ? 1 : 0)
        }
    }

    /// Goes to a step, of which nothing is shown yet.
    func begin(_ step: TourStep) {
        let place = ["number": (step.rawValue + 1).grouped, "count": TourStep.allCases.count.grouped]
        set(number, tr("{number} of {count}").filled(place))
        set(title, step.title)
        say(step.idea)
        gtk_widget_set_sensitive(back, step == TourStep.allCases.first ? 0 : 1)
        label(next, step == TourStep.allCases.last ? tr("_Finish") : tr("_Next"))
        gtk_widget_set_visible(show, step.isLive ? 1 : 0)
        gtk_widget_set_visible(chapter, step.chapter == nil ? 0 : 1)
        if let chapter, let place = step.chapter {
            gtk_button_set_label(cast(chapter), tr("Chapter {number}").filled(["number": place.rawValue.grouped]))
            WindowHeader.name(chapter, tr("About the chapter: {title}").filled(["title": place.title]))
        }
        isShowing = false
    }

    /// Says something in place of the idea.
    func say(_ words: String) {
        set(text, words)
        // Who presses the button with the keyboard hears what the card says.
        for button in [show, next] { cgtk_set_accessible_description(button, words) }
        gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(OpaquePointer(scrolled)), 0)
    }

    /// Whether something is being shown.
    var isShowing = false {
        didSet { showSpinner() }
    }

    private func showSpinner() {
        gtk_widget_set_visible(spinner, isShowing ? 1 : 0)
        if let spinner { gtk_spinner_set_spinning(OpaquePointer(spinner), isShowing ? 1 : 0) }
    }

    /// Whether one of its buttons has the keyboard.
    var hasFocus: Bool {
        guard let card, let focus = gtk_widget_get_root(card).flatMap({ gtk_root_get_focus($0) }) else { return false }
        return gtk_widget_is_ancestor(focus, card) != 0
    }

    /// Gives the keyboard to what one does next.
    func takeFocus() {
        gtk_widget_grab_focus(gtk_widget_get_visible(show) != 0 ? show : next)
    }

    // MARK: Parts

    private func makeTop() -> Widget? {
        guard let top = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), let number, let chapter,
            let close = gtk_button_new_from_icon_name("window-close-symbolic")
        else { return nil }
        for style in ["caption", "dim-label", "numeric"] { gtk_widget_add_css_class(number, style) }
        gtk_label_set_xalign(OpaquePointer(number), 0)
        for button in [chapter, close] {
            gtk_widget_add_css_class(button, "flat")
            gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
        }
        gtk_widget_add_css_class(close, "circular")
        WindowHeader.name(close, tr("Close the tour"))
        connect(chapter, "clicked") { [weak self] in self?.onPress(.chapter) }
        connect(close, "clicked") { [weak self] in self?.onPress(.close) }
        if let spinner { cgtk_set_accessible_label(spinner, tr("Being shown")) }
        guard let space = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0) else { return nil }
        gtk_widget_set_hexpand(space, 1)
        for part in [number, spinner, space, chapter, close] { gtk_box_append(cast(top), part) }
        return top
    }

    private func makeText() -> Widget? {
        guard let title, let text, let scrolled else { return nil }
        gtk_widget_add_css_class(title, "heading")
        for label in [title, text] {
            gtk_label_set_xalign(OpaquePointer(label), 0)
            gtk_label_set_wrap(OpaquePointer(label), 1)
            gtk_label_set_wrap_mode(OpaquePointer(label), PANGO_WRAP_WORD_CHAR)
        }
        gtk_label_set_yalign(OpaquePointer(text), 0)
        gtk_scrolled_window_set_policy(OpaquePointer(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_propagate_natural_height(OpaquePointer(scrolled), 1)
        gtk_scrolled_window_set_min_content_height(OpaquePointer(scrolled), Self.leastTextHeight)
        gtk_scrolled_window_set_max_content_height(OpaquePointer(scrolled), Self.mostTextHeight)
        gtk_scrolled_window_set_child(OpaquePointer(scrolled), text)
        return scrolled
    }

    private func makeButtons() -> Widget? {
        guard let buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6),
            let space = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
        else { return nil }
        gtk_widget_set_hexpand(space, 1)
        gtk_widget_add_css_class(show, "suggested-action")
        for (button, pressed) in [(back, Button.back), (next, .next), (show, .show)] {
            guard let button else { continue }
            connect(button, "clicked") { [weak self] in self?.onPress(pressed) }
        }
        // GTK makes a name of the text with the mark for the key, and again without it.
        for (button, text) in [(back, tr("_Back")), (show, tr("Show _Me"))] { label(button, text) }
        for part in [back, next, space, show] { gtk_box_append(cast(buttons), part) }
        return buttons
    }

    private func label(_ button: Widget?, _ text: String) {
        guard let button else { return }
        gtk_button_set_label(cast(button), text)
        gtk_button_set_use_underline(cast(button), 1)
        cgtk_set_accessible_label(button, text.filter { $0 != "_" })
    }

    private func set(_ label: Widget?, _ text: String) {
        if let label { gtk_label_set_text(OpaquePointer(label), text) }
    }

    private func closeByEscape(_ card: Widget) {
        guard let keys = gtk_event_controller_key_new() else { return }
        connect(keys, "key-pressed") { [weak self] (key: UInt32) -> Bool in
            guard Int32(bitPattern: key) == GDK_KEY_Escape else { return false }
            self?.onPress(.close)
            return true
        }
        gtk_widget_add_controller(card, keys)
    }
}
