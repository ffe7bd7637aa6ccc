import CGtk
import GtkSupport

extension TimelineView {
    private static let waitingHeight = 14.0
    private static let mostWaiting = 32
    /// The least height of a bar that has a name in it, and the least width.
    private static let leastNamed = (height: 11.0, width: 28.0)

    /// The height of a place side by side with others.
    func trackHeight(_ lane: Int) -> Double {
        guard !folded.contains(lane) else { return height(ofLane: lane) - 6 }
        let count = trackCounts.indices.contains(lane) ? trackCounts[lane] : 1
        return min(18, (height(ofLane: lane) - Self.waitingHeight - 6) / Double(max(1, count)))
    }

    func draw(_ snapshot: OpaquePointer, _ size: graphene_size_t) {
        width = max(1, Double(size.width))
        let colors = TimelineColors()
        let window = window
        let (first, last) = (window.time(atX: 0), window.time(atX: width))
        let bars = timeline.bars.filter { bar in
            (bar.finished ?? .seconds(now)) >= first && (bar.started ?? bar.finished ?? .zero) <= last
        }
        countTracks(of: bars)
        for lane in timeline.lanes.indices {
            let top = top(ofLane: lane)
            fill(
                snapshot, graphene_rect_t(x: 0, y: top, width: width, height: height(ofLane: lane) - 1),
                colors.background)
            drawWaiting(snapshot, lane, window, colors)
        }
        drawMainThread(snapshot, window, colors)
        drawAxis(snapshot, window, colors)
        for bar in bars { draw(snapshot, bar, window, colors) }
        drawDependencies(snapshot, bars, window, colors)
    }

    private func countTracks(of bars: [Timeline.Bar]) {
        trackCounts = Array(repeating: 1, count: timeline.lanes.count)
        for bar in bars where bar.started != nil {
            trackCounts[bar.lane] = max(trackCounts[bar.lane], bar.track + 1)
        }
    }

    /// Where a bar is; nil where it did not begin.
    private func place(of bar: Timeline.Bar, _ window: TimeWindow) -> (left: Double, right: Double, top: Double)? {
        guard let started = bar.started else { return nil }
        let track = folded.contains(bar.lane) ? 0 : bar.track
        let top = top(ofLane: bar.lane) + 2 + Double(track) * trackHeight(bar.lane)
        return (window.x(started), window.x(bar.finished ?? .seconds(now)), top)
    }

    private func draw(_ snapshot: OpaquePointer, _ bar: Timeline.Bar, _ window: TimeWindow, _ colors: TimelineColors) {
        // What belongs to other photos steps back behind the one that is of interest.
        let strength = address == nil || address == bar.address ? 1.0 : 0.25
        guard let place = place(of: bar, window) else {
            // Cancelled before it began: a tick among those that wait.
            guard let finished = bar.finished else { return }
            let bottom = top(ofLane: bar.lane + 1) - 1
            let tick = graphene_rect_t(x: window.x(finished), y: bottom - 6, width: 1, height: 6)
            return fill(snapshot, tick, colors.cancelled.faded(strength))
        }
        let height = max(1.5, trackHeight(bar.lane) - 1)
        let left = max(-2, place.left)
        let right = max(left + 1.5, min(width + 2, place.right))
        let shape = graphene_rect_t(x: left, y: place.top, width: right - left, height: height)
        switch bar.outcome {
        case nil: fill(snapshot, shape, colors.running.faded(strength))
        case .done: fill(snapshot, shape, colors.done.faded(strength))
        case .cancelled: hatch(snapshot, shape, colors.cancelled.faded(strength))
        case .failed:
            // Wide enough for both parts.
            let edge = max(left + 4, right - 2)
            let part = graphene_rect_t(x: left, y: place.top, width: edge - left, height: height)
            fill(snapshot, part, colors.failed.faded(strength))
            let end = graphene_rect_t(x: edge, y: place.top, width: 2, height: height)
            fill(snapshot, end, colors.text.faded(strength))
        }
        guard let name = bar.photo, height >= Self.leastNamed.height, right - left >= Self.leastNamed.width,
            !folded.contains(bar.lane)
        else { return }
        let color = colors.text(on: bar.outcome).faded(strength)
        write(snapshot, name, x: max(0, left), y: place.top, color, within: right - max(0, left) - 6, height: height)
    }

    private func drawWaiting(
        _ snapshot: OpaquePointer, _ lane: Int, _ window: TimeWindow, _ colors: TimelineColors
    ) {
        let bottom = top(ofLane: lane + 1) - 1
        let most = folded.contains(lane) ? 5 : Self.waitingHeight
        var right = min(width, window.x(.seconds(now)))
        for step in timeline.lanes[lane].waiting.reversed() {
            let left = window.x(step.time)
            if step.count > 0, left < right {
                // The square root, so that one is seen beside a thousand.
                let part = Double(min(step.count, Self.mostWaiting)) / Double(Self.mostWaiting)
                let height = max(2, part.squareRoot() * most)
                let shape = graphene_rect_t(
                    x: max(0, left), y: bottom - height, width: right - max(0, left), height: height)
                fill(snapshot, shape, colors.waiting)
            }
            right = min(right, left)
            if right <= 0 { return }
        }
    }

