import CGtk
import Foundation
import GtkSupport
import Operations
import PhotoBrowser
import PhotoPipeline

/// The looks that single photos of what is open have instead of the one of all, and how they are kept for the next time.
final class OwnLooks {
    /// The looks; a photo that is not among them has that of all.
    private(set) var looks: PhotoValues<ChosenLook>
    /// Called with why looks cannot be kept; says whether somebody was told.
    var onProblem: (String) -> Bool = { _ in false }
    /// Called with the path that the file of the looks is kept at, because it was not understood.
    var onMend: (String) -> Void = { _ in }
    /// Called when another window has changed looks of the same photos.
    var onChange = {}

    /// What was there before a change, or before that was taken back.
    private struct State {
        var own: PhotoValues<ChosenLook>
        /// The look of all, where that has changed.
        var usual: ChosenLook?
        /// A look of one's own that was deleted, or is there again.
        var saved: SavedLooks.Removal?
    }

    /// What was there before each change, the last one last, for whoever wants that back.
    private var former: [State] = []
    /// What was there before changes were taken back, the first one last, for whoever wants that again.
    private var undone: [State] = []
    /// Whether a change goes on that one takes back as a whole.
    private var isChanging = false
    /// Whether it is one of looks that photos have of their own, and not of the look of all alone.
    private var hasChangedOwn = false

    private let catalog: Catalog?
    /// What the catalog is kept by; nil where there is no way to open it again.
    private let name: String?
    /// What was read last, or handed over to be written.
    private var kept: PhotoValues<ChosenLook>
    private var timer: LoopTimer?

    /// No photo has a look of its own, and nothing is kept.
    convenience init() { self.init(PhotoValues(), of: nil, named: nil) }

    private init(_ looks: PhotoValues<ChosenLook>, of catalog: Catalog?, named name: String?) {
        (self.looks, kept, self.catalog, self.name) = (looks, looks, catalog, name)
        if name != nil { Self.open = Self.open.filter { $0.looks != nil } + [Open(looks: self)] }
    }

    // MARK: Changes

    /// Whether there is something to take back.
    var canUndo: Bool { !former.isEmpty }

    /// Whether something was taken back, and nothing has changed since.
    var canRedo: Bool { !undone.isEmpty }

    /// How many changes can be taken back: each may have four bytes for each photo.
    private var mostFormer: Int { min(50, max(1, 16_000_000 / max(1, catalog?.count ?? 1))) }

    /// Gives photos a look of their own; nil for that of all.
    func set(_ look: ChosenLook?, for photos: [Photo.ID]) {
        note()
        hasChangedOwn = true
        looks.set(look, for: photos)
        keepSoon()
    }

    /// Has all photos have the look of all.
    func removeAll() {
        note()
        hasChangedOwn = true
        looks = PhotoValues()
        keepSoon()
    }

    /// Notes that all photos without a look of their own get another one, which is taken back together with what else changes meanwhile.
    ///
    /// - Parameter look: The one that they have until then.
    func noteChange(ofUsual look: ChosenLook) {
        note()
        if former[former.count - 1].usual == nil { former[former.count - 1].usual = look }
    }

    /// Notes that a look of one's own was deleted, which is taken back together with what else changes meanwhile.
    func noteRemoval(_ removal: SavedLooks.Removal) {
        note()
        former[former.count - 1].saved = removal
    }

    /// The look of one's own that was deleted by the last change; nil for none. Whoever takes that back does it in the file first.
    var removal: SavedLooks.Removal? { former.last?.saved }

    /// The look of one's own that is there again because its deletion was taken back; nil for none. Whoever deletes it again does that
    /// in the file first.
    var undoneRemoval: SavedLooks.Removal? { undone.last?.saved }

    /// Takes the last change back.
    ///
    /// - Parameter usual: The look that all photos have.
    /// - Returns: The look that all photos are to have again; nil where that has not changed.
    func undo(with usual: ChosenLook) -> ChosenLook? {
        guard let state = former.popLast() else { return nil }
        undone.append(current(insteadOf: state, usual))
        return restore(state)
    }

    /// Makes the change again that was taken back last.
    ///
    /// - Parameter usual: The look that all photos have.
    /// - Returns: The look that all photos are to have again; nil where that has not changed.
    func redo(with usual: ChosenLook) -> ChosenLook? {
        guard let state = undone.popLast() else { return nil }
        former.append(current(insteadOf: state, usual))
        return restore(state)
    }

    /// Has nothing made again, as what it was about is another by now.
    func forgetUndone() { undone = [] }

    private func current(insteadOf state: State, _ usual: ChosenLook) -> State {
        State(own: looks, usual: state.usual == nil ? nil : usual, saved: state.saved?.reversed)
    }

    private func restore(_ state: State) -> ChosenLook? {
        looks = state.own
        isChanging = false
        keepSoon()
        return state.usual
    }

