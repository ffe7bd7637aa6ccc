public import CGtk

extension graphene_rect_t {
    /// A rectangle of whole or broken pixels.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(
            origin: graphene_point_t(x: Float(x), y: Float(y)),
            size: graphene_size_t(width: Float(width), height: Float(height)))
    }
}

extension GdkRGBA {
    /// A colour by its hexadecimal digits, such as `0x3584E4`.
    public init(_ hex: Int, alpha: Double = 1) {
        self.init(
            red: Float(hex >> 16 & 0xFF) / 255, green: Float(hex >> 8 & 0xFF) / 255, blue: Float(hex & 0xFF) / 255,
            alpha: Float(alpha))
    }

    /// The colour with less opacity.
    public func faded(_ factor: Double) -> GdkRGBA {
        GdkRGBA(red: red, green: green, blue: blue, alpha: alpha * Float(factor))
    }
}

/// Draws a filled rectangle.
public func fill(_ snapshot: OpaquePointer, _ rectangle: graphene_rect_t, _ color: GdkRGBA) {
    withUnsafePointer(to: rectangle) { rectangle in
        withUnsafePointer(to: color) { color in gtk_snapshot_append_color(snapshot, color, rectangle) }
    }
}

/// Draws the outline of a rectangle, inside of it.
public func outline(
    _ snapshot: OpaquePointer, _ rectangle: graphene_rect_t, _ color: GdkRGBA, width: Float = 1
) {
    var outline = GskRoundedRect()
    withUnsafePointer(to: rectangle) { _ = gsk_rounded_rect_init_from_rect(&outline, $0, 2) }
    let widths = [width, width, width, width]
    let colors = [color, color, color, color]
    gtk_snapshot_append_border(snapshot, &outline, widths, colors)
}

/// Draws a rectangle with an outline and oblique lines in it.
public func hatch(_ snapshot: OpaquePointer, _ rectangle: graphene_rect_t, _ color: GdkRGBA) {
    var (from, to) = (graphene_point_t(x: 0, y: 0), graphene_point_t(x: 4, y: 4))
    let clear = color.faded(0)
    let stops = [(0, color), (0.3, color), (0.3, clear), (1, clear)].map { GskColorStop(offset: $0.0, color: $0.1) }
    withUnsafePointer(to: rectangle) {
        gtk_snapshot_append_repeating_linear_gradient(snapshot, $0, &from, &to, stops, gsize(stops.count))
    }
    outline(snapshot, rectangle, color)
}

/// Draws a texture into a rectangle, whatever its shape.
public func draw(_ snapshot: OpaquePointer, _ texture: ObjectReference, in rectangle: graphene_rect_t) {
    withUnsafePointer(to: rectangle) { gtk_snapshot_append_texture(snapshot, texture.pointer, $0) }
}

/// Draws only what is inside of a rectangle.
public func clip(_ snapshot: OpaquePointer, to rectangle: graphene_rect_t, _ body: () -> Void) {
    withUnsafePointer(to: rectangle) { gtk_snapshot_push_clip(snapshot, $0) }
    body()
    gtk_snapshot_pop(snapshot)
}
