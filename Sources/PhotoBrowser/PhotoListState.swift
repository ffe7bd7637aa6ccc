import PhotoPipeline

/// What a list of photos does when: events go in, actions come out, nothing else happens.
///
/// The strategy is to work for what is on screen only: photos that are on screen and not pending are started, nearest
/// to the middle first; those that leave the screen are cancelled. While the user scrolls or has paused, nothing new
/// starts.
///
/// A photo has one run at a time, from its action to its `ended`. A photo that was cancelled and comes back on screen
/// waits for the end of its old run, so that no photo is ever downloaded twice at the same time.
struct PhotoListState<Picture: ListPicture> {
    /// The photos that something has been done for; all others are new.
    private(set) var records: [Photo.ID: Record] = [:]
    private(set) var visible: [Photo.ID] = []
    /// The photos that wait for a retry.
    private(set) var failed: Set<Photo.ID> = []
    /// The bytes of all pictures that are kept.
    private(set) var pictureBytes = 0

    private let cacheLimit: Int
    private var visibleSet: Set<Photo.ID> = []
    private var isScrolling = false
    private var isPaused = false
    private var isClosed = false
    /// Counts the filters that were chosen.
    private(set) var look = 0
    private var nextRun = 0
    private var time = 0
    private var actions: [Action] = []

    /// - Parameter cacheLimit: How many bytes of pictures are kept; what is on screen is kept beyond it.
    init(cacheLimit: Int) {
        self.cacheLimit = cacheLimit
    }

    /// Takes an event in and tells what is to be done about it, in this order.
    mutating func handle(_ event: Event) -> [Action] {
        defer { actions = [] }
        switch event {
        case .visible(let photos): showOnly(photos)
        case .scrolling(let isScrolling): self.isScrolling = isScrolling
        case .paused(let isPaused): self.isPaused = isPaused
        case .filterChanged: changeLook()
        case .retry(let photo): retry(photo)
        case .retryAllFailed: for photo in failed.sorted() { retry(photo) }
        case .updated(let run, let state, let picture): update(run, state, picture)
        case .recalled(let photo, let picture): recall(photo, picture)
        case .ended(let run): end(run)
        case .closed: close()
        }
        startWanted()
        return actions
    }

    // MARK: What the user does

    private mutating func showOnly(_ photos: [Photo.ID]) {
        guard photos != visible else { return }
        let left = visibleSet.subtracting(photos)
        visible = photos
        visibleSet = Set(photos)
        time += 1
        for photo in left {
            cancelRun(of: photo)
            change(photo) { record, look in
                // Whoever comes back to it must not see a look that was given up.
                if record.filteredLook != look { record.filtered = nil }
            }
        }
        for photo in photos { records[photo]?.lastSeen = time }
        evict()
    }

    private mutating func changeLook() {
        look += 1
        for (photo, record) in records where record.shown != nil {
            // A run that is still downloading goes on; it is stopped when it would filter for the old look.
            cancelRun(of: photo)
            let isVisible = visibleSet.contains(photo)
            change(photo) { record, _ in
                // On screen the old look stays until the new one is there, so that nothing flashes.
                if !isVisible { record.filtered = nil }
                if record.state == .filtered { record.state = record.stableState }
            }
        }
    }

    private mutating func retry(_ photo: Photo.ID) {
        guard failed.contains(photo) else { return }
        change(photo) { record, _ in record.state = record.stableState }
    }

    private mutating func close() {
        isClosed = true
        visible = []
        visibleSet = []
        for photo in records.keys { cancelRun(of: photo) }
    }

    // MARK: What the stages report

