import CGtk
import FoundationEssentials
import GtkSupport
import PhotoBrowser
import PhotoPipeline
import Transfers

extension BrowserWindow {
    /// Opens what was open when the program was last closed, at the same place.
    func openLast() {
        if let catalog = preferences.catalog { open(Catalog.Source(argument: catalog)) }
    }

    func open(_ source: Catalog.Source) { open(.one(source)) }

    /// Loads photos, off the main thread, and shows them or why they cannot be had. What is open stays until they are
    /// there.
    ///
    /// - Parameter isReload: Whether it is what is open, which stays at its place and begins with no picture in memory. Default: it
    ///   is something else, and what is in memory stays.
    func open(_ request: OpenRequest, isReload: Bool = false) {
        // Whoever was asked may still answer.
        guard !isClosed else { return }
        giveUpOpening()
        let number = loading
        if list == nil {
            self.request = request
            showLoading(request)
        } else {
            announce(request)
        }
        let meter = TransferMeter()
        follow(meter)
        let sample = network.request(for: request)
        loadingTask = Task { [weak self] in
            let result: Result<OpenedPhotos, Catalog.LoadingError>
            do throws(Catalog.LoadingError) {
                if let sample {
                    result = .success(try await sample.load(client: SampleNetwork.client, meter: meter))
                } else {
                    result = .success(try await request.load(meter: meter))
                }
            } catch {
                result = .failure(error)
            }
            var present: PresentPlace?
            var kept: (top: KeptPlace, topFound: KeptPlace)?
            if case .success(let opened) = result {
                if isReload { present = await self?.presentPlace(in: opened.catalog) }
                kept = await self?.keptPlaces(of: Self.name(of: opened, request), in: opened.catalog)
            }
            var ownLooks = OwnLooks()
            if case .success(let opened) = result {
                let name = opened.nameForLooks(
                    isSample: opened.catalog.origin.isRemote && SampleNetwork.isSample(request))
                // The same photos may be open, and their looks not written yet.
                self?.ownLooks.keep()
                ownLooks = await OwnLooks.of(opened.catalog, named: name)
            }
            guard let self, number == loading else { return }
            giveUpOpening()
            switch result {
            case .success(let opened):
                closeList()
                if isReload { pipeline.cache.removeAll() }
                self.ownLooks = ownLooks
                if let kept { (preferences.place, preferences.placeInSearch) = kept }
                show(opened, of: request, at: present)
            case .failure(let error) where list != nil:
                say(error, of: request)
                takeThumbnails()
            case .failure(let error): showFailure(request, error)
            }
        }
    }

    /// Opens what is open once more, at the same place, and with no picture in memory: one sees again how they come.
    func reload() {
        if tour.isListShown {
            _ = tour.openPhotos()
            return
        }
        guard let request else { return }
        guard !request.isReadOnce else {
            say(tr("Standard input can be read only once."))
            return
        }
        open(request, isReload: true)
    }

    /// Opens no longer what is being loaded.
    func giveUpOpening() {
        loading += 1
        loadingTask?.cancel()
        loadingTask = nil
        if let announcement { saves.remove(announcement) }
        announcement = nil
    }

    /// Stops what is being loaded, because the person wants no more of it: what was open stays, or else the first page is there again.
    func cancelOpening() {
        giveUpOpening()
        guard list == nil else { return takeThumbnails() }
        // Where nothing is open, nothing can be tried again.
        request = nil
        showNothing()
    }

    /// Says how far the transfer is, for as long as it goes on.
    private func follow(_ meter: TransferMeter) {
        let number = loading
        pages.showLoading(nil)
        Task { [weak self] in
            while true {
                try? await Task.sleep(for: .milliseconds(200))
                guard let self, number == loading, loadingTask != nil else { return }
                guard let fraction = meter.fraction else { continue }
                pages.showLoading(fraction)
                if let announcement, let request = announced {
                    announcement.change(to: Self.text(request, fraction))
                }
            }
        }
    }

    private static func text(_ request: OpenRequest, _ fraction: Double?) -> String {
        let name = request.name
        guard let fraction else { return tr("Opening “{name}”…").filled(["name": name]) }
        return tr("Opening “{name}”… {percentage} %").filled([
            "name": name, "percentage": Int(fraction * 100).grouped,
        ])
    }

