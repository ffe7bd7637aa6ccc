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
    /// What they were before the last change, for whoever wants that back; with the look of all, where that has changed, too.
    private var before: (own: PhotoValues<ChosenLook>, usual: ChosenLook?)?
    /// Whether a change goes on that one takes back as a whole.
    private var isChanging = false
    /// Whether it is one of looks that photos have of their own, and not of the look of all alone.
    private var hasChangedOwn = false

    private let catalog: Catalog?
    /// What the catalog is kept by; nil where there is no way to open it again.
    private let name: String?
    /// What was read or written last.
    private var kept: PhotoValues<ChosenLook>
    private var timer: LoopTimer?

    /// No photo has a look of its own, and nothing is kept.
    convenience init() { self.init(PhotoValues(), of: nil, named: nil) }

    private init(_ looks: PhotoValues<ChosenLook>, of catalog: Catalog?, named name: String?) {
        (self.looks, kept, self.catalog, self.name) = (looks, looks, catalog, name)
    }

    // MARK: Changes

    /// Whether there is something to take back.
    var canUndo: Bool { before != nil }

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
        if before?.usual == nil { before?.usual = look }
    }

    /// Takes the last change back; that is a change, too.
    ///
    /// - Parameter usual: The look that all photos have.
    /// - Returns: The look that all photos are to have again; nil where that has not changed.
    func undo(with usual: ChosenLook) -> ChosenLook? {
        guard let former = before else { return nil }
        (before, looks) = ((looks, former.usual == nil ? nil : usual), former.own)
        isChanging = false
        keepSoon()
        return former.usual
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
        (before, isChanging, hasChangedOwn) = ((looks, nil), true, false)
    }

    // MARK: The file

    /// Reads and writes, one after the other, for all windows.
    private static let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.name = "Kept looks queue"
        queue.maxConcurrentOperationCount = 1
        return queue
    }()

    private static var files: KeptLooks<ChosenLook> {
        KeptLooks(folder: String(cString: g_get_user_data_dir()) + "/classicphotos/looks")
    }

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
        defer { if isWaiting { Self.queue.waitUntilAllOperationsAreFinished() } }
        guard timer != nil, let catalog, let name else { return }
        timer = nil
        let (new, old, files) = (looks, kept, Self.files)
        kept = new
        // What cannot be written is forgotten, which is no reason to keep a person from looking at photos.
        Self.queue.addOperation { try? files.keep(new, after: old, of: catalog, named: name) }
    }
}

extension Catalog {
    /// What looks of its photos are kept by; nil where it cannot be opened again.
    func nameForLooks(isSample: Bool) -> String? {
        // Its server has another address each time.
        if isSample { return DataFiles.sampleCatalog }
        switch origin {
        case .folder(let path, _), .file(let path):
            return path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        case .remote(let address): return address.withoutUserInformation
        case .standardInput: return nil
        }
    }
}
