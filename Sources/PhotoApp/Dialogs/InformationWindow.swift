import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

/// The window that tells what is known of a photo: its file, its way here, its camera.
enum InformationWindow {
    /// Shows it, and what the file says as soon as that is there.
    ///
    /// - Parameters:
    ///   - look: What is said of the photo's look.
    ///   - pause: What the file may wait for.
    static func show(
        over window: Widget?, _ photo: Photo.ID, of list: PhotoList, look: String, _ pause: PhotosPause
    ) {
        // Not one of libadwaita's windows for preferences, which in 1.2 keep their rows when they are gone.
        guard let dialog = gtk_window_new(), let page = adw_preferences_page_new() else { return }
        gtk_window_set_title(cast(dialog), tr("Information"))
        gtk_window_set_default_size(cast(dialog), 460, 560)
        gtk_window_set_transient_for(cast(dialog), cast(window))
        gtk_window_set_modal(cast(dialog), 1)
        gtk_window_set_destroy_with_parent(cast(dialog), 1)
        gtk_window_set_titlebar(cast(dialog), adw_header_bar_new())
        gtk_window_set_child(cast(dialog), cast(page))
        closeByEscape(dialog)
        let row = list[photo]
        let address = list.address(of: photo).map { [(tr("Address"), $0)] } ?? []
        let trouble = row.trouble
        add(
            [(tr("Name"), row.name)] + address + [(tr("Look"), look)] + (trouble?.lines ?? []), tr("Photo"),
            to: cast(page))
        let waiting = makeWaiting(pause)
        adw_preferences_page_add(cast(page), waiting)
        var isOpen = true
        let reading = Task {
            let lines: [(name: String, value: String)]
            var camera: [(name: String, value: String)] = []
            do throws(PhotoError) {
                let information = try await list.information(of: photo)
                (lines, camera) = (information.fileLines, information.cameraLines)
            } catch {
                let absence = error.trouble
                lines = [(tr("Not There"), absence.sentence)] + (absence == trouble ? [] : absence.detailLines)
            }
            guard isOpen else { return }
            adw_preferences_page_remove(cast(page), waiting)
            add(lines, tr("File"), to: cast(page))
            if !camera.isEmpty { add(camera, tr("Camera and Photographer"), to: cast(page)) }
        }
        // It may also go with the window below it.
        connect(dialog, "destroy") {
            isOpen = false
            reading.cancel()
        }
        gtk_window_present(cast(dialog))
    }

    /// What is there until the file is: why that takes a while, and what can be done about it.
    private static func makeWaiting(_ pause: PhotosPause) -> UnsafeMutablePointer<AdwPreferencesGroup>? {
        guard let group = adw_preferences_group_new() else { return nil }
        func say(_ text: String) { adw_preferences_group_set_description(cast(group), text.escapedForMarkup) }
        adw_preferences_group_set_title(cast(group), tr("File").escapedForMarkup)
        guard pause.isOn(), let resume = gtk_button_new_with_label(tr("Resume Downloads")) else {
            say(tr("Reading the file…"))
            return cast(group)
        }
        say(tr("Downloads are paused. The file is read when they go on."))
        gtk_widget_set_halign(resume, GTK_ALIGN_START)
        connect(resume, "clicked") {
            say(tr("Reading the file…"))
            gtk_widget_set_visible(resume, 0)
            pause.end()
        }
        adw_preferences_group_add(cast(group), resume)
        return cast(group)
    }

    /// Adds a part with a row for each line.
    private static func add(
        _ lines: [(name: String, value: String)], _ title: String, to page: UnsafeMutablePointer<AdwPreferencesPage>?
    ) {
        guard let group = adw_preferences_group_new() else { return }
        adw_preferences_group_set_title(cast(group), title.escapedForMarkup)
        DetailRows.add(lines, to: cast(group))
        adw_preferences_page_add(page, cast(group))
    }
}
