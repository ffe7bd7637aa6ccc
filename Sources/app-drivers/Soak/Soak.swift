import CGtk
import FoundationEssentials
import Glibc
import GtkSupport
import OperationsCore
import OperationsTesting
import PhotoApp
import PhotoBrowser
import PhotoPipeline

/// Uses the program at random for a while, looks at what is on the screen, and closes the window in the middle of it.
///
/// In each painted frame no photo may show another one's picture; whenever the program is left alone, every photo on the
/// screen ends with exactly its picture and the chosen look, and nothing is at work any more. The next run begins by
/// looking whether the window is at the place where this one left it.
final class Soak {
    private enum Phase {
        case starting(since: Double)
        case acting(next: Double)
        case scrolling(since: Double, from: Double, speed: Double, seconds: Double)
        case resting(since: Double, calmFrames: Int, retried: Double)
        case closed
    }

    let window: BrowserWindow
    let eyes: SoakEyes
    let hands: SoakHands
    let site: SoakSite
    var random: SeededRandom
    private let seconds: Double
    private var phase = Phase.starting(since: 0)
    private var began: Double?
    private var actionsLeft = 0
    private var frames = 0
    private var rests = 0
    private var memory = SoakMemory()
    private var lastPlace: SoakPlace?

    init(_ window: BrowserWindow, _ options: Options) {
        self.window = window
        eyes = SoakEyes(window: window.window)
        hands = SoakHands(window: window.window)
        site = SoakSite(folder: options.folder)
        random = SeededRandom(seed: options.seed)
        seconds = options.seconds
    }

    /// What a run is told.
    struct Options {
        /// Where the photos and catalogs are.
        var folder: String
        var seed: UInt64 = 1
        var seconds = 60.0
    }

    func start() {
        // Full within the first minutes, so that what grows after that is something else.
        window.pipeline.cache.limit = 64_000_000
        onEachFrame(of: window.window) { [weak self] time in self?.frame(at: Double(time) / 1_000_000) ?? false }
        if let clock = gtk_widget_get_frame_clock(window.window) {
            connect(clock, "after-paint") { [weak self] in self?.look() }
        }
    }

    // MARK: Frames

    /// Whether to go on.
    private func frame(at now: Double) -> Bool {
        let began = began ?? now
        self.began = began
        memory.sample(at: now - began, of: window.list == nil ? "nothing" : window.preferences.catalog ?? "")
        if now - began >= seconds { return close(at: now) }
        switch phase {
        case .starting(let since):
            if since == 0 {
                phase = .starting(since: now)
            } else if window.list != nil || now - since > 1 && window.loading == 0 {
                phase = .resting(since: now, calmFrames: 0, retried: now)
            } else if now - since > SoakSite.patience {
                fail("the first catalog was not loaded")
            }
        case .acting(let next):
            guard now >= next else { return true }
            if actionsLeft == 0 {
                log("rest")
                beginRest()
                phase = .resting(since: now, calmFrames: 0, retried: now)
            } else {
                actionsLeft -= 1
                phase = .acting(next: now + Double.random(in: 0.02...0.4, using: &random))
                act(at: now)
            }
        case .scrolling(let since, let from, let speed, let seconds):
            guard let adjustment = window.page?.adjustment, now - since < seconds else {
                phase = .acting(next: now)
                return true
            }
            let screen = gtk_adjustment_get_page_size(adjustment)
            scroll(to: from + speed * screen * (now - since))
        case .resting(let since, let calmFrames, let retried):
            rest(at: now, since: since, calmFrames: calmFrames, retried: retried)
        case .closed: return false
        }
        return true
    }

    /// Scrolls from now on.
    func scroll(at now: Double, screens speed: Double, seconds: Double) {
        guard let adjustment = window.page?.adjustment else { return }
        phase = .scrolling(since: now, from: gtk_adjustment_get_value(adjustment), speed: speed, seconds: seconds)
    }

    /// Moves the photos, where they are on the screen and can be reached by a hand.
    func scroll(to position: Double) {
        guard eyes.isReachable, let adjustment = window.page?.adjustment else { return }
        gtk_adjustment_set_value(adjustment, position)
    }

    // MARK: Rest

    private func beginRest() {
        site.startServer()
        for dialog in eyes.dialogs { hands.answer(dialog, accepting: false) }
        if window.viewer.photo != nil { hands.press(GDK_KEY_Escape, in: window.viewer.widget) }
        hands.turn("pause", on: false)
        // The smallest window may have no room for a photo, with the operations below it.
        hands.turn("panel", on: false)
        gtk_window_set_default_size(cast(window.window), 700, 600)
        if window.list == nil, window.loading > 0 { hands.call("retry") }
    }

    private func rest(at now: Double, since: Double, calmFrames: Int, retried: Double) {
        var retried = retried
        guard let reason = unfinished else {
            guard calmFrames >= 10 else {
                phase = .resting(since: since, calmFrames: calmFrames + 1, retried: retried)
                return
            }
            comparePlace()
            compareImages()
            rests += 1
            log(
                "rest \(rests) after \(Int((now - since) * 1_000)) ms: \(eyes.photos.count) photos are right, \(memory.now) MB"
            )
            actionsLeft = Int.random(in: 5...25, using: &random)
            phase = .acting(next: now)
            return
        }
        if now - since > SoakSite.patience { fail("there is no rest: \(reason)") }
        if now - retried > 4, site.isServerUp {
            retried = now
            // A catalog that cannot be had is left for one that can.
            if window.list == nil { hands.call("open-recent", site.catalogs[0]) } else { hands.call("retry") }
        }
        phase = .resting(since: since, calmFrames: 0, retried: retried)
    }

