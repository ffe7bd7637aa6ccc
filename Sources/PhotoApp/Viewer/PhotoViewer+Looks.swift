import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

/// The photo with all looks beside each other, in the place of the photo.
extension PhotoViewer {
    private static let photoPlace = "photo"
    private static let looksPlace = "looks"

    func makePlaces(_ image: Widget) -> Widget? {
        gtk_stack_add_named(places, image, Self.photoPlace)
        gtk_stack_add_named(places, sideBySide.widget, Self.looksPlace)
        gtk_stack_set_hhomogeneous(places, 0)
        sideBySide.onClose = { [weak self] in self?.closeLooks() }
        return places.map { cast($0) }
    }

    func makeLooksButton() -> Widget? {
        guard let button = gtk_button_new_from_icon_name("view-grid-symbolic") else { return nil }
        WindowHeader.name(button, tr("Looks side by side"))
        connect(button, "clicked") { [weak self] in
            guard let self else { return }
            if sideBySide.isOpen { closeLooks() } else { showLooks() }
        }
        return button
    }

    /// Shows the photo with all looks.
    func showLooks() {
        guard !sideBySide.isOpen, let list, let photo else { return }
        slideshow.end()
        gtk_widget_set_visible(dividerBar, 0)
        gtk_stack_set_visible_child_name(places, Self.looksPlace)
        sideBySide.open(photo, of: list, like: list[photo].image ?? list[photo].original)
    }

    /// Goes back to the photo.
    func closeLooks() {
        guard sideBySide.isOpen else { return }
        sideBySide.leave()
        gtk_widget_set_visible(dividerBar, 1)
        gtk_stack_set_visible_child_name(places, Self.photoPlace)
        takeFocus()
    }

    func pressInLooks(_ key: Int32) -> Bool {
        switch key {
        case GDK_KEY_Escape, GDK_KEY_BackSpace, GDK_KEY_l: closeLooks()
        default: return sideBySide.moveFocus(key)
        }
        return true
    }
}
