import CGtk
import GtkSupport

/// The colours of a timeline, for light and dark; blue, sky blue, orange and vermilion are told apart by everyone.
struct TimelineColors {
    let isDark = adw_style_manager_get_dark(adw_style_manager_get_default()) != 0

    var text: GdkRGBA { isDark ? GdkRGBA(0xFFFFFF) : GdkRGBA(0x000000, alpha: 0.8) }
    var background: GdkRGBA { text.faded(0.06) }
    var running: GdkRGBA { GdkRGBA(0x56B4E9) }
    var done: GdkRGBA { isDark ? GdkRGBA(0x2F86C9) : GdkRGBA(0x0072B2) }
    var cancelled: GdkRGBA { text.faded(0.55) }
    /// A time in which the main thread answers nobody.
    var stall: GdkRGBA { isDark ? GdkRGBA(0xFF6B6B) : GdkRGBA(0xC01C28) }
    var onStall: GdkRGBA { isDark ? GdkRGBA(0x000000) : GdkRGBA(0xFFFFFF) }

    /// What is written on a bar.
    func text(on outcome: Timeline.Outcome?) -> GdkRGBA {
        switch outcome {
        case nil: GdkRGBA(0x000000)
        case .cancelled: text
        case .failed where isDark: GdkRGBA(0x000000)
        default: GdkRGBA(0xFFFFFF)
        }
    }
    var failed: GdkRGBA { isDark ? GdkRGBA(0xFF7A2F) : GdkRGBA(0xD55E00) }
    var waiting: GdkRGBA { GdkRGBA(0xE69F00, alpha: 0.6) }

    /// The states in the order of a legend.
    func draw(_ snapshot: OpaquePointer, _ size: graphene_size_t, state: Int) {
        let shape = graphene_rect_t(x: 1, y: 2, width: Double(size.width) - 2, height: Double(size.height) - 4)
        switch state {
        case 0: fill(snapshot, shape, waiting)
        case 1: fill(snapshot, shape, running)
        case 2: fill(snapshot, shape, done)
        case 3: hatch(snapshot, shape, cancelled)
        case 4: fill(snapshot, shape, stall)
        default:
            fill(snapshot, shape, failed)
            fill(
                snapshot, graphene_rect_t(x: Double(size.width) - 4, y: 2, width: 3, height: Double(size.height) - 4),
                text)
        }
    }
}
