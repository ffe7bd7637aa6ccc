import CGtk

/// A `GListModel` whose items carry a number and nothing else.
///
/// Items are made when the view asks for them, so that a million rows cost no more than a thousand.
@MainActor public final class IdentifierModel {
    /// The model, for a list view.
    ///
    /// Views take over a reference; add one for them with `g_object_ref`.
    public let pointer: OpaquePointer

    private let rows: IdentifierRows

    /// A model of rows.
    ///
    /// - Parameters:
    ///   - count: How many rows there are, up to 4,294,967,295.
    ///   - identifier: The number of a row's item; asked for rows from 0 on, each time that the view asks.
    public init(count: Int, identifier: @escaping (Int) -> Int) {
        rows = IdentifierRows(count: count, identifier: identifier)
        let object = cgtk_new(IdentifierTypes.model)
        pointer = OpaquePointer(object)
        let source = Unmanaged.passRetained(rows).toOpaque()
        cast(pointer, to: CGtkIdentifierModel.self).pointee.source = source
        // A view may keep the model for longer than this object; the rows stay for as long as the model.
        g_object_set_data_full(object, "rows", source) { source in
            if let source { Unmanaged<IdentifierRows>.fromOpaque(source).release() }
        }
    }

    isolated deinit {
        g_object_unref(UnsafeMutableRawPointer(pointer))
    }

    /// How many rows there are.
    public var count: Int { rows.count }

    /// Gives the model other rows, and tells its views.
    public func replace(count: Int, identifier: @escaping (Int) -> Int) {
        let old = rows.count
        rows.count = count
        rows.identifier = identifier
        g_list_model_items_changed(pointer, 0, guint(old), guint(count))
    }

    /// The number that an item of such a model carries.
    public static func identifier(of item: OpaquePointer) -> Int {
        Int(cast(item, to: CGtkIdentifier.self).pointee.identifier)
    }
}

/// The rows behind a model.
private final class IdentifierRows {
    var count: Int
    var identifier: (Int) -> Int

    init(count: Int, identifier: @escaping (Int) -> Int) {
        self.count = count
        self.identifier = identifier
    }

    func item(at row: Int) -> gpointer? {
        guard row < count else { return nil }
        let object = cgtk_new(IdentifierTypes.item)
        cast(OpaquePointer(object), to: CGtkIdentifier.self).pointee.identifier = gint64(identifier(row))
        return UnsafeMutableRawPointer(object)
    }
}

/// The two classes, registered with GObject when they are first needed.
private enum IdentifierTypes {
    static let item = g_type_register_static_simple(
        cgtk_type_object(), "ClassicPhotosIdentifier", guint(MemoryLayout<GObjectClass>.size), nil,
        guint(MemoryLayout<CGtkIdentifier>.size), nil, GTypeFlags(0))

    static let model: GType = {
        let type = g_type_register_static_simple(
            cgtk_type_object(), "ClassicPhotosIdentifierModel", guint(MemoryLayout<GObjectClass>.size), nil,
            guint(MemoryLayout<CGtkIdentifierModel>.size), nil, GTypeFlags(0))
        var interface = GInterfaceInfo()
        interface.interface_init = { table, _ in
            cgtk_set_list_model_vtable(
                table,
                { _ in IdentifierTypes.item },
                { model in guint(source(of: model)?.count ?? 0) },
                { model, row in source(of: model)?.item(at: Int(row)) })
        }
        g_type_add_interface_static(type, cgtk_type_list_model(), &interface)
        return type
    }()

    private static func source(of model: OpaquePointer?) -> IdentifierRows? {
        guard let model, let source = cast(model, to: CGtkIdentifierModel.self).pointee.source else { return nil }
        return Unmanaged<IdentifierRows>.fromOpaque(source).takeUnretainedValue()
    }
}
