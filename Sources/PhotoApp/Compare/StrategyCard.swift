import CGtk
import GtkSupport
import PhotoBrowser

/// What one strategy is, how far its run has come, and its figures.
final class StrategyCard {
    /// How far a run has come.
    enum Progress { case waiting, running, done, stopped }

    let widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8)

    private let strategy: LoadingStrategy
    private let spinner = gtk_spinner_new()
    private let done = gtk_image_new_from_icon_name("object-select-symbolic")
    private var values: [StrategyFigure: Widget] = [:]
    private var texts: [StrategyFigure: String] = [:]
    private var bars: [StrategyFigure: FigureBar] = [:]

    init(_ strategy: LoadingStrategy) {
        self.strategy = strategy
        guard let widget, let explanation = gtk_label_new(strategy.explanation) else { return }
        gtk_widget_add_css_class(widget, "card")
        gtk_widget_add_css_class(widget, "strategy")
        gtk_box_append(cast(widget), makeTitle())
        gtk_label_set_xalign(OpaquePointer(explanation), 0)
        gtk_label_set_yalign(OpaquePointer(explanation), 0)
        gtk_label_set_wrap(OpaquePointer(explanation), 1)
        gtk_label_set_max_width_chars(OpaquePointer(explanation), 30)
        // Of cards side by side the figures stand in lines, whatever is above them.
        gtk_widget_set_vexpand(explanation, 1)
        gtk_widget_set_margin_bottom(explanation, 6)
        gtk_box_append(cast(widget), explanation)
        for figure in StrategyFigure.allCases { gtk_box_append(cast(widget), makeRow(figure)) }
        show(.waiting)
        show(nil)
    }

    private func makeTitle() -> Widget? {
        guard let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8), let name = gtk_label_new(strategy.rawValue) else {
            return nil
        }
        gtk_widget_add_css_class(name, "title-4")
        gtk_box_append(cast(box), name)
        if strategy == .visible, let label = gtk_label_new(tr("the default")) {
            for style in ["caption", "dim-label"] { gtk_widget_add_css_class(label, style) }
            gtk_box_append(cast(box), label)
        }
        for sign in [spinner, done] {
            gtk_widget_set_hexpand(sign, 1)
            gtk_widget_set_halign(sign, GTK_ALIGN_END)
            gtk_box_append(cast(box), sign)
        }
        gtk_widget_add_css_class(done, "success")
        return box
    }

    private func makeRow(_ figure: StrategyFigure) -> Widget? {
        guard let row = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4),
            let texts = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12),
            let name = gtk_label_new(figure.name), let value = gtk_label_new(nil)
        else { return nil }
        gtk_label_set_xalign(OpaquePointer(name), 0)
        gtk_label_set_ellipsize(OpaquePointer(name), PANGO_ELLIPSIZE_END)
        gtk_widget_set_hexpand(name, 1)
        gtk_widget_add_css_class(name, "dim-label")
        gtk_label_set_xalign(OpaquePointer(value), 1)
        gtk_widget_add_css_class(value, "numeric")
        for label in [name, value] { gtk_box_append(cast(texts), label) }
        gtk_box_append(cast(row), texts)
        gtk_widget_set_tooltip_text(row, figure.explanation)
        values[figure] = value
        guard figure.amount(of: StrategyFigures()) != nil else { return row }
        let bar = FigureBar()
        gtk_box_append(cast(row), bar.widget)
        bars[figure] = bar
        return row
    }

    /// Says how far the run has come.
    func show(_ progress: Progress) {
        guard let widget, let spinner else { return }
        let isRunning = progress == .running
        gtk_spinner_set_spinning(OpaquePointer(spinner), isRunning ? 1 : 0)
        gtk_widget_set_visible(spinner, isRunning ? 1 : 0)
        gtk_widget_set_visible(done, progress == .done ? 1 : 0)
        if isRunning {
            gtk_widget_add_css_class(widget, "running")
        } else {
            gtk_widget_remove_css_class(widget, "running")
        }
        // What it is can be read before it runs, and the figures of one that was stopped are not those of a run.
        for value in values.values { gtk_widget_set_sensitive(value, progress == .stopped ? 0 : 1) }
    }

    /// Shows figures; nil for none.
    ///
    /// - Parameter most: The largest amounts of all strategies, which fill a bar.
    func show(_ figures: StrategyFigures?, most: [StrategyFigure: Double] = [:]) {
        for (figure, value) in values {
            bars[figure]?.share = figures.flatMap { figure.amount(of: $0) }.map { $0 / max(1, most[figure] ?? 0) } ?? 0
            let text = figures.map { figure.text(of: $0) } ?? "–"
            // A text that is set is laid out anew, which would be measured too.
            guard text != texts[figure] else { continue }
            texts[figure] = text
            gtk_label_set_text(OpaquePointer(value), text)
            cgtk_set_accessible_label(value, "\(strategy.rawValue), \(figure.name): \(text)")
        }
    }
}