    /// Says what is being loaded, where that is not there at once.
    private func announce(_ request: OpenRequest) {
        let number = loading
        announced = request
        Task { [weak self] in
            try? await Task.sleep(for: .milliseconds(300))
            guard let self, number == loading, loadingTask != nil else { return }
            announcement = sayLasting(
                Self.text(request, nil), button: (tr("_Cancel"), "win.cancel-opening"))
        }
    }

    /// - Parameter present: Where somebody was in the same photos; nil where they have just come to them.
    private func show(_ opened: OpenedPhotos, of request: OpenRequest, at present: PresentPlace?) {
        self.request = request
        networkBar.isShown = Self.isFromSampleNetwork(opened, request)
        let text = Self.name(of: opened, request)
        keepsPlace = text != nil
        if let text {
            preferences.opened(text)
            savePreferences()
            onOpen()
        }
        header.showRecent(preferences.recent)
        let place = present?.top ?? opened.chosen ?? Photo.ID(keepsPlace ? preferences.place.number : 0)
        let last = Photo.ID(max(0, opened.catalog.count - 1))
        // Whoever has ended a search since the last time does not get that one back.
        let search = present.map { $0.search ?? PresentPlace.Search(text: "", top: $0.top) }
        showPhotos(
            of: opened.catalog, opened.name ?? request.name, isOwn: opened.isOwn, at: min(place, last),
            searching: search)
        if let present { page?.selection.choose(present.chosen) }
        let large = present == nil ? opened.chosen : present?.large
        guard let large, large <= last else { return }
        page?.selection.choose([large])
        openLarge(large)
    }

    private static func isFromSampleNetwork(_ opened: OpenedPhotos, _ request: OpenRequest) -> Bool {
        opened.catalog.origin.isRemote && SampleNetwork.isSample(request)
    }

    /// What names what is opened another time; nil for what is there only once.
    private static func name(of opened: OpenedPhotos, _ request: OpenRequest) -> String? {
        // The sample's server has another address each time.
        isFromSampleNetwork(opened, request) ? DataFiles.sampleCatalog : opened.source?.text
    }

    /// Says why something cannot be had, over what is open.
    private func say(_ error: Catalog.LoadingError, of request: OpenRequest) {
        let heading = tr("“{name}” Cannot Be Opened").filled(["name": request.name])
        let text = error.detail.isEmpty ? error.sentence : error.sentence + "\n\n" + error.detail
        MessageDialog.show(over: window, heading, text, offering: tr("_Try Again")) { [weak self] in
            self?.open(request)
        }
    }
}

extension OpenRequest {
    /// What a window calls it until it is there.
    @MainActor var name: String {
        switch self {
        case .one(let source): source.name
        case .several: tr("Several Files")
        case .passed: Catalog.Source.standardInput.name
        }
    }

    /// Where it is, where its name does not tell.
    @MainActor var place: String {
        if case .one(let source) = self { source.place } else { "" }
    }
}

extension OpenedPhotos {
    /// What a window calls them; nil where that is what was asked for.
    @MainActor fileprivate var name: String? {
        // Of pictures that were chosen, the folder that holds them.
        guard source == nil, case .folder(let path, _) = catalog.origin else { return nil }
        return Catalog.Source.path(path).name
    }
}

extension Catalog.Source {
    /// What a window calls it.
    var name: String {
        switch self {
        case .path(let path): path.split(separator: "/").last.map(String.init) ?? path
        case .standardInput: tr("Standard input")
        case .address(let address):
            address.path.split(separator: "/").last.map(String.init) ?? address.host ?? address.absoluteString
        }
    }

    /// Where it is, where its name does not tell; empty for what is on this computer.
    var place: String {
        if case .address(let address) = self { address.host ?? "" } else { "" }
    }

    /// What names it another time, from wherever the program is started; nil for what is there only once.
    var text: String? {
        switch self {
        case .path(let path) where path.hasPrefix("/"): path
        case .path(let path): FileManager.default.currentDirectoryPath + "/" + path
        case .standardInput: nil
        case .address(let address): address.withoutUserInformation
        }
    }
}

extension URL {
    /// The address to be written down, without the name and the password of somebody.
    var withoutUserInformation: String {
        let text = absoluteString
        guard let start = text.firstRange(of: "://")?.upperBound else { return text }
        let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        guard let at = text[start..<end].lastIndex(of: "@") else { return text }
        return String(text[..<start] + text[text.index(after: at)...])
    }
}
