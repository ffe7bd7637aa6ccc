import CGtk
import GtkSupport
import PhotoApp
import PhotoPipeline

/// What somebody sees who looks at the windows: widgets, and nothing of what is behind them.
struct SoakEyes {
    /// A photo on the screen.
    struct Photo {
        let name: String
        /// Empty where all is well, which the picture says.
        let state: String
        /// What is in front in the place of the picture.
        let texture: OpaquePointer?

        /// The number of the picture that belongs to the name, which ends in it.
        var number: Int? {
            let digits = name.split { !$0.isNumber }.last
            return digits.flatMap { Int($0) }
        }
    }

    let window: Widget?

    /// The view of photos, where there is one on the screen.
    var view: Widget? {
        first { Self.isA($0, gtk_list_view_get_type()) || Self.isA($0, gtk_grid_view_get_type()) }
    }

    /// Whether the photos are on the screen, and not the large view or another page.
    var isReachable: Bool { view.map { gtk_widget_get_mapped($0) != 0 } ?? false }

    /// What is typed as a search, whether or not it counts already.
    var typedSearch: String {
        let entry = first(gtk_search_entry_get_type()).map { OpaquePointer($0) }
        return entry.flatMap { gtk_editable_get_text($0) }.map { String(cString: $0) } ?? ""
    }

    /// The least that the window's size can be.
    var smallestSize: (width: Int32, height: Int32) {
        var (width, height): (Int32, Int32) = (0, 0)
        gtk_widget_measure(window, GTK_ORIENTATION_HORIZONTAL, -1, &width, nil, nil, nil)
        gtk_widget_measure(window, GTK_ORIENTATION_VERTICAL, -1, &height, nil, nil, nil)
        return (width, height)
    }

    /// The photos on the screen.
    var photos: [Photo] {
        guard let view else { return [] }
        return Self.children(of: view).filter { gtk_widget_get_mapped($0) != 0 }.compactMap { cell in
            guard let name = Self.label("heading", in: cell), let state = Self.label("caption", in: cell) else {
                return nil
            }
            return Photo(name: name, state: state, texture: Self.texture(in: cell))
        }
    }

    /// The first widget of the window that is such, on the screen or not.
    func first(_ isSuch: (Widget) -> Bool) -> Widget? {
        window.flatMap { Self.first(in: $0, isSuch) }
    }

    /// The first widget of a type, on the screen or not.
    func first(_ type: GType) -> Widget? { first { Self.isA($0, type) } }

    static func first(in widget: Widget, _ isSuch: (Widget) -> Bool) -> Widget? {
        if isSuch(widget) { return widget }
        for child in children(of: widget) {
            if let found = first(in: child, isSuch) { return found }
        }
        return nil
    }

    static func isA(_ widget: Widget, _ type: GType) -> Bool {
        g_type_is_a(cgtk_instance_type(UnsafeMutableRawPointer(widget)), type) != 0
    }

    static func typeName(of widget: Widget) -> String {
        g_type_name(cgtk_instance_type(UnsafeMutableRawPointer(widget))).map { String(cString: $0) } ?? ""
    }

    static func children(of widget: Widget) -> [Widget] {
        var found: [Widget] = []
        var next = gtk_widget_get_first_child(widget)
        while let child = next {
            found.append(child)
            next = gtk_widget_get_next_sibling(child)
        }
        return found
    }

    /// What a label says that is no part of the picture, where the reason for its absence may stand, too.
    private static func label(_ style: String, in cell: Widget) -> String? {
        for child in children(of: cell) where !isA(child, gtk_stack_get_type()) {
            if isA(child, gtk_label_get_type()), gtk_widget_has_css_class(child, style) != 0 {
                return gtk_label_get_text(OpaquePointer(child)).map { String(cString: $0) }
            }
            if let found = label(style, in: child) { return found }
        }
        return nil
    }

    private static func texture(in cell: Widget) -> OpaquePointer? {
        guard let stack = first(in: cell, { isA($0, gtk_stack_get_type()) }),
            let front = gtk_stack_get_visible_child(OpaquePointer(stack)), isA(front, gtk_picture_get_type())
        else { return nil }
        return gtk_picture_get_paintable(OpaquePointer(front))
    }

    /// The pixels of a texture, each as blue, green, red and alpha; and their size.
    static func pixels(of texture: OpaquePointer) -> (bytes: [UInt8], size: PixelSize) {
        let size = PixelSize(
            width: Int(gdk_texture_get_width(texture)), height: Int(gdk_texture_get_height(texture)))
        var bytes = [UInt8](repeating: 0, count: size.width * size.height * 4)
        bytes.withUnsafeMutableBufferPointer {
            gdk_texture_download(texture, $0.baseAddress, gsize(size.width * 4))
        }
        return (bytes, size)
    }

    /// The number that stands in a texture.
    static func number(in texture: OpaquePointer) -> Int? {
        let (bytes, size) = pixels(of: texture)
        return SoakImages.number(in: size) { x, y in
            let start = (y * size.width + x) * 4
            return Int(bytes[start]) + 2 * Int(bytes[start + 1]) + Int(bytes[start + 2])
        }
    }

    /// Whether a texture is an opaque picture. Where it was made smaller, it has nearly the same colour in the middle of each field.
    static func isSame(_ texture: OpaquePointer, _ image: PixelBuffer) -> Bool {
        let (bytes, size) = pixels(of: texture)
        guard size != image.size else { return hasPixels(bytes, of: image) }
        guard size.width < image.size.width,
            abs(size.height * image.size.width - size.width * image.size.height) <= image.size.width
        else { return false }
        return image.withUnsafeBytes { expected in
            SoakImages.middles.allSatisfy { x, y in
                let start = (Int(y * Double(size.height)) * size.width + Int(x * Double(size.width))) * 4
                let column = Int(x * Double(image.size.width))
                let other = Int(y * Double(image.size.height)) * image.bytesPerRow + column * 4
                return (0..<3).allSatisfy { abs(Int(bytes[start + $0]) - Int(expected[other + 2 - $0])) <= 6 }
            }
        }
    }

    private static func hasPixels(_ bytes: [UInt8], of image: PixelBuffer) -> Bool {
        image.withUnsafeBytes { expected in
            for start in stride(from: 0, to: bytes.count, by: 4) {
                for channel in 0..<3 where bytes[start + channel] != expected[start + 2 - channel] { return false }
            }
            return true
        }
    }

    /// The other windows of the program: dialogs.
    var dialogs: [Widget] {
        guard let models = gtk_window_get_toplevels() else { return [] }
        return (0..<g_list_model_get_n_items(models)).compactMap { index in
            guard let item = g_list_model_get_item(models, index) else { return nil }
            g_object_unref(item)
            let widget = item.assumingMemoryBound(to: GtkWidget.self)
            return widget == window || gtk_widget_get_visible(widget) == 0 ? nil : widget
        }
    }
}
