import CGtk
import GtkSupport
import PhotoBrowser

/// The window that explains the program, without a network.
enum HelpWindow {
    /// What each part of the page is called, and says.
    private static var parts: [(title: String, sentences: [String])] {
        [
            (
                tr("Opening Photos"),
                [
                    tr("Open Folder shows a folder with all folders in it."),
                    tr("Open takes pictures, or a catalog, which is a list of addresses."),
                    tr("Files and folders can also be dropped on the window."),
                ]
            ),
            (
                tr("The List"),
                [
                    tr("The photos on screen are loaded first, and then those that you are likely to reach next."),
                    tr("What has left the screen is given up."),
                    tr("Under a photo stands what happens to it, or why it cannot be shown."),
                ]
            ),
            (
                tr("Looks"),
                [
                    tr("A look is a chain of filters, such as sepia."),
                    tr("It changes what you see and what you save, and never your own files."),
                    tr("Save All With This Look, in the menu, writes all photos of the list into a folder."),
                ]
            ),
            (
                tr("Paper and Wallpaper"),
                [
                    tr(
                        "Ctrl+P prints the photo that you look at, or those that are chosen, with their look and one to a page."
                    ),
                    tr("Where the desktop can have a photo as its wallpaper, the menu of the photo offers that."),
                ]
            ),
            (
                tr("The Slow Network"),
                [
                    tr("The sample comes from a server inside this program."),
                    tr("Two sliders say how long each request waits, and how fast the bytes come."),
                    tr("Shift+F5 loads all photos again."),
                ]
            ),
            (
                tr("The Operations"),
                [
                    tr("F9 shows a lane for each queue, and a bar for each operation while it runs."),
                    tr("Point at a photo to see its bars, and at a bar to see its photo."),
                    tr("Suspend a queue to run its operations one at a time."),
                ]
            ),
            (
                tr("Why Lists Stutter"),
                [
                    tr("A window draws up to sixty frames a second, all on its main thread."),
                    tr("Whatever else that thread does makes frames late."),
                    tr("Compare Strategies (F8) scrolls the same list in three ways and measures each:"),
                ]
            ),
        ]
    }

    /// Shows it.
    ///
    /// - Parameter chapter: The chapter of the tutorial that it is to begin with; nil for the top. Default: nil.
    static func show(over window: Widget?, at chapter: TutorialChapter? = nil) {
        guard let dialog = gtk_window_new(), let page = adw_preferences_page_new() else { return }
        gtk_window_set_title(cast(dialog), tr("Help"))
        gtk_window_set_default_size(cast(dialog), 520, 640)
        gtk_window_set_transient_for(cast(dialog), cast(window))
        gtk_window_set_destroy_with_parent(cast(dialog), 1)
        gtk_window_set_titlebar(cast(dialog), adw_header_bar_new())
        gtk_window_set_child(cast(dialog), cast(page))
        closeByEscape(dialog)
        for part in parts {
            let group = add(part.title, to: cast(page))
            guard let label = gtk_label_new(part.sentences.joined(separator: " ")) else { continue }
            gtk_label_set_wrap(OpaquePointer(label), 1)
            gtk_label_set_xalign(OpaquePointer(label), 0)
            adw_preferences_group_add(group, label)
        }
        // Below the part that speaks of them.
        let strategies = LoadingStrategy.allCases.map { (name: $0.rawValue, value: $0.explanation) }
        DetailRows.add(strategies, to: add("", to: cast(page)))
        let rows = addTutorial(to: cast(page))
        gtk_window_present(cast(dialog))
        // The page scrolls to what has the keyboard.
        if let chapter, let row = rows[chapter] { gtk_widget_grab_focus(row) }
    }

    /// Says where each chapter of the tutorial is.
    ///
    /// - Returns: Their rows.
    private static func addTutorial(to page: UnsafeMutablePointer<AdwPreferencesPage>?) -> [TutorialChapter: Widget] {
        let group = add(tr("The Tutorial"), to: page)
        adw_preferences_group_set_description(
            group,
            tr(
                "The classic photo list, step by step: the folder docs/tutorial of the sources has the chapters, and each has a program that one runs there. The Guided Tour (Shift+F1) shows their ideas in this program."
            )
            .escapedForMarkup)
        var rows: [TutorialChapter: Widget] = [:]
        for chapter in TutorialChapter.allCases {
            let line = (name: chapter.heading, value: "swift run \(chapter.program)")
            rows[chapter] = DetailRows.add([line], to: group).first
        }
        return rows
    }

    /// Adds a group to a page.
    private static func add(
        _ title: String, to page: UnsafeMutablePointer<AdwPreferencesPage>?
    ) -> UnsafeMutablePointer<AdwPreferencesGroup>? {
        guard let group = adw_preferences_group_new() else { return nil }
        adw_preferences_group_set_title(cast(group), title.escapedForMarkup)
        adw_preferences_page_add(page, cast(group))
        return cast(group)
    }
}
