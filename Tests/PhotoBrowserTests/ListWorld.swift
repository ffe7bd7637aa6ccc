import PhotoPipeline

@testable import PhotoBrowser

/// A picture that tells what it was made of.
struct TestImage: ListImage, Equatable {
    let photo: Photo.ID
    /// The look that it was filtered for; nil for the picture as it was published.
    let look: PhotoLook?
    var byteCount = 100
    var isDamaged = false
    static let bytesBesides = 0
}

/// A list's value with stages that are played by a script: who runs, how far each has come, what each brings.
///
/// It checks after each event what must hold always, and counts what breaks it.
struct ListWorld {
    /// What a run has before it.
    enum Step { case downloading, downloaded, filtering, filtered, failed, cancelled, ended }

    struct Work {
        var steps: [Step]
        let look: PhotoLook
        var isCancelled = false
    }

    var state: PhotoListState<TestImage>
    private(set) var works: [Run: Work] = [:]
    private(set) var started: [Run] = []
    private(set) var downloads: [Photo.ID: Int] = [:]
    private(set) var violations: [String] = []
    var isScrolling = false
    var isPaused = false
    private var looksChosen = 0
    /// The photos that fail when they are downloaded.
    var failing: Set<Photo.ID> = []
    /// The photos whose filters fail.
    var unfilterable: Set<Photo.ID> = []
    /// The photos whose filters somebody else cancels.
    var interrupted: Set<Photo.ID> = []
    /// The photos whose pictures are damaged.
    var damaged: Set<Photo.ID> = []
    let cacheLimit: Int

    init(cacheLimit: Int = 1_000_000, strategy: LoadingStrategy = .visible) {
        self.cacheLimit = cacheLimit
        state = PhotoListState(cacheLimit: cacheLimit, strategy: strategy)
    }

    var runs: [Run] { works.keys.sorted { $0.number < $1.number } }

    mutating func send(_ event: PhotoListState<TestImage>.Event) {
        switch event {
        case .scrolling(let now): isScrolling = now
        case .paused(let now): isPaused = now
        default: break
        }
        for action in state.handle(event) { perform(action) }
        checkAlways()
    }

    private mutating func perform(_ action: PhotoListState<TestImage>.Action) {
        switch action {
        case .load(let run):
            if state.records[run.photo]?.original != nil { violations.append("\(run) is downloaded twice") }
            let isFailing = failing.contains(run.photo)
            let end: [Step] = isFailing ? [.failed, .ended] : [.downloaded, .filtering] + filterEnd(of: run.photo)
            begin(run, [.downloading] + end)
            downloads[run.photo, default: 0] += 1
        case .filter(let run, let image):
            if image != TestImage(photo: run.photo, look: nil, isDamaged: image.isDamaged) {
                violations.append("\(run) filters \(image)")
            }
            begin(run, [.filtering] + filterEnd(of: run.photo))
        case .cancel(let run):
            if works[run] == nil { violations.append("\(run) is cancelled and does not run") }
            works[run]?.isCancelled = true
        case .changed: break
        }
    }

    private func filterEnd(of photo: Photo.ID) -> [Step] {
        if unfilterable.contains(photo) { return [.failed, .ended] }
        return interrupted.contains(photo) ? [.ended] : [.filtered, .ended]
    }

    private mutating func begin(_ run: Run, _ steps: [Step]) {
        if isPaused || isScrolling && state.strategy == .visible { violations.append("\(run) starts while held") }
        if !state.visible.contains(run.photo) {
            if !state.nearby.contains(run.photo) { violations.append("\(run) starts off screen") }
            let isFirst = !works.keys.contains { state.visible.contains($0.photo) }
            if !isFirst { violations.append("\(run) is fetched ahead of what is on screen") }
        }
        if works.keys.contains(where: { $0.photo == run.photo }) { violations.append("\(run.photo) runs twice") }
        works[run] = Work(steps: steps, look: state.looks[run.photo])
        started.append(run)
    }

    /// A look that no photo had before.
    var nextLook: PhotoLook { PhotoLook(.classic, intensity: 1 / Double(looksChosen + 2)) }

    /// Gives all photos without a look of their own another look.
    mutating func chooseLook() {
        let look = nextLook
        looksChosen += 1
        send(.looksChanged(PhotoLooks(look, own: state.looks.own)))
    }

    /// Gives photos a look of their own, or takes it away.
    mutating func choose(_ look: PhotoLook?, for photos: [Photo.ID]) {
        looksChosen += 1
        var looks = state.looks
        looks.own.set(look, for: photos)
        send(.looksChanged(looks))
    }

    /// Lets a run do its next step; a cancelled one may do it still, or end early.
    mutating func step(_ run: Run, noticesCancellation: Bool = true) {
        guard var work = works[run], !work.steps.isEmpty else { return }
        if work.isCancelled, noticesCancellation, work.steps.count > 1 { work.steps = [.cancelled, .ended] }
        let step = work.steps.removeFirst()
        works[run] = step == .ended ? nil : work
        let photo = run.photo
        switch step {
        case .downloading: send(.updated(run, .downloading, nil))
        case .downloaded: send(.updated(run, .downloaded, image(of: photo, nil)))
        case .filtering: send(.updated(run, .filtering, nil))
        case .filtered: send(.updated(run, .filtered, image(of: photo, work.look)))
        case .failed: send(.updated(run, .failed(PhotoError(.timeout, "too slow")), nil))
        case .cancelled: send(.updated(run, .new, nil))
        case .ended: send(.ended(run))
        }
    }

    private func image(of photo: Photo.ID, _ look: PhotoLook?) -> TestImage {
        TestImage(photo: photo, look: look, isDamaged: damaged.contains(photo))
    }

    /// Lets everything run to its end, which must come.
    mutating func settle() {
        var steps = 0
        while let run = runs.first, steps < 2_000 {
            step(run)
            steps += 1
        }
        if !works.isEmpty { violations.append("no rest after \(steps) steps") }
    }

    private mutating func checkAlways() {
        var bytes = 0
        var offScreen = 0
        for (photo, record) in state.records {
            for image in [record.original, record.filtered].compactMap({ $0 }) where image.photo != photo {
                violations.append("\(photo) shows a picture of \(image.photo)")
            }
            bytes += record.byteCount
            if !state.visible.contains(photo) { offScreen += record.byteCount }
        }
        if bytes != state.imageBytes { violations.append("\(bytes) bytes are kept, \(state.imageBytes) counted") }
        if bytes > cacheLimit, offScreen > 0 { violations.append("\(offScreen) bytes off screen are over the limit") }
    }

    /// What must hold when nothing runs, nobody scrolls and nothing is paused.
    mutating func checkAtRest() {
        if !works.isEmpty { violations.append("\(works.count) runs at rest") }
        for (photo, record) in state.records {
            if record.run != nil { violations.append("\(photo) is pending at rest") }
            if !record.state.isStable { violations.append("\(photo) rests as \(record.state)") }
        }
        for photo in state.visible {
            switch state.records[photo]?.state {
            case .filtered:
                let image = state.records[photo]?.shown
                if image?.look != state.looks[photo] { violations.append("\(photo) shows \(image as Any)") }
            case .failed: break
            case let other: violations.append("\(photo) on screen ends as \(other as Any)")
            }
        }
    }
}