    private mutating func update(_ run: Run, _ state: Photo.State, _ picture: Picture?) {
        guard let active = records[run.photo]?.run, active.run == run else { return }
        change(run.photo) { record, look in
            switch state {
            case .downloaded:
                if let picture { record.original = picture }
                record.state = record.stableState
            case .filtered where active.look == look:
                record.filtered = picture
                record.filteredLook = look
                record.state = .filtered
            case .failed where active.isCancelled, .filtered, .new: record.state = record.stableState
            case .failed, .downloading, .filtering: record.state = state
            }
        }
        if state == .downloaded, active.look != look { cancelRun(of: run.photo) }
        evict()
    }

    /// Whether a row has nothing to show, and nothing is being done about it.
    func lacksPicture(_ photo: Photo.ID) -> Bool {
        guard let record = records[photo] else { return true }
        return record.shown == nil && record.run == nil
    }

    private mutating func recall(_ photo: Photo.ID, _ picture: Picture) {
        guard lacksPicture(photo) else { return }
        if records[photo] == nil { records[photo] = Record(lastSeen: time) }
        change(photo) { record, look in
            record.filtered = picture
            record.filteredLook = look
            record.state = .filtered
        }
        evict()
    }

    private mutating func end(_ run: Run) {
        guard records[run.photo]?.run?.run == run else { return }
        change(run.photo) { record, _ in
            record.run = nil
            if !record.state.isStable { record.state = record.stableState }
        }
        evict()
    }

    // MARK: Starting and stopping

    private mutating func startWanted() {
        guard !isScrolling, !isPaused, !isClosed else { return }
        let wanted = visible.indices.filter { isWanted(visible[$0]) }
        let last = visible.count - 1
        for index in wanted.sorted(by: { abs(2 * $0 - last) < abs(2 * $1 - last) }) {
            start(visible[index])
        }
    }

    private func isWanted(_ photo: Photo.ID) -> Bool {
        guard let record = records[photo] else { return true }
        if record.run != nil || failed.contains(photo) { return false }
        return record.filtered == nil || record.filteredLook != look
    }

    private mutating func start(_ photo: Photo.ID) {
        nextRun += 1
        let run = Run(photo: photo, number: nextRun)
        let original = records[photo]?.original
        records[photo, default: Record(lastSeen: time)].run = ActiveRun(run: run, look: look)
        actions.append(original.map { .filter(run, $0) } ?? .load(run))
    }

    private mutating func cancelRun(of photo: Photo.ID) {
        guard let active = records[photo]?.run, !active.isCancelled else { return }
        records[photo]?.run?.isCancelled = true
        actions.append(.cancel(active.run))
    }

    // MARK: Records

    /// Changes a record, keeps the counts that follow from it, and tells the view where its row looks different.
    private mutating func change(_ photo: Photo.ID, _ body: (inout Record, _ look: Int) -> Void) {
        guard var record = records[photo] else { return }
        let before = record
        body(&record, look)
        pictureBytes += record.byteCount - before.byteCount
        if case .failed = record.state { failed.insert(photo) } else { failed.remove(photo) }
        let isWorthKeeping = record.run != nil || record.shown != nil || record.state != .new
        records[photo] = isWorthKeeping ? record : nil
        if record.state != before.state || record.byteCount != before.byteCount { actions.append(.changed(photo)) }
    }

    /// Lets pictures go that are not on screen, those first that were not seen for longest, where they are too many.
    ///
    /// It goes a little below the limit, so that the search for the eldest is not repeated with every picture.
    private mutating func evict() {
        guard pictureBytes > cacheLimit else { return }
        let candidates = records.filter { $0.value.shown != nil && !visibleSet.contains($0.key) }
        for (photo, _) in candidates.sorted(by: { $0.value.lastSeen < $1.value.lastSeen }) {
            guard pictureBytes > cacheLimit / 8 * 7 else { return }
            change(photo) { record, _ in
                record.original = nil
                record.filtered = nil
                record.state = record.stableState
            }
        }
    }
}

extension PhotoListState.Record {
    /// The state that lasts, by what is there.
    fileprivate var stableState: Photo.State { original == nil ? .new : .downloaded }
}
