import CGtk
import GtkSupport
import ImageCodecs

/// The window in which somebody says how all photos of a list are saved, and where.
///
/// It stays until they are being saved: what is in the way is said in it.
final class SaveAllDialog {
    /// What the dialog has others do.
    struct Hands {
        /// Lets somebody choose the folder that the photos' own is made in.
        var choosePlace: (_ over: Widget?, _ body: @escaping (String) -> Void) -> Void
        /// Begins to save, unless the task is cancelled before; says why it cannot be done, or nil where it has begun.
        var save: (_ choices: SaveAllChoices, _ folder: String) async -> String?
    }

    private let dialog = gtk_window_new()
    private let save = gtk_button_new_with_mnemonic(tr("_Save"))
    private let message = gtk_label_new(nil)
    /// Says that the work has begun, where it takes longer than a moment.
    private let preparing = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
    private let spinner = gtk_spinner_new()
    private var preparingTimer: LoopTimer?
    private let page = adw_preferences_page_new()
    private let name = adw_entry_row_new()
    private let place = adw_action_row_new()
    private var quality: Widget?
    private var longestSide: Widget?
    private var choices: SaveAllChoices
    private let hands: Hands
    /// Has it begun, unless that is in somebody's way.
    private var beginning: Task<Void, Never>?

    /// Shows it.
    ///
    /// - Parameters:
    ///   - text: Which photos are saved.
    ///   - name: What their folder is called, unless another name is typed.
    static func show(
        over window: Widget?, _ text: String, _ name: String, _ choices: SaveAllChoices, _ hands: Hands
    ) {
        let made = SaveAllDialog(choices, hands)
        // The window keeps it, and lets it go when it is closed.
        var kept: SaveAllDialog? = made
        if let dialog = made.dialog {
            connect(dialog, "close-request") { () -> Bool in
                Drops.reject(below: dialog)
                return false
            }
            connect(dialog, "destroy") {
                kept?.beginning?.cancel()
                kept?.preparingTimer = nil
                kept = nil
            }
        }
        made.make(over: window, text, name)
    }

    private init(_ choices: SaveAllChoices, _ hands: Hands) {
        (self.choices, self.hands) = (choices, hands)
    }

