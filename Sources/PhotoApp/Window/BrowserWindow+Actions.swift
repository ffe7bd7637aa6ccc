import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

extension BrowserWindow {
    /// Makes known what menus, buttons and keys can call.
    func addActions() {
        actions.add("open", keys: ["<Control>o"]) { [unowned self] in chooseCatalog(isFolder: false) }
        actions.add("open-folder", keys: ["<Control><Shift>o"]) { [unowned self] in chooseCatalog(isFolder: true) }
        actions.add("open-address", keys: ["<Control>l"]) { [unowned self] in
            AddressDialog.show(over: window) { [weak self] in self?.open(Catalog.Source(argument: $0)) }
        }
        actions.add("cancel-opening") { [unowned self] in cancelOpening() }
        actions.add("open-sample") { [unowned self] in
            if let sample = DataFiles.sampleCatalog { open(.path(sample)) }
        }
        actions.addWithText("open-recent") { [unowned self] in open(Catalog.Source(argument: $0)) }
        actions.add("retry", keys: ["F5"]) { [unowned self] in retry() }
        actions.add("reload", keys: ["<Shift>F5"]) { [unowned self] in reload() }
        actions.add("save", keys: ["<Control>s"]) { [unowned self] in chooseWhereToSave() }
        actions.addSwitch("search", keys: ["<Control>f"]) { [unowned self] in turnSearch(on: $0) }
        actions.addSwitch("pause", keys: ["<Control><Shift>p"]) { [unowned self] in pause($0) }
        actions.addChoice("layout", value: preferences.layout.rawValue) { [unowned self] in
            if let layout = Preferences.Layout(rawValue: $0) { setLayout(layout) }
        }
        actions.add("fullscreen", keys: ["F11"]) { [unowned self] in
            let isFullscreen = gtk_window_is_fullscreen(cast(window)) != 0
            if isFullscreen { gtk_window_unfullscreen(cast(window)) } else { gtk_window_fullscreen(cast(window)) }
        }
        actions.add("show-list", keys: ["<Control>1"]) { [unowned self] in actions.choose("layout", "list") }
        actions.add("show-grid", keys: ["<Control>2"]) { [unowned self] in actions.choose("layout", "grid") }
        addThumbnailActions()
        actions.addChoice("order", value: preferences.order.rawValue) { [unowned self] in
            guard let order = PhotoArrangement.Order(rawValue: $0) else { return }
            preferences.order = order
            guard let list else { return }
            // Chosen again, it is the order of states as they are by now.
            if order == .state, list.arrangement.order == order { return list.rankByState() }
            guard list.arrangement.order != order else { return }
            isOrderNew = true
            list.arrangement.order = order
        }
        actions.addSwitch("reversed") { [unowned self] in
            preferences.isReversed = $0
            list?.arrangement.isReversed = $0
        }
        actions.turn("reversed", on: preferences.isReversed)
        actions.add("information", keys: ["<Alt>Return"]) { [unowned self] in
            guard !comparePage.isOpen else { return }
            if let photo = photoToTellOf {
                perform(.information, on: photo)
            } else {
                say(tr("Choose a photo first."))
            }
        }
        // Image viewers have it at F5, where this program tries again what failed.
        actions.addSwitch("slideshow", keys: ["<Control>F5"]) { [unowned self] in turnSlideshow(on: $0) }
        addLookActions()
        actions.add("save-all", keys: ["<Control><Shift>s"]) { [unowned self] in chooseHowToSaveAll() }
        actions.add("print", keys: ["<Control>p"]) { [unowned self] in printPhotos() }
        actions.add("wallpaper") { [unowned self] in setWallpaper() }
        actions.add("compare", keys: ["F8"]) { [unowned self] in compare() }
        actions.addSwitch("panel", keys: ["F9"]) { [unowned self] in panel.isOpen = $0 }
        actions.add("shortcuts", keys: ["<Control>question"]) { [unowned self] in ShortcutsWindow.show(over: window) }
        actions.add("help", keys: ["F1"]) { [unowned self] in HelpWindow.show(over: window) }
        actions.add("tour", keys: ["<Shift>F1"]) { [unowned self] in tour.open() }
        actions.enable(["tour"], DataFiles.sampleCatalog != nil)
        actions.add("close", keys: ["<Control>w"]) { [unowned self] in close() }
    }

    private func turnSearch(on isOn: Bool) {
        guard viewer.list != nil else {
            search.isOpen = isOn
            return
        }
        // Behind the large view nobody would see what is typed; and a search that is on there is meant to go on.
        closeLarge()
        if isOn { search.isOpen = true } else { actions.turn("search", on: true) }
        search.takeFocus()
    }

    /// Tries again what failed: loading the catalog, or the photos.
    private func retry() {
        if let list {
            list.retryAllFailed()
            // One that came damaged has not failed, and is tried again by whoever looks at it.
            if let photo = viewer.photo { list.retry(photo) }
            viewer.tryAgain()
        } else if request?.isReadOnce == true {
            say(tr("Standard input can be read only once."))
        } else if let request {
            open(request)
        }
    }

    /// Has what counts for the whole program hold in this window, as the preferences say it.
    func take(_ changed: Preferences) {
        preferences.appearance = changed.appearance
        preferences.allowsPrivateAddresses = changed.allowsPrivateAddresses
        preferences.keepsImages = changed.keepsImages
        preferences.keptBytes = changed.keptBytes
        for list in [list, viewer.list] { list?.allowsPrivateAddresses = changed.allowsPrivateAddresses }
    }

    /// Does what was chosen from a photo's menu.
    func perform(_ command: PhotoMenu.Command, on photo: Photo.ID) {
        guard let list else { return }
        // What comes over the photo is about it, and not about those that would follow; nothing comes over it when it is copied.
        if command != .copy { viewer.slideshow.end() }
        switch command {
        case .open: openLarge(photo)
        case .save: chooseWhereToSave(photo)
        case .print: printPhotos(photo)
        case .wallpaper: setWallpaper(photo)
        case .retry:
            list.retry(photo)
            if photo == viewer.photo { viewer.tryAgain() }
        case .information: InformationWindow.show(over: window, photo, of: list, look: lookText(of: photo), pause)
        case .look: chooseLook(of: photo)
        case .resetLook: resetLook(of: photo)
        case .looks: showLooksSideBySide(photo)
        case .copy: copyPhotos(photo)
        case .openWith: openWithOther(photo)
        case .showInFiles: showInFiles(photo)
        case .copyAddress:
            guard canHandOn(photo) else { return }
            let addresses = concerned(by: photo).compactMap { list.address(of: $0) }
            guard !addresses.isEmpty else { return }
            gdk_clipboard_set_text(gtk_widget_get_clipboard(window), addresses.joined(separator: "\n"))
            say(
                addresses.count == 1
                    ? tr("The address was copied.")
                    : tr("{count} address was copied.", "{count} addresses were copied.", addresses.count))
        case .openAddress:
            if let address = list.address(of: photo) {
                gtk_show_uri(cast(window), address, UInt32(GDK_CURRENT_TIME))
            }
        }
    }

    /// The pause of the photos, for those who wait for them.
    var pause: PhotosPause {
        PhotosPause(
            isOn: { [weak self] in self?.list?.isPaused ?? false },
            end: { [weak self] in self?.actions.turn("pause", on: false) })
    }

    private func pause(_ isPaused: Bool) {
        panel.endSteps()
        list?.isPaused = isPaused
        viewer.list?.isPaused = isPaused
        refreshStates()
    }

    /// Has all rows say anew what they wait for.
    func refreshStates() {
        page?.refresh()
        viewer.update()
    }
}
