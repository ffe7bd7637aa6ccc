internal import CDecodeHelper

/// What a helper does before it is confined, because afterwards it can load nothing.
enum WarmUp {
    /// Text, and pictures of the kinds that browsers show in drawings: with them come the configuration of fonts and the
    /// modules that read these kinds.
    private static let drawing = """
        <svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><text y='9'>a</text>
        <image width='1' height='1' href='data:image/png;base64,\
        iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=='/>
        <image width='1' height='1' href='data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs='/>
        <image width='1' height='1' href='data:image/svg+xml;base64,\
        PHN2ZyB4bWxucz0naHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmcnIHdpZHRoPScxJyBoZWlnaHQ9JzEnLz4='/>
        </svg>
        """

    static func run(in room: chelper_room) {
        chelper_load_plugins()
        guard room == CHELPER_DRAWINGS else { return }
        Array(drawing.utf8).withUnsafeBytes { bytes in
            let limits = DecodeLimits(isolation: .nothing)
            let watch = DecodeWatch(timeLimit: limits.timeLimit, isCancelled: { false })
            // A machine without fonts draws the rest.
            _ = try? VipsDecoder.svg(ByteReader(bytes), DecodeOptions(), limits: limits, watch: watch)
        }
        chelper_end_font_threads()
    }
}
