import Operations
import PhotoBrowser
import PhotoPipeline
import SampleServer

/// What a person had before the tour showed them something else, and what they get back.
struct TourState {
    /// How they had the program work.
    struct Work {
        let strategy: LoadingStrategy
        let isPanelOpen: Bool
        let isPaused: Bool
        let suspended: [OperationQueue]
        let speed: NetworkSpeed
        /// Which lanes of the operations were folded.
        let folds: [Bool]
    }

    /// What they had open.
    enum Opened {
        case nothing
        /// Photos are being loaded, or could not be.
        case request(OpenRequest)
        case photos(Photos)
    }

    /// Photos that were there.
    struct Photos {
        let catalog: Catalog
        let request: OpenRequest?
        let shown: (name: String, isOwn: Bool)
        let ownLooks: OwnLooks
        let keepsPlace: Bool
        let isOnSampleNetwork: Bool
        let place: Photo.ID
        let search: String
        let chosen: [Photo.ID]
        /// The one that was seen in large.
        let large: Photo.ID?
    }

    var work: Work
    var opened: Opened
}

extension BrowserWindow {
    /// How the person has the program work.
    var tourWork: TourState.Work {
        TourState.Work(
            strategy: strategy, isPanelOpen: panel.isOpen, isPaused: list?.isPaused ?? false,
            suspended: pipeline.pending.queues.filter(\.isSuspended), speed: network.speed, folds: panel.folds)
    }

    /// What the person has open.
    var tourOpened: TourState.Opened {
        guard let list, let page else { return request.map { .request($0) } ?? .nothing }
        // What is about to be there counts.
        if let announced, loadingTask != nil { return .request(announced) }
        keepPlace()
        let photos = TourState.Photos(
            catalog: list.catalog, request: request, shown: shown, ownLooks: ownLooks, keepsPlace: keepsPlace,
            isOnSampleNetwork: networkBar.isShown, place: topWithoutSearch ?? Photo.ID(0),
            search: list.arrangement.search, chosen: page.selection.photos, large: viewer.photo)
        return .photos(photos)
    }

    /// Has the program work as the person had it.
    func giveBack(_ work: TourState.Work) {
        strategy = work.strategy
        actions.turn("panel", on: work.isPanelOpen)
        panel.folds = work.folds
        network.speed = work.speed
        if work.isPaused, list != nil {
            actions.turn("pause", on: true)
        } else {
            for queue in pipeline.pending.queues { queue.isSuspended = work.suspended.contains { $0 === queue } }
        }
        refreshStates()
    }

    /// Opens what the person had open.
    func giveBack(_ opened: TourState.Opened) {
        closeList()
        networkBar.isShown = false
        switch opened {
        case .nothing: giveBackNothing()
        // It cannot be read again.
        case .request(let request) where request.isReadOnce: giveBackNothing()
        case .request(let request): open(request)
        case .photos(let photos):
            request = photos.request
            ownLooks = photos.ownLooks
            keepsPlace = photos.keepsPlace
            networkBar.isShown = photos.isOnSampleNetwork
            showPhotos(of: photos.catalog, photos.shown.name, isOwn: photos.shown.isOwn, at: photos.place)
            // What is remembered for the next start is searched for already.
            if !keepsPlace { search.open(with: photos.search) }
            page?.selection.choose(photos.chosen)
            if let large = photos.large { openLarge(large) }
        }
    }

    private func giveBackNothing() {
        request = nil
        keepsPlace = false
        showNothing()
    }
}

extension BrowserWindow {
    /// Shows the photos of the tour, which nothing is remembered of.
    func showTour(_ catalog: Catalog) -> PhotoList? {
        giveUpOpening()
        closeList()
        pipeline.cache.removeAll()
        keepsPlace = false
        ownLooks = OwnLooks()
        // Its speed is the tour's.
        networkBar.isShown = false
        showPhotos(of: catalog, tr("Guided Tour"), isOwn: false, at: Photo.ID(0), isArranged: false)
        return list
    }
}
