import PhotoPipeline
import Transfers

/// What a list of photos does when: events go in, actions come out, nothing else happens.
///
/// By the default strategy it works for what is on screen: photos that are on screen and not pending are started,
/// nearest to the middle first; when all of them are there, a few at a time of those nearby are fetched ahead; those that
/// leave are cancelled. While the user scrolls or has paused, nothing new starts.
///
/// A photo has one run at a time, from its action to its `ended`. A photo that was cancelled and comes back on screen
/// waits for the end of its old run, so that no photo is ever downloaded twice at the same time.
struct PhotoListState<Image: ListImage> {
    /// The photos that something has been done for; all others are new.
    private(set) var records: [Photo.ID: Record] = [:]
    private(set) var visible: [Photo.ID] = []
    /// Those that are fetched ahead, the most likely first.
    private(set) var nearby: [Photo.ID] = []
    /// The photos that wait for a retry.
    private(set) var failed: Set<Photo.ID> = []
    /// Those of them that no retry helps.
    private(set) var lost: Set<Photo.ID> = []
    /// The photos that are tried again and have neither arrived nor failed since, and how caches are used for that.
    private var retried: [Photo.ID: CachePolicy] = [:]
    /// The bytes of all pictures that are kept.
    private(set) var imageBytes = 0

    /// How many photos are fetched ahead at the same time.
    static var prefetchWidth: Int { 4 }

    private let cacheLimit: Int
    private(set) var strategy: LoadingStrategy
    private var visibleSet: Set<Photo.ID> = []
    /// What is on screen or nearby.
    private var keptSet: Set<Photo.ID> = []
    /// Those nearby that have had their chance; without it, two that the cache cannot hold would take turns for ever.
    private var prefetched: Set<Photo.ID> = []
    /// The photos whose pictures are kept.
    private var pictured: Set<Photo.ID> = []
    private var isScrolling = false
    private var isPaused = false
    private var isClosed = false
    /// What is done to the pictures.
    private(set) var looks: PhotoLooks
    private var nextRun = 0
    private var time = 0
    private var actions: [Action] = []

    /// - Parameters:
    ///   - cacheLimit: How many bytes of pictures are kept; what is on screen is kept beyond it.
    ///   - strategy: When work is started and stopped.
    ///   - looks: What is done to the pictures.
    init(cacheLimit: Int, strategy: LoadingStrategy = .visible, looks: PhotoLooks = PhotoLooks(.classic)) {
        self.cacheLimit = cacheLimit
        self.looks = looks
        self.strategy = strategy
    }

    /// Whether a photo is on screen.
    func isVisible(_ photo: Photo.ID) -> Bool { visibleSet.contains(photo) }

    /// Takes an event in and tells what is to be done about it, in this order.
    mutating func handle(_ event: Event) -> [Action] {
        defer { actions = [] }
        switch event {
        case .visible(let photos, let nearby): showOnly(photos, nearby)
        case .scrolling(let isScrolling): self.isScrolling = isScrolling
        case .paused(let isPaused): self.isPaused = isPaused
        case .looksChanged(let looks): change(looks)
        case .strategyChanged(let strategy): changeStrategy(strategy)
        case .retry(let photo): retry(photo)
        case .retryAllFailed: for photo in failed.sorted() { retry(photo) }
        case .updated(let run, let state, let image): update(run, state, image)
        case .recalled(let photo, let image, let original): recall(photo, image, original)
        case .originalArrived(let photo, let image): keepOriginal(image, of: photo)
        case .ended(let run): end(run)
        case .memoryIsShort: evict(to: 0)
        case .closed: close()
        }
        startWanted()
        return actions
    }

    // MARK: What the user does

    private mutating func showOnly(_ photos: [Photo.ID], _ nearby: [Photo.ID]) {
        guard photos != visible || nearby != self.nearby else { return }
        let before = (kept: keptSet, visible: visibleSet)
        visible = photos
        visibleSet = Set(photos)
        self.nearby = strategy.isSelective ? nearby : []
        keptSet = visibleSet.union(self.nearby)
        prefetched.formIntersection(self.nearby)
        time += 1
        if strategy.isSelective {
            for photo in before.kept.subtracting(keptSet) { cancelRun(of: photo) }
        }
        for photo in before.visible.subtracting(visibleSet) {
            change(photo) { record, look in
                // Whoever comes back to it must not see a look that was given up.
                if record.filteredLook != look { record.filtered = nil }
            }
        }
        for photo in keptSet { records[photo]?.lastSeen = time }
        evict()
    }