    /// What keeps the program from being at rest.
    private var unfinished: String? {
        guard site.isServerUp else { return "the server is away" }
        guard let list = window.list else { return "there are no photos" }
        guard !list.isArranging else { return "rows are being worked out" }
        guard list.pendingCount == 0 else { return "\(list.pendingCount) photos are at work" }
        let pending = window.pipeline.pending
        for queue in [pending.downloadQueue, pending.decodeQueue, pending.filtrationQueue]
        where queue.operationCount > 0 {
            return "the \(queue.name ?? "") has \(queue.operationCount) operations"
        }
        guard list.count > 0 else { return nil }
        let photos = eyes.photos
        guard !photos.isEmpty else { return "no photo is on the screen, \(list.count) in the list" }
        return photos.lazy.compactMap { photo in
            let isBroken = photo.name.contains(SoakSite.brokenMark)
            let isDone = photo.state.isEmpty && photo.texture != nil
            return isBroken != isDone ? nil : "“\(photo.name)” says “\(photo.state)”"
        }.first
    }

    private func compareImages() {
        guard let list = window.list, let page = window.page else { return }
        let expected = page.visibleRows.clamped(to: 0..<list.count).map { list[list.photo(atRow: $0)].name }
        let photos = eyes.photos
        if Set(expected) != Set(photos.map(\.name)), list.count > 0 {
            fail("\(photos.map(\.name)) are on the screen, and not \(expected)")
        }
        let look = window.chosenLook.look
        for photo in photos {
            guard let texture = photo.texture, let number = photo.number, SoakImages.isExact(number),
                let image = look.applied(to: SoakImages.image(number))
            else { continue }
            if !SoakEyes.isSame(texture, image) { fail("“\(photo.name)” has not the look \(look)") }
        }
    }

    /// Looks at what was painted.
    private func look() {
        frames += 1
        if let list = window.list, let catalog = window.preferences.catalog, let page = window.page {
            if eyes.typedSearch != list.arrangement.search {
                forgetSearch()
            } else if !list.isArranging, page.topPhoto != nil || list.count == 0 {
                // A place that is lost while there are photos is still the one to come back to.
                let name = page.topPhoto.map { list[$0].name } ?? ""
                lastPlace = SoakPlace(catalog: catalog, name: name, search: list.arrangement.search)
            } else if list.isArranging, rests > 0 {
                // Rows that somebody has asked for begin at the top, once they are worked out; or not, if that is given up.
                lastPlace?.name = ""
            }
        }
        // As many as a screen of the largest size has, and some more.
        if let rows = window.page?.visibleRows, rows.count > 300 { fail("rows \(rows) are said to be on the screen") }
        guard frames.isMultiple(of: 4) else { return }
        let photos = eyes.photos
        for photo in photos {
            guard let texture = photo.texture, let number = photo.number else { continue }
            let seen = SoakEyes.number(in: texture)
            if seen != number { fail("“\(photo.name)” shows the picture \(seen.map(String.init) ?? "of nothing")") }
        }
        if let photo = window.viewer.photo, let row = window.viewer.list?[photo], let image = row.image,
            let number = SoakEyes.Photo(name: row.name, state: "", texture: nil).number
        {
            let seen = SoakImages.number(in: image)
            if seen != number { fail("“\(row.name)” in large is the picture \(seen.map(String.init) ?? "of nothing")") }
        }
    }

    // MARK: The place

    private func comparePlace() {
        guard rests == 0, let place = SoakPlace.read(from: site.folder) else { return }
        let present = placeNow
        if !place.isSame(as: present, names: eyes.photos.map(\.name), smallest: eyes.smallestSize) {
            fail("the place was \(place) and is \(present), with \(eyes.photos.map(\.name)) on the screen")
        }
        log("at the place where it was closed")
    }

    /// What is typed counts a moment later, or not, if another catalog is opened first.
    func forgetSearch() {
        lastPlace = lastPlace ?? SoakPlace.read(from: site.folder)
        lastPlace?.search = nil
        lastPlace?.name = ""
    }

    private var placeNow: SoakPlace {
        // Where nothing was seen yet, the place is still the one before.
        var place = lastPlace ?? SoakPlace.read(from: site.folder) ?? SoakPlace(catalog: "", name: "")
        let preferences = window.preferences
        // Of another catalog or search, no photo was seen yet.
        let search = window.list?.arrangement.search ?? place.search
        let catalog = preferences.catalog ?? place.catalog
        if search != place.search || catalog != place.catalog {
            (place.catalog, place.search, place.name) = (catalog, search, "")
        }
        place.settings = [
            preferences.layout.rawValue, preferences.order.rawValue, window.chosenLook.choice.identifier,
            "\(window.chosenLook.intensity)", preferences.appearance.rawValue,
        ]
        gtk_window_get_default_size(cast(window.window), &place.width, &place.height)
        return place
    }

    // MARK: The end

    /// Closes the window while something was just begun.
    private func close(at now: Double) -> Bool {
        for _ in 0..<Int.random(in: 1...3, using: &random) { act(at: now) }
        phase = .closed
        let problem = memory.problem
        log("memory: \(memory.curve)")
        let compared = memory.comparison.map { "\($0) MB in the second third of the time, \($1) MB in the last" }
        log("memory: with the same catalogs, \(compared ?? "nothing to compare")")
        if let problem { fail(problem) }
        // Closed before there was a photo, it has no place.
        if lastPlace != nil || SoakPlace.read(from: site.folder) != nil { placeNow.write(to: site.folder) }
        log("closing after \(rests) rests, \(frames) frames")
        gtk_window_close(cast(window.window))
        return false
    }

    func log(_ text: String) { SoakSite.log(text) }

    private func fail(_ text: String) -> Never {
        SoakSite.log("FAILED: \(text)")
        exit(1)
    }
}