    /// What comes next is another change, that is taken back by itself.
    ///
    /// - Returns: Whether there was one of looks that photos have of their own.
    @discardableResult
    func endChange() -> Bool {
        defer { isChanging = false }
        return isChanging && hasChangedOwn
    }

    private func note() {
        guard !isChanging else { return }
        (isChanging, hasChangedOwn) = (true, false)
        undone = []
        former.append(State(own: looks))
        if former.count > mostFormer { former.removeFirst() }
    }

    // MARK: The file

    /// Reads and writes, one after the other, for all windows.
    private static let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.name = "Kept looks queue"
        queue.maxConcurrentOperationCount = 1
        return queue
    }()

    private static let files = KeptLooks<ChosenLook>(
        folder: String(cString: g_get_user_data_dir()) + "/classicphotos/looks")

    /// Whether somebody was told that looks cannot be kept, since they were kept for the last time.
    private static var isProblemKnown = false

    /// Those that photos had when they were open the last time, read on a thread of the engine.
    ///
    /// - Parameter name: What they are kept by; nil where nothing is kept.
    static func of(_ catalog: Catalog, named name: String?) async -> OwnLooks {
        guard let name else { return OwnLooks(PhotoValues(), of: catalog, named: nil) }
        let files = files
        let looks = await withCheckedContinuation { continuation in
            queue.addOperation { continuation.resume(returning: files.looks(of: catalog, named: name)) }
        }
        return OwnLooks(looks, of: catalog, named: name)
    }

    private func keepSoon() {
        guard name != nil, timer == nil else { return }
        // Who moves a slider changes them many times.
        timer = LoopTimer(after: .milliseconds(500)) { [weak self] in self?.keep() }
    }

    /// Writes what has changed, on a thread of the engine.
    ///
    /// - Parameter isWaiting: Whether it is there when this returns, because the program is about to end. Default: false.
    func keep(isWaiting: Bool = false) {
        let files = Self.files
        if timer != nil, let catalog, let name {
            timer = nil
            let (new, old, own) = (looks, kept, ObjectIdentifier(self))
            kept = new
            Self.queue.addOperation { [weak self] in
                // What cannot be written is tried again with the next change, of whichever photos.
                let outcome = Result {
                    let copy = try files.keep(new, after: old, of: catalog, named: name)
                    return try files.keepAgain() ?? copy
                }
                // The main queue is the main actor's.
                OperationQueue.main.addOperation {
                    MainActor.assumeIsolated {
                        self?.tell(outcome)
                        Self.share(new, after: old, of: catalog, named: name, exceptWith: own)
                    }
                }
            }
        }
        guard isWaiting else { return }
        Self.queue.addOperation { _ = try? files.keepAgain() }
        Self.queue.waitUntilAllOperationsAreFinished()
    }

    /// Says once that looks cannot be kept, and where the file is that was not understood.
    private func tell(_ outcome: Result<String?, any Error>) {
        switch outcome {
        case .success(let copy):
            Self.isProblemKnown = false
            if let copy { onMend(copy) }
        case .failure(let problem):
            if !Self.isProblemKnown { Self.isProblemKnown = onProblem(SystemReason.text(of: problem)) }
        }
    }

    // MARK: Other windows

    private struct Open { weak var looks: OwnLooks? }

    /// All that are kept in files and are there.
    private static var open: [Open] = []

    /// Has other windows take over what one has changed, where they have the same photos open. It takes a moment.
    ///
    /// - Parameter own: The one that has changed it.
    private static func share(
        _ new: PhotoValues<ChosenLook>, after old: PhotoValues<ChosenLook>, of catalog: Catalog, named name: String,
        exceptWith own: ObjectIdentifier
    ) {
        for other in open.compactMap(\.looks) where other.name == name && ObjectIdentifier(other) != own {
            guard let theirs = other.catalog else { continue }
            queue.addOperation { [weak other] in
                let changes = LookChanges(from: old, to: new, of: catalog, in: theirs)
                OperationQueue.main.addOperation { MainActor.assumeIsolated { other?.take(changes) } }
            }
        }
    }

    /// Takes over what another window has changed, and written.
    private func take(_ changes: LookChanges<ChosenLook>) {
        guard !changes.isEmpty else { return }
        changes.apply(to: &looks)
        changes.apply(to: &kept)
        // Who takes back what was done here does not take that back, too.
        for index in former.indices { changes.apply(to: &former[index].own) }
        for index in undone.indices { changes.apply(to: &undone[index].own) }
        onChange()
    }
}

extension OpenedPhotos {
    /// What looks of the photos are kept by; nil where they cannot be opened again.
    func nameForLooks(isSample: Bool) -> String? {
        // Its server has another address each time.
        if isSample { return DataFiles.sampleCatalog }
        switch catalog.origin {
        case .folder(let path, _), .file(let path):
            return path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        case .remote(let address): return address.withoutUserInformation
        // A picture that was opened by its web address has one.
        case .standardInput: return source?.text
        }
    }
}