    private mutating func changeStrategy(_ strategy: LoadingStrategy) {
        self.strategy = strategy
        guard strategy.isSelective else { return }
        for photo in records.keys where !keptSet.contains(photo) { cancelRun(of: photo) }
    }

    /// Only pictures that are there have to be made anew, however many photos have another look now.
    private mutating func change(_ new: PhotoLooks) {
        let old = looks
        looks = new
        prefetched = prefetched.filter { old[$0] == new[$0] }
        for photo in pictured where old[photo] != new[photo] {
            // A run that is still downloading goes on; it is stopped when it would filter for the old look.
            cancelRun(of: photo)
            let isVisible = visibleSet.contains(photo)
            change(photo) { record, look in
                // On screen the old look stays until the new one is there, so that nothing flashes.
                if !isVisible, record.filteredLook != look { record.filtered = nil }
                switch record.state {
                case .filtered, .downloaded: record.state = record.stableState(look)
                case .new, .waiting, .downloading, .decoding, .filtering, .failed: break
                }
            }
        }
    }

    private mutating func retry(_ photo: Photo.ID) {
        if let record = records[photo], record.state == .filtered, record.shown?.isDamaged ?? false {
            // The same bytes would make the same picture.
            retried[photo] = .reload
            return letGo(photo)
        }
        guard failed.contains(photo), !lost.contains(photo) else { return }
        retried[photo] = .revalidated
        if case .failed(let error) = records[photo]?.state, error.isAboutBody { retried[photo] = .reload }
        change(photo) { record, look in record.state = record.stableState(look) }
    }

    private mutating func close() {
        isClosed = true
        visible = []
        visibleSet = []
        nearby = []
        keptSet = []
        for photo in records.keys { cancelRun(of: photo) }
        // A dialog may keep the list that is still to save one of its photos.
        for photo in pictured { letGo(photo) }
    }

    // MARK: What the stages report

    private mutating func update(_ run: Run, _ state: Photo.State, _ image: Image?) {
        guard !isClosed, let active = records[run.photo]?.run, active.run == run else { return }
        change(run.photo) { record, look in
            record.isFetched = state == .waiting && (record.state == .downloading || record.isFetched)
            switch state {
            case .filtered, .failed: record.run?.isAnswered = true
            case .new, .waiting, .downloading, .decoding, .downloaded, .filtering: break
            }
            switch state {
            case .downloaded:
                if let image { record.original = image }
                record.state = record.stableState(look)
            case .filtered where active.look == look:
                record.filtered = image
                record.filteredLook = look
                record.state = .filtered
            case .failed where active.isCancelled, .filtered, .new: record.state = record.stableState(look)
            case .failed, .waiting, .downloading, .decoding, .filtering: record.state = state
            }
        }
        if state == .downloaded || failed.contains(run.photo) { retried[run.photo] = nil }
        if state == .downloaded, active.look != looks[run.photo] { cancelRun(of: run.photo) }
        evict()
    }

    /// Whether a row has nothing to show, and nothing is being done about it.
    func lacksImage(_ photo: Photo.ID) -> Bool {
        // What memory has of a photo that is to come again is what the user does not want.
        if retried[photo] == .reload { return false }
        guard let record = records[photo] else { return true }
        return record.shown == nil && record.run == nil
    }

    private mutating func recall(_ photo: Photo.ID, _ image: Image, _ original: Image?) {
        guard !isClosed, lacksImage(photo) else { return }
        if records[photo] == nil { records[photo] = Record(lastSeen: time) }
        change(photo) { record, look in
            record.original = original
            record.filtered = image
            record.filteredLook = look
            record.state = .filtered
        }
        evict()
    }

    private mutating func keepOriginal(_ image: Image, of photo: Photo.ID) {
        guard !isClosed, let record = records[photo], record.filtered != nil, record.original == nil else { return }
        change(photo) { record, _ in record.original = image }
        evict()
    }

    private mutating func end(_ run: Run) {
        guard let active = records[run.photo]?.run, active.run == run else { return }
        change(run.photo) { record, look in
            record.run = nil
            if active.isFilterAlone, !active.isCancelled, !active.isAnswered {
                // Somebody else has cancelled it. Begun again it might end the same, again and again.
                record.state = .failed(PhotoError(.cancelled, "The look was given up before its picture was there."))
            } else if !record.state.isStable {
                record.state = record.stableState(look)
            }
        }
        evict()
    }

