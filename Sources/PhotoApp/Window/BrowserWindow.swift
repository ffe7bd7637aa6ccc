import CGtk
import Foundation
import GtkSupport
package import PhotoBrowser
package import PhotoPipeline
import Transfers

/// The window: a header, and below it one of several pages - nothing open, loading, cannot be loaded, the photos.
package final class BrowserWindow {
    package let pipeline: PhotoPipeline
    /// What was downloaded, on disk; the pipeline uses it where the preferences say so.
    let diskCache: DiskCache?
    /// Gives back what pictures take in memory.
    let relief: MemoryRelief
    private var pressure: MemoryPressure?
    let panel: OperationsPanel
    package let window: Widget?
    package let header: WindowHeader
    let actions: Actions
    package let viewer = PhotoViewer()
    /// While a slideshow runs.
    var slideshowScreen: FilledScreen?
    let comparePage = ComparePage()
    /// Makes photos the wallpaper, where the desktop can do that.
    let wallpaper = WallpaperPortal()
    let search = SearchBar()
    /// What the sample comes over, and what tells so.
    let network = SampleNetwork()
    let networkBar: NetworkBar
    /// Shows the ideas of the tutorial in this window.
    private(set) lazy var tour = GuidedTour(self)
    package var preferences = Preferences.load()
    /// What was opened last, for another try.
    var request: OpenRequest?
    /// Whether the user has chosen an order that is not shown yet.
    var isOrderNew = false
    /// Counts what was opened, so that what was given up does not come back when it is loaded at last.
    package var loading = 0
    /// Loads it; what is given up is not transferred to its end.
    var loadingTask: Task<Void, Never>?
    /// What says that it is being loaded, while something else is open.
    var announcement: Notice?
    /// What it says that of.
    var announced: OpenRequest?
    /// Called when somebody turns to this window.
    var onUse = {}
    /// Called when something was opened that can be opened again.
    var onOpen = {}
    /// Called when somebody has made, changed or removed a look here.
    var onLooksChanged = {}
    /// Called when the window is being closed.
    var onEnd = {}
    /// Whether the widgets are gone, or will be in a moment.
    var isClosed = false
    /// Whether the next start can show the same photos; not those of standard input.
    var keepsPlace = false
    /// The photos that are being saved, which the program waits for when the window is closed.
    let saves: SavesUnderWay
    let application: OpaquePointer
    /// The file chooser while it is open.
    var chooser: ObjectReference?
    /// What is called what is shown, and whether it is somebody's own photos and no catalog.
    private(set) var shown = (name: "", isOwn: false)
    /// The looks that single photos of it have.
    var ownLooks = OwnLooks() { didSet { connectOwnLooks() } }
    /// The looks that a photo's menu has opened, for that photo.
    weak var chooserThatIsAsked: LookChooser?
    /// What is shown; nil where there are no photos.
    package private(set) var list: PhotoList?
    package private(set) var page: PhotosPage?

    let screens = OpaquePointer(gtk_stack_new())
    private let stack = OpaquePointer(gtk_stack_new())
    private let browser = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
    let toasts = adw_toast_overlay_new()
    /// What was said last of what a toast has no room for.
    var passing: Notice?
    let pages = StatusPages()
    private var failures: FailureBar?
    /// The photo that was on top before a search, for when it is over.
    var placeBeforeSearch: Photo.ID?
    /// The photo to show at the top when the rows are worked out that the last run ended with.
    var placeToShow: Photo.ID?

    /// - Parameters:
    ///   - diskCache: What was downloaded, for all windows of the program; nil where there is no place for it.
    ///   - keepsImages: Whether pictures may be kept on disk, where the user's preferences say so too. Default: true.
    init(application: OpaquePointer, diskCache: DiskCache?, keepsImages: Bool = true) {
        self.application = application
        self.diskCache = diskCache
        saves = SavesUnderWay(application)
        pipeline = AppPipeline.make(keepingIn: keepsImages && preferences.keepsImages ? diskCache : nil)
        relief = MemoryRelief(pipeline) { _ = cgtk_trim_memory() }
        panel = OperationsPanel(pipeline.pending)
        networkBar = NetworkBar(network)
        window = adw_application_window_new(cast(application))
        actions = Actions(application, of: window)
        header = WindowHeader(looks: LookChooser(preferences.catalogLook))
        gtk_window_set_icon_name(cast(window), App.identifier)
        gtk_window_set_default_size(cast(window), Int32(preferences.width), Int32(preferences.height))
        if preferences.isMaximized { gtk_window_maximize(cast(window)) }
        failures = FailureBar { [unowned self] in list?.retryAllFailed() }
        addActions()
        assemble()
        connectParts()
        acceptDrops()
        pressure = MemoryPressure { [weak self] in self?.relief.relieve() }
        showNothing()
    }

    /// Shows the window.
    func present() { gtk_window_present(cast(window)) }

    /// Closes the window, unless it is closed already.
    func close() {
        if !isClosed { gtk_window_close(cast(window)) }
    }

    /// Gives the keyboard to what is shown.
    private func takeFocus() {
        if comparePage.isOpen {
            comparePage.takeFocus()
        } else if viewer.photo != nil {
            viewer.takeFocus()
        } else if let page {
            page.takeFocus()
        } else {
            pages.takeFocus()
        }
    }

    // MARK: Pages

    func showNothing() {
        title(nil)
        pages.showRecent(preferences.recent)
        header.showRecent(preferences.recent)
        show(.empty)
    }

    /// Offers what another window has opened, too.
    func showRecent() {
        preferences.refreshRecent()
        header.showRecent(preferences.recent)
        // Where nothing is open, rows may have the keyboard.
        if list != nil { return }
        pages.showRecent(preferences.recent)
    }

    func showLoading(_ request: OpenRequest) {
        title(request.name, subtitle: request.place)
        show(.loading)
    }

    func showFailure(_ request: OpenRequest, _ error: Catalog.LoadingError) {
        title(request.name, subtitle: request.place)
        pages.showFailure(error)
        show(.failure)
    }

    /// Shows photos.
    ///
    /// - Parameters:
    ///   - isOwn: Whether they are somebody's own, which have a look of their own.
    ///   - place: The photo to show at the top.
    ///   - search: What is searched for, and the photo on top of what is found; nil for what is remembered of these photos.
    ///     Default: nil.
    ///   - isArranged: Whether they are ordered and searched as the person had it. Default: true.
    func showPhotos(
        of catalog: Catalog, _ name: String, isOwn: Bool, at place: Photo.ID,
        searching search: PresentPlace.Search? = nil,
        isArranged: Bool = true
    ) {
        shown = (name, isOwn)
        pages.tellNoPhotos(isOwn: isOwn)
        let list = PhotoList(
            catalog: catalog, pipeline: pipeline, resize: AppStyle.rowSize(preferences.thumbnails, scale: scale),
            look: chosenLook.look, isPaused: false)
        list.looks = listLooks
        self.list = list
        relief.list = list
        list.onChange = { [weak self] photos in self?.changed(photos) }
        list.onRearranging = { [weak self] in self?.page?.noteChosen() }
        list.onArrange = { [weak self] in self?.arranged() }
        list.strategy = strategy
        list.allowsPrivateAddresses = preferences.allowsPrivateAddresses
        showLook()
        offerUndo()
        makePage(showing: place)
        if isArranged { arrangeAsBefore(place, search ?? (keepsPlace ? preferences.foundPlace : nil)) }
        show(Self.page(of: list))
        page?.takeFocus()
    }

    /// The look of what is shown; it is remembered for photos of this kind.
    package internal(set) var chosenLook: ChosenLook {
        get { shown.isOwn ? preferences.ownLook : preferences.catalogLook }
        set {
            if shown.isOwn { preferences.ownLook = newValue } else { preferences.catalogLook = newValue }
        }
    }

    /// What is called what is shown.
    var shownName: String { shown.name }

    /// How many pixels of the screen a pixel of the window has each way.
    var scale: Int { Int(gtk_widget_get_scale_factor(window)) }

    /// Orders the photos, and searches for what was searched for when this catalog was left.
    private func arrangeAsBefore(_ place: Photo.ID, _ before: PresentPlace.Search?) {
        guard let list else { return }
        let arrangement = PhotoArrangement(
            order: preferences.order, isReversed: preferences.isReversed, search: before?.text ?? "")
        guard arrangement != list.arrangement else { return }
        placeToShow = place
        if let before, !before.text.isEmpty {
            placeBeforeSearch = place
            placeToShow = Photo.ID(min(before.top.index, max(0, list.catalog.count - 1)))
        }
        list.arrangement = arrangement
        search.open(with: arrangement.search)
    }

    /// When rows are loaded; the operations panel offers the others too.
    package var strategy = LoadingStrategy.visible {
        didSet {
            list?.strategy = strategy
            panel.show(strategy)
        }
    }

    func setLayout(_ layout: Preferences.Layout) {
        guard layout != preferences.layout else { return }
        preferences.layout = layout
        guard let list else { return }
        let hadFocus = page?.hasFocus ?? false
        let chosen = page?.selection.photos ?? []
        makePage(showing: page?.topPhoto ?? Photo.ID(0))
        page?.selection.choose(chosen)
        show(Self.page(of: list))
        if hadFocus { page?.takeFocus() }
    }

    /// The page for a list: its photos, or why there are none.
    private static func page(of list: PhotoList) -> Page {
        list.count > 0 ? .photos : list.arrangement.search.isEmpty ? .noPhotos : .noMatch
    }

    private func makePage(showing place: Photo.ID) {
        guard let list else { return }
        removePage()
        let page = PhotosPage(list, layout: preferences.layout, thumbnails: preferences.thumbnails)
        page.canBeWallpaper = { [weak self] in self?.wallpaper.isThere ?? false }
        page.lookEntries = { [weak self] in self?.lookEntries(for: $0) ?? [] }
        page.remark = { [weak self] in self?.remark(about: $0) }
        page.onOpen = { [weak self] in self?.openLarge($0) }
        page.onCommand = { [weak self] in self?.perform($0, on: $1) }
        page.onDrag = { [weak self] photo in
            guard let self, let list = self.list, canHandOn(photo) else { return OfferedFiles() }
            return OfferedFiles(concerned(by: photo).compactMap { list.address(of: $0) })
        }
        page.onPoint = { [weak self] photo in
            guard let self, let list = self.list else { return }
            panel.point(at: photo.map { (list[$0].name, list.address(of: $0)) })
        }
        self.page = page
        gtk_stack_add_named(stack, page.widget, Page.photos.rawValue)
        gtk_stack_set_visible_child_name(stack, Page.photos.rawValue)
        page.scroll(toRow: list.row(of: place) ?? 0)
    }

    private func removePage() {
        guard let page else { return }
        page.leave()
        gtk_stack_remove(stack, page.widget)
        self.page = nil
    }

    func closeList() {
        // Whoever has looks open chooses them for photos that go.
        header.looks.dismiss()
        forgetPassing()
        keepPlace()
        ownLooks.keep()
        closeLarge()
        closeComparison()
        removePage()
        list?.onChange = nil
        list?.onRearranging = nil
        list?.onArrange = nil
        list?.close()
        // The next catalog begins to load at once; a queue that was suspended by itself stays that.
        actions.turn("pause", on: false)
        list = nil
        placeBeforeSearch = nil
        placeToShow = nil
        search.close()
        failures?.show(nil, visible: [])
    }

    private func show(_ page: Page) {
        gtk_stack_set_visible_child_name(stack, page.rawValue)
        let hasPhotos = list.map { !$0.catalog.isEmpty } ?? false
        header.update(hasPhotos: hasPhotos)
        search.capture(keysOf: hasPhotos ? browser : nil)
        actions.enable(
            [
                "pause", "search", "save", "layout", "show-list", "show-grid", "order", "reversed", "thumbnails",
                "larger", "smaller", "slideshow", "save-all", "print", "looks",
            ], hasPhotos)
        offerWallpaper()
        // Where nothing is open, nothing can be tried again.
        actions.enable(["retry", "reload"], page != .empty)
        if page == .empty { pages.takeFocus() }
    }

    /// Searches by name; nothing ends the search.
    private func searchFor(_ text: String) {
        // The rows are there later, and the search may be given up before that.
        if !text.isEmpty { placeBeforeSearch = topWithoutSearch }
        list?.arrangement.search = text
    }

    // MARK: What the list tells

    private func changed(_ photos: Set<Photo.ID>) {
        relief.use()
        page?.refresh(photos)
        header.looks.imageChanged()
        showFailures()
    }

    func showFailures() {
        guard let list, let page else { return }
        let rows = page.visibleRows.clamped(to: 0..<list.count)
        failures?.show(list, visible: rows.map { list.photo(atRow: $0) })
    }

    private func arranged() {
        guard let list, let page else { return }
        let isSearching = !list.arrangement.search.isEmpty
        var place = placeToShow
        placeToShow = nil
        if isSearching {
            placeBeforeSearch = placeBeforeSearch ?? page.topPhoto
        } else if let before = placeBeforeSearch {
            place = before
            placeBeforeSearch = nil
        }
        page.rearrange(showing: place.flatMap { list.row(of: $0) } ?? 0)
        viewer.rearrange()
        search.tell(found: isSearching ? list.count : nil)
        show(Self.page(of: list))
        if isOrderNew, [.modified, .size].contains(list.arrangement.order), !list.hasFilesToOrderBy {
            say(tr("These photos have no files on this computer that they could be ordered by."))
        }
        isOrderNew = false
    }

    // MARK: Parts

    private func assemble() {
        guard let browser, let toasts,
            let content = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), let screens, let stack
        else { return }
        for (page, widget) in pages.all { gtk_stack_add_named(stack, widget, page.rawValue) }
        gtk_widget_set_vexpand(cast(stack), 1)
        for child in [header.widget, search.widget, failures?.widget] { gtk_box_append(cast(browser), child) }
        for child in [cast(stack), networkBar.widget] { gtk_box_append(cast(browser), child) }
        gtk_stack_add_named(screens, browser, "browser")
        gtk_stack_add_named(screens, viewer.widget, "viewer")
        gtk_stack_add_named(screens, comparePage.widget, "compare")
        gtk_stack_set_transition_type(screens, GTK_STACK_TRANSITION_TYPE_CROSSFADE)
        gtk_widget_set_vexpand(cast(screens), 1)
        adw_toast_overlay_set_child(OpaquePointer(toasts), cast(screens))
        for part in [saves.placed(below: toasts, and: tour.card.widget), panel.widget] {
            gtk_box_append(cast(content), part)
        }
        PanelLayout.apply(to: content)
        adw_application_window_set_content(cast(window), content)
    }

    private func connectParts() {
        saves.pause = pause
        saves.onLeave = { [unowned self] in takeFocus() }
        viewer.canBeWallpaper = { [unowned self] in wallpaper.isThere }
        viewer.lookEntries = { [unowned self] in lookEntries(for: $0) }
        viewer.onMove = { [unowned self] in titleLarge($0) }
        viewer.onClose = { [unowned self] in closeLarge() }
        comparePage.onClose = { [unowned self] in closeComparison() }
        viewer.onCommand = { [unowned self] in perform($0, on: $1) }
        viewer.onFullscreen = { [unowned self] in
            if $0 { gtk_window_fullscreen(cast(window)) } else { gtk_window_unfullscreen(cast(window)) }
        }
        viewer.slideshow.onSwitch = { [unowned self] in slideshowChanged(isRunning: $0) }
        panel.onStrategy = { [unowned self] in strategy = $0 }
        panel.onSuspend = { [unowned self] in refreshStates() }
        panel.onPoint = { [unowned self] in page?.mark($0) }
        panel.onSave = { [unowned self] in chooseWhereToSaveTrace() }
        panel.onClose = { [unowned self] in actions.turn("panel", on: false) }
        wallpaper.onChange = { [unowned self] _ in offerWallpaper() }
        search.onSearch = { [unowned self] in searchFor($0) }
        search.onSwitch = { [unowned self] isOpen in
            actions.turn("search", on: isOpen)
            // Left alone, GTK would look for somebody to take the keyboard when the entry is gone.
            if !isOpen, viewer.list == nil { page?.takeFocus() }
        }
        connectLooks()
        header.looks.onNeedImage = { [unowned self] in
            guard let list, let page else { return nil }
            let rows = page.visibleRows.clamped(to: 0..<list.count)
            let visible = rows.map { list.photo(atRow: $0) }
            // One of those whom the look is for, where one sees any of them.
            let concerned = visible.filter(header.looks.targets.target.photos.contains)
            let photos = concerned.isEmpty ? visible : concerned
            if let original = photos.lazy.compactMap({ list.original(of: $0) }).first { return original }
            _ = photos.first { list.loadOriginal(of: $0) }
            return nil
        }
        guard let window else { return }
        connect(window, "notify::fullscreened") { [unowned self] in
            viewer.isFullscreen = gtk_window_is_fullscreen(cast(window)) != 0
        }
        // Another monitor may have smaller pixels. GTK is still at work on the window.
        connect(window, "notify::scale-factor") { [weak self] in
            Task { [weak self] in
                guard let self, !isClosed else { return }
                takeThumbnails()
            }
        }
        connect(window, "notify::is-active") { [unowned self] in
            if gtk_window_is_active(cast(window)) != 0 { onUse() } else { viewer.releaseKeys() }
        }
        connect(window, "close-request") { [unowned self] () -> Bool in
            end()
            onEnd()
            return false
        }
    }
}
