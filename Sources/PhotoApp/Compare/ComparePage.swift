import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline
import SampleServer

/// Shows what each strategy does with the same photos and the same scrolling: the photos above, and a card for each strategy
/// that fills while one watches.
final class ComparePage {
    let widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
    /// Called when the user is done.
    var onClose: () -> Void = {}

    private let title = adw_window_title_new(tr("Compare"), "")
    private let again = gtk_button_new_from_icon_name("view-refresh-symbolic")
    private let photos = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
    private let conclusion = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6)
    private let heading = gtk_label_new(tr("Why the Default Does Not Stutter"))
    private let sentence = gtk_label_new(nil)
    private let note = gtk_label_new(nil)
    private let scrolled = gtk_scrolled_window_new()
    private let cardBox = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
    private let cards: [LoadingStrategy: StrategyCard]
    private var run: ComparisonRun?
    /// What was measured so far.
    private var comparison = StrategyComparison()
    /// What is compared, for another run.
    private var compared:
        (list: PhotoList, name: String, configuration: PhotoPipeline.Configuration, speed: NetworkSpeed?)?

    init() {
        cards = Dictionary(uniqueKeysWithValues: StrategyComparison.order.map { ($0, StrategyCard($0)) })
        guard let widget, let photos, let conclusion, let scrolled, let cardBox else { return }
        gtk_box_append(cast(widget), makeHeader())
        gtk_widget_add_css_class(photos, "compared-photos")
        gtk_widget_set_vexpand(photos, 1)
        // The script scrolls; hands would change what is measured.
        gtk_widget_set_can_target(photos, 0)
        gtk_widget_set_can_focus(photos, 0)
        makeConclusion(conclusion)
        for strategy in StrategyComparison.order { gtk_box_append(cast(cardBox), cards[strategy]?.widget) }
        CardsLayout.apply(to: cardBox)
        let content = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12)
        for child in [conclusion, cardBox] { gtk_box_append(cast(content), child) }
        for set in [gtk_widget_set_margin_top, gtk_widget_set_margin_bottom] { set(content, 12) }
        for set in [gtk_widget_set_margin_start, gtk_widget_set_margin_end] { set(content, 12) }
        guard let clamp = adw_clamp_new() else { return }
        for set in [adw_clamp_set_maximum_size, adw_clamp_set_tightening_threshold] {
            set(OpaquePointer(clamp), 1_000)
        }
        adw_clamp_set_child(OpaquePointer(clamp), content)
        gtk_scrolled_window_set_policy(OpaquePointer(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_propagate_natural_height(OpaquePointer(scrolled), 1)
        gtk_scrolled_window_set_child(OpaquePointer(scrolled), clamp)
        gtk_widget_add_css_class(scrolled, "compared-cards")
        for child in [photos, scrolled] { gtk_box_append(cast(widget), child) }
        addKeys(widget)
        // What is not shown takes no part in how small the window may be.
        gtk_widget_set_visible(widget, 0)
    }

    /// Whether it is on screen.
    var isOpen: Bool { compared != nil }

    /// Compares.
    ///
    /// - Parameters:
    ///   - list: The photos, their order and their look.
    ///   - name: What they are called.
    ///   - configuration: What the pipelines are like.
    ///   - speed: How slow the network is, where it is the sample's.
    func start(
        _ list: PhotoList, _ name: String, _ configuration: PhotoPipeline.Configuration, over speed: NetworkSpeed?
    ) {
        run?.stop()
        compared = (list, name, configuration, speed)
        let run = ComparisonRun(list, configuration)
        self.run = run
        if let title { adw_window_title_set_subtitle(OpaquePointer(title), name) }
        let text = Self.note(run, speed)
        gtk_label_set_text(OpaquePointer(note), text ?? "")
        gtk_widget_set_visible(note, text == nil ? 0 : 1)
        gtk_widget_set_visible(photos, 1)
        for label in [heading, sentence] { gtk_widget_set_visible(label, 0) }
        comparison = StrategyComparison()
        gtk_widget_set_visible(conclusion, text == nil ? 0 : 1)
        gtk_widget_set_vexpand(scrolled, 0)
        gtk_widget_set_sensitive(again, 0)
        clearCards()
        gtk_widget_set_visible(widget, 1)
        run.onEvent = { [weak self] in self?.take($0) }
        run.start(on: widget)
    }

    /// What the photos come over, where it is slowed down; nil for a network as it is.
    private static func note(_ run: ComparisonRun, _ speed: NetworkSpeed?) -> String? {
        guard let speed else {
            return run.isSlowed ? tr("Files of this computer come as slowly here as from a network.") : nil
        }
        return tr("The sample’s network: {latency} ms for each request, {rate} kB/s for each connection.").filled([
            "latency": Int(speed.latency / .milliseconds(1)).grouped, "rate": (speed.bytesPerSecond / 1_000).grouped,
        ])
    }

    /// Ends what runs, and shows nothing any more.
    func leave() {
        run?.stop()
        run = nil
        compared = nil
        clearCards()
    }

    private func clearCards() {
        for card in cards.values {
            card.show(.waiting)
            card.show(nil)
        }
    }

    private func take(_ event: ComparisonRun.Event) {
        switch event {
        case .began(let strategy, let page):
            gtk_box_append(cast(photos), page.widget)
            gtk_widget_set_vexpand(page.widget, 1)
            cards[strategy]?.show(.running)
            if let card = cards[strategy]?.widget { show(card) }
        case .measured(let strategy, let figures):
            comparison.figures[strategy] = figures
            showFigures()
        case .ended(let strategy, let page):
            gtk_box_remove(cast(photos), page.widget)
            cards[strategy]?.show(.done)
        case .finished(let comparison): conclude(comparison)
        }
    }

    private func showFigures() {
        var most: [StrategyFigure: Double] = [:]
        for figure in StrategyFigure.allCases {
            most[figure] = comparison.figures.values.compactMap { figure.amount(of: $0) }.max()
        }
        for (strategy, card) in cards { card.show(comparison.figures[strategy], most: most) }
    }

    private func conclude(_ comparison: StrategyComparison) {
        gtk_label_set_text(OpaquePointer(sentence), comparison.conclusion)
        for widget in [sentence, conclusion] { gtk_widget_set_visible(widget, 1) }
        gtk_widget_set_visible(heading, comparison.findings?.isEmpty ?? true ? 0 : 1)
        gtk_widget_set_visible(photos, 0)
        gtk_widget_set_vexpand(scrolled, 1)
        gtk_widget_set_sensitive(again, 1)
        gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(OpaquePointer(scrolled)), 0)
    }

    /// Scrolls a card into sight, where the cards are below each other.
    private func show(_ card: Widget) {
        var (x, y) = (0.0, 0.0)
        guard gtk_widget_translate_coordinates(card, cardBox, 0, 0, &x, &y) != 0 else { return }
        gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(OpaquePointer(scrolled)), y)
    }

    // MARK: Parts

    private func makeHeader() -> Widget? {
        guard let bar = adw_header_bar_new(), let back = gtk_button_new_from_icon_name("go-previous-symbolic"),
            let title, let again
        else { return nil }
        WindowHeader.name(back, tr("Back to the photos"))
        connect(back, "clicked") { [weak self] in self?.onClose() }
        connect(again, "clicked") { [weak self] in
            guard let self, let compared else { return }
            start(compared.list, compared.name, compared.configuration, over: compared.speed)
        }
        WindowHeader.name(again, tr("Run again"))
        adw_header_bar_set_title_widget(OpaquePointer(bar), title)
        adw_header_bar_pack_start(OpaquePointer(bar), back)
        adw_header_bar_pack_end(OpaquePointer(bar), again)
        return bar
    }

    private func makeConclusion(_ box: Widget) {
        for (label, style) in [(heading, "title-3"), (sentence, "body"), (note, "dim-label")] {
            guard let label else { continue }
            gtk_label_set_xalign(OpaquePointer(label), 0)
            gtk_label_set_wrap(OpaquePointer(label), 1)
            gtk_widget_add_css_class(label, style)
            gtk_box_append(cast(box), label)
        }
        gtk_widget_add_css_class(note, "caption")
    }

    private func addKeys(_ widget: Widget) {
        guard let keys = gtk_event_controller_key_new() else { return }
        connect(keys, "key-pressed") { [weak self] (key: UInt32) -> Bool in
            guard Int32(bitPattern: key) == GDK_KEY_Escape else { return false }
            self?.onClose()
            return true
        }
        gtk_widget_add_controller(widget, keys)
    }

    /// Gives the keyboard to the page.
    func takeFocus() { gtk_widget_child_focus(widget, GTK_DIR_TAB_FORWARD) }
}