    // MARK: Starting and stopping

    private mutating func startWanted() {
        guard !isPaused, !isClosed, !(isScrolling && strategy.isSelective) else { return }
        let wanted = visible.indices.filter { isWanted(visible[$0]) }
        // Where the user looks first is the middle; the simpler strategies go from top to bottom.
        let last = visible.count - 1
        let order = strategy.isSelective ? wanted.sorted { abs(2 * $0 - last) < abs(2 * $1 - last) } : wanted
        for index in order { start(visible[index]) }
        startNearby()
    }

    /// Fetches ahead once everything on screen is there, so that it never stands in the way of that.
    private mutating func startNearby() {
        guard !nearby.isEmpty, !visible.contains(where: { records[$0]?.run != nil }) else { return }
        var places = Self.prefetchWidth - nearby.count { records[$0]?.run != nil }
        for photo in nearby where places > 0 && isWanted(photo) && !prefetched.contains(photo) {
            prefetched.insert(photo)
            start(photo)
            places -= 1
        }
    }

    private func isWanted(_ photo: Photo.ID) -> Bool {
        guard let record = records[photo] else { return true }
        if record.run != nil || failed.contains(photo) { return false }
        return record.filtered == nil || record.filteredLook != looks[photo]
    }

    private mutating func start(_ photo: Photo.ID) {
        nextRun += 1
        let run = Run(photo: photo, number: nextRun, cachePolicy: retried[photo] ?? .standard)
        let original = records[photo]?.original
        records[photo, default: Record(lastSeen: time)].run = ActiveRun(
            run: run, look: looks[photo], isFilterAlone: original != nil)
        actions.append(original.map { .filter(run, $0) } ?? .load(run))
    }

    private mutating func cancelRun(of photo: Photo.ID) {
        guard let active = records[photo]?.run, !active.isCancelled else { return }
        records[photo]?.run?.isCancelled = true
        actions.append(.cancel(active.run))
    }

    // MARK: Records

    /// Changes a record, keeps the counts that follow from it, and tells the view where its row looks different.
    private mutating func change(_ photo: Photo.ID, _ body: (inout Record, _ look: PhotoLook) -> Void) {
        guard var record = records[photo] else { return }
        let before = record
        body(&record, looks[photo])
        imageBytes += record.byteCount - before.byteCount
        var error: PhotoError?
        if case .failed(let reason) = record.state { error = reason }
        if error != nil { failed.insert(photo) } else { failed.remove(photo) }
        if error?.isLasting ?? false { lost.insert(photo) } else { lost.remove(photo) }
        if record.shown != nil { pictured.insert(photo) } else { pictured.remove(photo) }
        let isWorthKeeping = record.run != nil || record.shown != nil || record.state != .new
        records[photo] = isWorthKeeping ? record : nil
        if record.state != before.state || record.byteCount != before.byteCount { actions.append(.changed(photo)) }
    }

    /// Lets pictures go that are not on screen, those first that were not seen for longest, where they are too many.
    ///
    /// It goes a little below the limit, so that the search for the eldest is not repeated with every picture.
    private mutating func evict() {
        if imageBytes > cacheLimit { evict(to: cacheLimit / 8 * 7) }
    }

    private mutating func evict(to most: Int) {
        let candidates = pictured.subtracting(visibleSet).map { (photo: $0, lastSeen: records[$0]?.lastSeen ?? 0) }
        for (photo, _) in candidates.sorted(by: { ($0.lastSeen, $0.photo) < ($1.lastSeen, $1.photo) }) {
            guard imageBytes > most else { return }
            letGo(photo)
        }
    }

    private mutating func letGo(_ photo: Photo.ID) {
        change(photo) { record, look in
            record.original = nil
            record.filtered = nil
            record.state = record.stableState(look)
        }
    }
}

extension PhotoListState.Record {
    /// The state that lasts, by what is there.
    ///
    /// - Parameter look: The look that the photo is to have.
    fileprivate func stableState(_ look: PhotoLook) -> Photo.State {
        if filtered != nil, filteredLook == look { return .filtered }
        return original == nil ? .new : .downloaded
    }
}