    /// A line for each frame, and a bar for each time in which nobody was answered; stalls are red, and say how long they were.
    private func drawMainThread(_ snapshot: OpaquePointer, _ window: TimeWindow, _ colors: TimelineColors) {
        let height = mainThreadHeight
        fill(snapshot, graphene_rect_t(x: 0, y: 0, width: width, height: height - 1), colors.background)
        var before = -1.0
        for frame in mainThread.frames.reversed() {
            let x = window.x(frame).rounded()
            if x < 0 { break }
            // More than one line at a place is one line.
            guard x <= width, x != before else { continue }
            before = x
            fill(snapshot, graphene_rect_t(x: x, y: height - 9, width: 1, height: 8), colors.done.faded(0.6))
        }
        for busy in mainThread.busy.reversed() {
            let (left, right) = (max(-2, window.x(busy.from)), min(width + 2, window.x(busy.to)))
            if window.x(busy.to) < 0 { break }
            guard left <= width else { continue }
            let shape = graphene_rect_t(x: left, y: 2, width: max(1.5, right - left), height: height - 12)
            fill(snapshot, shape, busy.isStall ? colors.stall : colors.running)
            let inside = right - max(0, left) - 6
            if busy.isStall, inside >= Self.leastNamed.width {
                let text = tr("{number} ms").filled(["number": Int((busy.to - busy.from) / .milliseconds(1)).grouped])
                write(snapshot, text, x: max(0, left), y: 2, colors.onStall, within: inside, height: height - 12)
            }
        }
    }

    /// Joins the operations of the photo that is of interest: from the end of one to the beginning of the one that waited for it.
    private func drawDependencies(
        _ snapshot: OpaquePointer, _ bars: [Timeline.Bar], _ window: TimeWindow, _ colors: TimelineColors
    ) {
        guard let address else { return }
        let own = bars.filter { $0.address == address && $0.started != nil }
        let area = graphene_rect_t(x: 0, y: 0, width: width, height: top(ofLane: timeline.lanes.count))
        guard own.count > 1, let cairo = withUnsafePointer(to: area, { gtk_snapshot_append_cairo(snapshot, $0) }) else {
            return
        }
        defer { cairo_destroy(cairo) }
        cairo_set_source_rgba(
            cairo, Double(colors.text.red), Double(colors.text.green), Double(colors.text.blue), 0.8)
        cairo_set_line_width(cairo, 1.5)
        for (index, bar) in own.enumerated() {
            for name in bar.dependencies {
                guard let from = own[..<index].last(where: { $0.name == name }).flatMap({ place(of: $0, window) }),
                    let to = place(of: bar, window)
                else { continue }
                let middle = trackHeight(bar.lane) / 2
                cairo_move_to(cairo, from.right, from.top + middle)
                cairo_line_to(cairo, from.right, to.top + middle)
                cairo_line_to(cairo, to.left, to.top + middle)
                cairo_stroke(cairo)
            }
        }
    }

    private func drawAxis(_ snapshot: OpaquePointer, _ window: TimeWindow, _ colors: TimelineColors) {
        let ticks = window.ticks(apart: 70)
        let height = top(ofLane: timeline.lanes.count)
        for second in ticks.seconds {
            let x = window.x(.seconds(second))
            fill(snapshot, graphene_rect_t(x: x, y: 0, width: 1, height: height + 4), colors.text.faded(0.15))
            let text = tr("{seconds} s").filled(["seconds": second.written(decimals: ticks.decimals)])
            write(snapshot, text, x: x, y: height + 1, colors.text.faded(0.7))
        }
    }

    /// Writes a text at the right of a line, where there is room for it, or as much of it as there is room for.
    ///
    /// - Parameters:
    ///   - room: How wide it may be; nil for all that the window has, and nothing where that is too little.
    ///   - height: The height in whose middle it is to stand; nil for its own.
    private func write(
        _ snapshot: OpaquePointer, _ text: String, x: Double, y: Double, _ color: GdkRGBA, within room: Double? = nil,
        height: Double? = nil
    ) {
        guard let layout = gtk_widget_create_pango_layout(canvas?.widget, text) else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        if let room, let font = pango_font_description_new() {
            // As large as the least height allows.
            pango_font_description_set_absolute_size(font, 9.5 * Double(PANGO_SCALE))
            pango_layout_set_font_description(layout, font)
            pango_font_description_free(font)
            pango_layout_set_width(layout, Int32(room) * PANGO_SCALE)
            pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
        }
        var (textWidth, textHeight): (Int32, Int32) = (0, 0)
        pango_layout_get_pixel_size(layout, &textWidth, &textHeight)
        guard room != nil || x + 4 + Double(textWidth) <= width else { return }
        let above = height.map { (($0 - Double(textHeight)) / 2).rounded() } ?? 0
        gtk_snapshot_save(snapshot)
        var point = graphene_point_t(x: Float(x) + 4, y: Float(y + above))
        gtk_snapshot_translate(snapshot, &point)
        withUnsafePointer(to: color) { gtk_snapshot_append_layout(snapshot, layout, $0) }
        gtk_snapshot_restore(snapshot)
    }
}
