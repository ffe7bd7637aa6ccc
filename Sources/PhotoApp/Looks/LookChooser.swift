package import CGtk
import GtkSupport
import Operations
import PhotoBrowser
import PhotoPipeline

/// Offers looks as small previews of a photo, and how strong they are.
package final class LookChooser {
    /// The button that opens it.
    package let button = gtk_menu_button_new()
    /// Called when another look or intensity is chosen, with whom it is for.
    var onChoose: (ChosenLook, LookTarget) -> Void = { _, _ in }
    /// Called when the look that is marked is chosen once more, with whom it is for: of several photos it is the look of the first one,
    /// and the others may have others.
    var onChooseAgain: (ChosenLook, LookTarget) -> Void = { _, _ in }
    /// Called when it is about to be seen; whoever offers looks says which photos they can be for.
    var onOpen: () -> Void = {}
    /// Called when a look is to be for others than before.
    var onSwitch: (LookTarget) -> Void = { _ in }
    /// Called when looks that photos have of their own are not wanted any more.
    var onReset: (LookTarget) -> Void = { _ in }
    /// Called when the looks are not seen any more.
    var onClose: () -> Void = {}
    /// Called when somebody wants a look of their own, or to change the one that is chosen, with whom it is for.
    var onEdit: (SavedLooks.Entry?, LookTarget) -> Void = { _, _ in }
    /// Asked for a picture to preview with when the chooser opens; nil for none, or for one that is yet to come, see
    /// ``imageChanged()``.
    var onNeedImage: () -> ScaledImage? = { nil }

    /// What is chosen. Whoever sets it is not told of it.
    var chosen: ChosenLook { didSet { if chosen != oldValue { showChosen() } } }

    /// Whom a look is for.
    let targets = LookTargetSwitch()
    private static let previewSide = 96
    private let popover = gtk_popover_new()
    private let scale = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 100, 1)
    private let flow = gtk_flow_box_new()
    /// What the looks are scrolled in.
    let scrolled = gtk_scrolled_window_new()
    private let edit = gtk_button_new_with_mnemonic(tr("_Edit…"))
    /// How many photos have a look of their own, and a button that ends that.
    private let own = gtk_label_new(nil)
    private let reset = gtk_button_new()
    private let ownBar = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6)
    /// What is offered at present, in order.
    private var offered: [LookChoice] = []
    private var previews: [Widget] = []
    /// Whether there was no picture to preview with.
    private var lacksImage = false
    /// Counts the previews that were asked for, so that those of another photo are shown nowhere.
    private var round = 0
    /// Whether the widgets are being told what is chosen, and tell nobody.
    private var isShowing = false
    /// Makes the previews.
    let queue = OperationQueue()

    init(_ chosen: ChosenLook) {
        self.chosen = chosen
        queue.name = "Preview queue"
        queue.maxConcurrentOperationCount = 1
        guard let button, let popover, let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12) else { return }
        gtk_box_append(cast(box), targets.widget)
        gtk_box_append(cast(box), makeChoices())
        gtk_box_append(cast(box), makeIntensity())
        gtk_box_append(cast(box), makeOwn())
        gtk_box_append(cast(box), makeReset())
        gtk_popover_set_child(cast(popover), box)
        gtk_menu_button_set_popover(OpaquePointer(button), popover)
        gtk_menu_button_set_icon_name(OpaquePointer(button), "applications-graphics-symbolic")
        WindowHeader.name(button, tr("Look"))
        connect(popover, "map") { [weak self] in
            guard let self else { return }
            onOpen()
            showChosen()
            showPreviews()
            // Keys choose among looks at once.
            takeFocus()
            scrollToChosen()
        }
        connect(popover, "unmap") { [weak self] in self?.onClose() }
        targets.onSwitch = { [weak self] in
            guard let self else { return }
            onSwitch(targets.target)
            // Of one of those whom it is for now.
            showPreviews()
            takeFocus()
            scrollToChosen()
        }
        showChosen()
    }

    /// Opens it, as the button does.
    func open() { gtk_menu_button_popup(button.map { OpaquePointer($0) }) }

    /// Says how many photos have a look of their own, of those that a look is for or of all; 0 where that need not be said.
    func show(ownLooks count: Int) {
        gtk_widget_set_visible(ownBar, count > 0 ? 1 : 0)
        let text = tr("{count} photo has a look of its own.", "{count} photos have a look of their own.", count)
        gtk_label_set_text(OpaquePointer(own), text)
        let isForAll = targets.target.isForAll
        gtk_button_set_label(cast(reset), isForAll ? tr("_One Look for All Photos") : tr("_Use the Look of All Photos"))
    }

    /// Whether the looks are offered at present.
    var isOpen: Bool { popover.map { gtk_widget_get_mapped($0) != 0 } ?? false }

    /// Takes what the button opened off the screen.
    func dismiss() { gtk_popover_popdown(cast(popover)) }

    /// Takes what the button opened off the screen, for good: previews that are still being made are nobody's.
    func close() {
        if let popover { gtk_widget_set_visible(popover, 0) }
        queue.cancelAllOperations()
        previews = []
    }

    private func makeChoices() -> Widget? {
        guard let flow, let scrolled else { return nil }
        // Fewer than four where the screen is too narrow for them.
        gtk_flow_box_set_min_children_per_line(OpaquePointer(flow), 2)
        gtk_flow_box_set_max_children_per_line(OpaquePointer(flow), 4)
        gtk_flow_box_set_homogeneous(OpaquePointer(flow), 1)
        gtk_flow_box_set_activate_on_single_click(OpaquePointer(flow), 1)
        gtk_flow_box_set_selection_mode(OpaquePointer(flow), GTK_SELECTION_BROWSE)
        cgtk_set_accessible_label(flow, tr("Looks"))
        connect(flow, "selected-children-changed") { [weak self] in
            guard let self, let list = gtk_flow_box_get_selected_children(OpaquePointer(flow)) else { return }
            let child = list.pointee.data.map { OpaquePointer($0) }
            g_list_free(list)
            guard let child else { return }
            let index = Int(gtk_flow_box_child_get_index(cast(child)))
            if offered.indices.contains(index) { choose { $0.identifier = offered[index].identifier } }
        }
        // A click and Return bring this, also where the look was marked before.
        connect(flow, "child-activated") { [weak self] (_: SignalPointer) in
            guard let self, !isShowing else { return }
            onChooseAgain(chosen, targets.target)
        }
        gtk_scrolled_window_set_policy(OpaquePointer(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_propagate_natural_width(OpaquePointer(scrolled), 1)
        gtk_scrolled_window_set_min_content_height(OpaquePointer(scrolled), 332)
        gtk_scrolled_window_set_child(OpaquePointer(scrolled), flow)
        return scrolled
    }

    /// Offers what there is now; another window may have made a look.
    private func offer() {
        let looks = LookChoice.all
        guard let flow, looks != offered else { return }
        offered = looks
        previews = []
        while let child = gtk_flow_box_get_child_at_index(OpaquePointer(flow), 0) {
            gtk_flow_box_remove(OpaquePointer(flow), cast(child))
        }
        for look in looks { add(look, to: flow) }
    }

    private func add(_ look: LookChoice, to flow: Widget) {
        guard let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), let image = gtk_picture_new(),
            let clamp = adw_clamp_new(), let label = gtk_label_new(look.name), let child = gtk_flow_box_child_new()
        else { return }
        gtk_widget_add_css_class(child, "look-choice")
        gtk_picture_set_content_fit(OpaquePointer(image), GTK_CONTENT_FIT_COVER)
        gtk_widget_set_size_request(image, Int32(Self.previewSide), 72)
        gtk_widget_set_overflow(image, GTK_OVERFLOW_HIDDEN)
        gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_END)
        gtk_label_set_max_width_chars(OpaquePointer(label), 12)
        // Otherwise it is as wide as the preview has pixels, where there is room.
        adw_clamp_set_maximum_size(OpaquePointer(clamp), Int32(Self.previewSide))
        adw_clamp_set_tightening_threshold(OpaquePointer(clamp), Int32(Self.previewSide))
        adw_clamp_set_child(OpaquePointer(clamp), image)
        gtk_box_append(cast(box), clamp)
        gtk_box_append(cast(box), label)
        gtk_flow_box_child_set_child(cast(child), box)
        cgtk_set_accessible_label(child, look.name)
        gtk_widget_set_tooltip_text(child, look.name)
        gtk_flow_box_insert(OpaquePointer(flow), child, -1)
        previews.append(image)
    }

    /// Leads to looks of one's own.
    private func makeOwn() -> Widget? {
        guard let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), let edit,
            let add = gtk_button_new_with_mnemonic(tr("_New Look…"))
        else { return nil }
        gtk_widget_set_tooltip_text(add, tr("Begins with the filters of the look that is chosen"))
        for (button, isNew) in [(add, true), (edit, false)] {
            gtk_widget_set_hexpand(button, 1)
            connect(button, "clicked") { [weak self] in
                guard let self else { return }
                // What is closed is for nobody in particular.
                let (entry, target) = (isNew ? nil : SavedLooks.entry(chosen.identifier), targets.target)
                dismiss()
                onEdit(entry, target)
            }
            gtk_box_append(cast(box), button)
        }
        gtk_box_set_homogeneous(cast(box), 1)
        return box
    }

    /// Leads back to one look for all.
    private func makeReset() -> Widget? {
        guard let ownBar, let own, let reset else { return nil }
        gtk_button_set_use_underline(cast(reset), 1)
        gtk_label_set_wrap(OpaquePointer(own), 1)
        gtk_label_set_max_width_chars(OpaquePointer(own), 40)
        gtk_widget_add_css_class(own, "dim-label")
        gtk_widget_add_css_class(own, "caption")
        connect(reset, "clicked") { [weak self] in
            guard let self else { return }
            // It goes with what it ends.
            takeFocus()
            onReset(targets.target)
        }
        for child in [own, reset] { gtk_box_append(cast(ownBar), child) }
        gtk_widget_set_visible(ownBar, 0)
        return ownBar
    }

    /// Gives the keyboard to the look that is chosen.
    private func takeFocus() {
        guard let flow else { return }
        // As by Tab: keys go on from where the box has been told that it has the keyboard.
        gtk_widget_set_focus_child(flow, nil)
        gtk_widget_child_focus(flow, GTK_DIR_TAB_FORWARD)
    }

    /// Has the look that is chosen in sight, as soon as it has a place.
    private func scrollToChosen() {
        onEachFrame(of: flow) { [weak self] _ in
            guard let self, let flow, let child = chosenChild,
                let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(scrolled))
            else { return false }
            var place = graphene_rect_t()
            guard gtk_widget_get_height(child) > 0, gtk_adjustment_get_page_size(adjustment) > 0,
                gtk_widget_compute_bounds(child, flow, &place) != 0
            else { return true }
            let top = Double(place.origin.y)
            gtk_adjustment_clamp_page(adjustment, top, top + Double(place.size.height))
            return false
        }
    }

    /// What stands for the look that is chosen.
    private var chosenChild: Widget? {
        let index = offered.firstIndex { $0.identifier == chosen.choice.identifier } ?? 0
        return cast(gtk_flow_box_get_child_at_index(OpaquePointer(flow), Int32(index)))
    }

    private func makeIntensity() -> Widget? {
        guard let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12), let label = gtk_label_new(tr("Intensity")),
            let scale
        else { return nil }
        gtk_scale_set_value_pos(cast(scale), GTK_POS_RIGHT)
        gtk_scale_set_draw_value(cast(scale), 1)
        gtk_scale_set_digits(cast(scale), 0)
        gtk_widget_set_hexpand(scale, 1)
        gtk_widget_add_css_class(scale, "look-intensity")
        cgtk_set_accessible_label(scale, tr("Intensity"))
        connect(scale, "value-changed") { [weak self] in
            let intensity = gtk_range_get_value(cast(scale)) / 100
            self?.choose { $0.intensity = intensity }
        }
        gtk_box_append(cast(box), label)
        gtk_box_append(cast(box), scale)
        return box
    }

    private func choose(_ change: (inout ChosenLook) -> Void) {
        guard !isShowing else { return }
        let before = chosen
        change(&chosen)
        if chosen != before { onChoose(chosen, targets.target) }
    }

    private func showChosen() {
        guard let flow, let scale else { return }
        isShowing = true
        defer { isShowing = false }
        offer()
        let index = offered.firstIndex { $0.identifier == chosen.choice.identifier } ?? 0
        gtk_flow_box_select_child(
            OpaquePointer(flow), gtk_flow_box_get_child_at_index(OpaquePointer(flow), Int32(index)))
        gtk_range_set_value(cast(scale), chosen.intensity * 100)
        gtk_widget_set_sensitive(edit, SavedLooks.entry(chosen.identifier) == nil ? 0 : 1)
    }

    /// Makes the previews that could not be made when it was opened, if there is a picture now.
    func imageChanged() {
        if isOpen, lacksImage { showPreviews() }
    }

    /// Makes the previews off the main thread, and shows all of them at once.
    private func showPreviews() {
        queue.cancelAllOperations()
        round += 1
        let round = round
        let image = onNeedImage()
        lacksImage = image == nil
        guard let image else {
            // Those of another photo would mislead.
            for widget in previews { gtk_picture_set_paintable(OpaquePointer(widget), nil) }
            return
        }
        let filters = offered.map(\.filter)
        let side = Self.previewSide
        queue.addOperation { [weak self] in
            let small = image.reduced(to: side * 2)
            let previews = filters.map { PhotoLook($0).applied(to: small) }
            // The main queue is the main actor's.
            OperationQueue.main.addOperation { MainActor.assumeIsolated { self?.show(previews, of: round) } }
        }
    }

    private func show(_ images: [PixelBuffer?], of round: Int) {
        guard round == self.round else { return }
        for (widget, image) in zip(previews, images) {
            guard let image, let texture = ObjectReference(textureOf: image) else { continue }
            gtk_picture_set_paintable(OpaquePointer(widget), texture.pointer)
        }
    }
}
