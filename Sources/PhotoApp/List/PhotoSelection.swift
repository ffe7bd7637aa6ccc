import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

/// Which photos are chosen: by a click, with Control or Shift by more clicks, or by keys, as in GTK's own lists.
final class PhotoSelection {
    /// What a view of GTK's takes over.
    let model: OpaquePointer?

    /// The view may go first.
    private let kept: ObjectReference?
    private let list: PhotoList

    /// - Parameter model: The rows of the list.
    init(_ list: PhotoList, _ model: IdentifierModel) {
        self.list = list
        g_object_ref(UnsafeMutableRawPointer(model.pointer))
        self.model = gtk_multi_selection_new(model.pointer)
        kept = self.model.map { ObjectReference($0) }
    }

    /// The photos that are chosen, in the order of their rows.
    var photos: [Photo.ID] {
        guard let chosen = gtk_selection_model_get_selection(model) else { return [] }
        defer { gtk_bitset_unref(chosen) }
        var photos: [Photo.ID] = []
        var iterator = GtkBitsetIter()
        var row: guint = 0
        var isThere = gtk_bitset_iter_init_first(&iterator, chosen, &row) != 0
        while isThere, Int(row) < list.count {
            photos.append(list.photo(atRow: Int(row)))
            isThere = gtk_bitset_iter_next(&iterator, &row) != 0
        }
        return photos
    }

    /// The first of the photos that are chosen, in the order of their rows; of a million it takes no time.
    var first: Photo.ID? {
        guard let chosen = gtk_selection_model_get_selection(model) else { return nil }
        defer { gtk_bitset_unref(chosen) }
        let row = Int(gtk_bitset_get_minimum(chosen))
        return gtk_bitset_is_empty(chosen) == 0 && row < list.count ? list.photo(atRow: row) : nil
    }

    /// How many photos are chosen; of a million it takes no time.
    var count: Int {
        guard let chosen = gtk_selection_model_get_selection(model) else { return 0 }
        defer { gtk_bitset_unref(chosen) }
        return Int(gtk_bitset_get_size(chosen))
    }

    /// Whether a photo is chosen.
    func contains(_ photo: Photo.ID) -> Bool {
        guard let row = list.row(of: photo) else { return false }
        return gtk_selection_model_is_selected(model, guint(row)) != 0
    }

    /// Whether one of these photos is chosen. It takes one pass over the rows, however many photos they are.
    func containsAny(of photos: [Photo.ID]) -> Bool {
        list.rows(of: photos).contains { gtk_selection_model_is_selected(model, guint($0)) != 0 }
    }

    /// Chooses photos and no others; those that the list does not show are left out.
    func choose(_ photos: [Photo.ID]) {
        guard let chosen = gtk_bitset_new_empty(), let all = gtk_bitset_new_range(0, guint(list.count)) else { return }
        defer { for bits in [chosen, all] { gtk_bitset_unref(bits) } }
        for row in list.rows(of: photos) { gtk_bitset_add(chosen, guint(row)) }
        gtk_selection_model_set_selection(model, chosen, all)
    }
}
