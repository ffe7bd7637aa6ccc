import CGtk
import GtkSupport
import SampleServer

/// Says that the sample comes over a slow network, and lets one make it slower and faster.
final class NetworkBar {
    let widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
    private let network: SampleNetwork

    /// The rates that can be chosen, in thousands of bytes a second.
    private static let rates = [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]
    /// The longest latency that can be chosen, in milliseconds.
    private static let longestLatency = 2_000.0

    init(_ network: SampleNetwork) {
        self.network = network
        guard let widget, let sliders = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0),
            let text = gtk_label_new(tr("The sample comes over a slow network:"))
        else { return }
        gtk_label_set_xalign(OpaquePointer(text), 0)
        // A text of several lines would need a wider window where that is low.
        gtk_label_set_ellipsize(OpaquePointer(text), PANGO_ELLIPSIZE_END)
        for style in ["caption", "dim-label"] { gtk_widget_add_css_class(text, style) }
        for child in [makeLatency(), makeRate()] { gtk_box_append(cast(sliders), child) }
        CardsLayout.apply(to: sliders)
        for child in [text, sliders] { gtk_box_append(cast(widget), child) }
        gtk_widget_add_css_class(widget, "network")
        gtk_widget_set_visible(widget, 0)
    }

    /// Whether it is shown; it is where the sample is.
    var isShown = false { didSet { gtk_widget_set_visible(widget, isShown ? 1 : 0) } }

    // MARK: Parts

    private func makeLatency() -> Widget? {
        let latency = network.speed.latency / .milliseconds(1)
        return makeSlider(
            tr("Latency"), tr("How long each request waits for the first byte of its answer"),
            range: 0...Self.longestLatency, step: 50, value: latency
        ) { [network] value in
            network.speed.latency = .milliseconds(value)
        } text: { value in
            tr("{number} ms").filled(["number": Int(value).grouped])
        }
    }

    private func makeRate() -> Widget? {
        let rate = network.speed.bytesPerSecond / 1_000
        let index = Self.rates.lastIndex { $0 <= rate } ?? 0
        return makeSlider(
            tr("Rate"), tr("How much each connection brings in a second"),
            range: 0...Double(Self.rates.count - 1), step: 1, value: Double(index)
        ) { [network] value in
            network.speed.bytesPerSecond = Self.rate(value) * 1_000
        } text: { value in
            tr("{number} kB/s").filled(["number": Self.rate(value).grouped])
        }
    }

    /// The rate at a place of the slider.
    private static func rate(_ value: Double) -> Int {
        rates[min(max(0, Int(value.rounded())), rates.count - 1)]
    }

    private func makeSlider(
        _ name: String, _ explanation: String, range: ClosedRange<Double>, step: Double, value: Double,
        onChange: @escaping (Double) -> Void, text: @escaping (Double) -> String
    ) -> Widget? {
        guard let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), let label = gtk_label_new(name),
            let figure = gtk_label_new(nil),
            let scale = gtk_scale_new_with_range(
                GTK_ORIENTATION_HORIZONTAL, range.lowerBound, range.upperBound, step)
        else { return nil }
        gtk_scale_set_draw_value(cast(scale), 0)
        gtk_range_set_increments(cast(scale), step, step)
        gtk_widget_set_hexpand(scale, 1)
        gtk_widget_set_size_request(scale, 100, -1)
        gtk_label_set_width_chars(OpaquePointer(figure), 11)
        gtk_label_set_xalign(OpaquePointer(figure), 0)
        gtk_widget_add_css_class(figure, "numeric")
        cgtk_set_accessible_label(scale, name)
        gtk_widget_set_tooltip_text(box, explanation)
        let show = {
            let text = text(gtk_range_get_value(cast(scale)))
            gtk_label_set_text(OpaquePointer(figure), text)
            cgtk_set_accessible_description(scale, text + ". " + explanation)
        }
        gtk_range_set_value(cast(scale), value)
        show()
        connect(scale, "value-changed") {
            onChange(gtk_range_get_value(cast(scale)))
            show()
        }
        for child in [label, scale, figure] { gtk_box_append(cast(box), child) }
        return box
    }
}