    private func make(over window: Widget?, _ text: String, _ folder: String) {
        guard let dialog, let page, let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0) else { return }
        gtk_window_set_title(cast(dialog), tr("Save All Photos"))
        gtk_window_set_default_size(cast(dialog), 480, 580)
        gtk_window_set_transient_for(cast(dialog), cast(window))
        gtk_window_set_modal(cast(dialog), 1)
        gtk_window_set_destroy_with_parent(cast(dialog), 1)
        gtk_window_set_titlebar(cast(dialog), makeHeader())
        let target = ChoiceRows.group("", [makeName(folder), makePlace()])
        adw_preferences_group_set_description(target, text.escapedForMarkup)
        // A name may be longer than a line.
        if let group = cast(target, to: GtkWidget.self) { Self.breakWords(below: group) }
        for group in [target, makePictures()] { adw_preferences_page_add(cast(page), group) }
        gtk_widget_set_vexpand(cast(page), 1)
        makeMessage()
        makePreparing()
        for part in [message, preparing, cast(page)] { gtk_box_append(cast(box), part) }
        gtk_window_set_child(cast(dialog), box)
        gtk_window_set_default_widget(cast(dialog), save)
        closeByEscape(dialog)
        showWhatMatters()
        gtk_window_present(cast(dialog))
        if let name { gtk_widget_grab_focus(name) }
    }

    private static func breakWords(below widget: Widget) {
        if g_type_is_a(cgtk_instance_type(widget), gtk_label_get_type()) != 0 {
            gtk_label_set_wrap_mode(OpaquePointer(widget), PANGO_WRAP_WORD_CHAR)
        }
        var child = gtk_widget_get_first_child(widget)
        while let next = child {
            breakWords(below: next)
            child = gtk_widget_get_next_sibling(next)
        }
    }

    // MARK: Parts

    private func makeHeader() -> Widget? {
        guard let header = adw_header_bar_new(), let save,
            let cancel = gtk_button_new_with_mnemonic(tr("_Cancel"))
        else { return nil }
        gtk_widget_add_css_class(save, "suggested-action")
        connect(save, "clicked") { [weak self] in self?.begin() }
        connect(cancel, "clicked") { [weak self] in gtk_window_close(cast(self?.dialog)) }
        adw_header_bar_set_show_end_title_buttons(OpaquePointer(header), 0)
        adw_header_bar_set_show_start_title_buttons(OpaquePointer(header), 0)
        adw_header_bar_pack_start(OpaquePointer(header), cancel)
        adw_header_bar_pack_end(OpaquePointer(header), save)
        return header
    }

    /// What is in the way stands above all else, and takes no room where nothing is.
    private func makeMessage() {
        guard let message else { return }
        gtk_label_set_wrap(OpaquePointer(message), 1)
        gtk_label_set_wrap_mode(OpaquePointer(message), PANGO_WRAP_WORD_CHAR)
        gtk_label_set_xalign(OpaquePointer(message), 0)
        gtk_widget_add_css_class(message, "error")
        for set in [gtk_widget_set_margin_start, gtk_widget_set_margin_end] { set(message, 18) }
        gtk_widget_set_margin_top(message, 12)
        gtk_widget_set_visible(message, 0)
    }

    private func makePreparing() {
        guard let preparing, let spinner, let label = gtk_label_new(tr("Preparing…")) else { return }
        for part in [spinner, label] { gtk_box_append(cast(preparing), part) }
        for set in [gtk_widget_set_margin_start, gtk_widget_set_margin_end] { set(preparing, 18) }
        gtk_widget_set_margin_top(preparing, 12)
        gtk_widget_set_visible(preparing, 0)
    }

    private func makeName(_ folder: String) -> Widget? {
        guard let name else { return nil }
        adw_preferences_row_set_title(cast(name), tr("Folder"))
        gtk_editable_set_text(OpaquePointer(name), folder)
        adw_entry_row_set_activates_default(cast(name), 1)
        return name
    }

    private func makePlace() -> Widget? {
        guard let place, let button = gtk_button_new_from_icon_name("folder-open-symbolic") else { return nil }
        adw_preferences_row_set_title(cast(place), tr("In"))
        adw_action_row_set_subtitle_lines(cast(place), 2)
        SaveLine.shape(button, tr("Choose Where"))
        connect(button, "clicked") { [weak self] in
            guard let self else { return }
            hands.choosePlace(dialog) { [weak self] path in
                guard let self else { return }
                choices.place = path
                showPlace()
                gtk_widget_grab_focus(name)
            }
        }
        adw_action_row_add_suffix(cast(place), button)
        adw_action_row_set_activatable_widget(cast(place), button)
        // Otherwise screen readers say the row's title behind its own name.
        gtk_accessible_reset_relation(OpaquePointer(button), GTK_ACCESSIBLE_RELATION_LABELLED_BY)
        showPlace()
        return place
    }

    private func showPlace() {
        guard let place else { return }
        let path = choices.placePath
        adw_action_row_set_subtitle(cast(place), path.escapedForMarkup)
        // Screen readers say it too, and the title once.
        gtk_accessible_reset_relation(OpaquePointer(place), GTK_ACCESSIBLE_RELATION_LABELLED_BY)
        cgtk_set_accessible_label(place, "\(tr("In")): \(path)")
    }

    private func makePictures() -> UnsafeMutablePointer<AdwPreferencesGroup>? {
        let formats = ImageEncoder.Format.allCases
        let format = ChoiceRows.choice(
            tr("Format"), formats.map(\.name), formats.firstIndex(of: choices.format) ?? 0
        ) { [weak self] in
            self?.choices.format = formats[$0]
            self?.showWhatMatters()
        }
        quality = ChoiceRows.number(
            tr("Quality"), tr("From 1, small files, to 100, the best"), choices.quality, in: SaveAllChoices.qualities,
            step: 5
        ) { [weak self] in self?.choices.quality = $0 }
        let size = ChoiceRows.choice(
            tr("Size"), [tr("As Published"), tr("Smaller")], choices.isLimited ? 1 : 0
        ) { [weak self] in
            self?.choices.isLimited = $0 == 1
            self?.showWhatMatters()
        }
        longestSide = ChoiceRows.number(
            tr("Longest Side"), tr("In pixels; smaller photos stay as they are"), choices.longestSide,
            in: SaveAllChoices.longestSides, step: 64
        ) { [weak self] in self?.choices.longestSide = $0 }
        let metadata = ChoiceRows.toggle(
            tr("Keep Information"), tr("Date, camera and place, as the files have them"), choices.keepsMetadata
        ) { [weak self] in self?.choices.keepsMetadata = $0 }
        return ChoiceRows.group("", [format, quality, size, longestSide, metadata])
    }

    /// Shows the rows that make a difference.
    private func showWhatMatters() {
        if let quality { gtk_widget_set_visible(quality, choices.format == .png ? 0 : 1) }
        if let longestSide { gtk_widget_set_visible(longestSide, choices.isLimited ? 1 : 0) }
    }

    // MARK: The end

    private func begin() {
        guard let name else { return }
        let typed = gtk_editable_get_text(OpaquePointer(name)).map { String(cString: $0) } ?? ""
        let folder = typed.isEmpty ? choices.placePath : "\(choices.placePath)/\(typed)"
        // GTK complains of an entry that has the keyboard when it is closed to it.
        gtk_window_set_focus(cast(dialog), nil)
        enable(false)
        // What was in the way before may not be now.
        gtk_widget_set_visible(message, 0)
        preparingTimer = LoopTimer(after: .milliseconds(300)) { [unowned self] in show(isPreparing: true) }
        beginning = Task { [choices, hands] in
            let refusal = await hands.save(choices, folder)
            guard !Task.isCancelled else { return }
            guard let refusal else { return gtk_window_close(cast(dialog)) }
            preparingTimer = nil
            show(isPreparing: false)
            enable(true)
            gtk_label_set_text(OpaquePointer(message), refusal)
            gtk_widget_set_visible(message, 1)
            gtk_widget_grab_focus(name)
        }
    }

    private func show(isPreparing: Bool) {
        gtk_spinner_set_spinning(spinner.map { OpaquePointer($0) }, isPreparing ? 1 : 0)
        gtk_widget_set_visible(preparing, isPreparing ? 1 : 0)
    }

    private func enable(_ isEnabled: Bool) {
        for part in [save, cast(page)] { gtk_widget_set_sensitive(part, isEnabled ? 1 : 0) }
    }
}

extension ImageEncoder.Format {
    /// As people write it.
    fileprivate var name: String {
        switch self {
        case .jpeg: "JPEG"
        case .png: "PNG"
        case .webp: "WebP"
        case .avif: "AVIF"
        }
    }
}
