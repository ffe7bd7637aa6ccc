public import ImageCodecs
public import PhotoPipeline

/// Photos that are being written to files because somebody asked for that once: how far it is, and how it ends early.
///
/// A few of them are written side by side. A job goes on when its list is closed.
@MainActor public final class SaveJob {
    /// A photo, and the file that it is written to.
    public struct File: Sendable {
        /// A photo of the list.
        public let photo: Photo.ID
        /// The file's path; a file that is there is replaced.
        public let path: String
        /// The format and its quality.
        public let encoder: ImageEncoder

        /// Names the file of a photo.
        public init(_ photo: Photo.ID, to path: String, as encoder: ImageEncoder) {
            self.photo = photo
            self.path = path
            self.encoder = encoder
        }
    }

    /// A photo that was not written, and why.
    public struct Failure: Sendable {
        /// The photo and its file.
        public let file: File
        /// What went wrong.
        public let error: PhotoError
    }

    /// How many are written side by side.
    static let width = 8

    /// What is to be written.
    public let files: [File]
    /// How many files are written.
    public private(set) var savedCount = 0
    /// What was not written, without what was given up.
    public private(set) var failures: [Failure] = []
    /// Whether somebody has given it up.
    public private(set) var isCancelled = false
    /// Whether nothing of it is under way any more.
    public var isOver: Bool { next == files.count && underWayCount == 0 }

    private let list: PhotoList
    private let whenDone: (SaveJob) -> Void
    /// The place of the next file that is not begun.
    private var next = 0
    private var underWayCount = 0
    /// What fetches the photos that are under way, by the places of their files.
    private var tasks: [Int: PhotoTask] = [:]
    private var isBeginning = false
    private var hasBegun = false

    /// A job that has not begun.
    ///
    /// - Parameters:
    ///   - files: What is to be written, at least one.
    ///   - list: What the photos are of; they are written with the looks that they have when their turn comes.
    ///   - whenDone: Called once on the main actor, when nothing of it is under way any more.
    public init(_ files: [File], of list: PhotoList, whenDone: @escaping (SaveJob) -> Void) {
        precondition(!files.isEmpty, "a job has files")
        self.files = files
        self.list = list
        self.whenDone = whenDone
    }

    /// Begins to write. Only once. One that was cancelled before is over with that.
    public func start() {
        precondition(!hasBegun, "a job begins once")
        hasBegun = true
        goOn()
    }

    /// Gives up what is not written yet; files that are written stay.
    public func cancel() {
        guard !isCancelled, !isOver else { return }
        isCancelled = true
        // What has not begun need not be waited for.
        next = files.count
        for task in tasks.values { task.cancel() }
    }

    /// How much is done, from 0 to 1: by the files that are over, and by the transfers of the others. Nil before either is known.
    public var progress: Double? {
        let shares = tasks.values.compactMap(\.transferProgress)
        let over = savedCount + failures.count
        guard over > 0 || !shares.isEmpty else { return nil }
        return min(1, (Double(over) + shares.reduce(0, +)) / Double(files.count))
    }

    private func goOn() {
        // An entry that names no photo is over at once; the loop below goes on with the next.
        guard !isBeginning else { return }
        isBeginning = true
        while next < files.count, underWayCount < Self.width {
            let (place, file) = (next, files[next])
            next += 1
            underWayCount += 1
            let task = list.save(file.photo, to: file.path, as: file.encoder) { [self] in end(place, $0) }
            if let task { tasks[place] = task }
        }
        isBeginning = false
        if isOver { whenDone(self) }
    }

    private func end(_ place: Int, _ error: PhotoError?) {
        tasks[place] = nil
        underWayCount -= 1
        switch error {
        case nil: savedCount += 1
        case let error? where isCancelled && error.reason == .cancelled: break
        case let error?: failures.append(Failure(file: files[place], error: error))
        }
        goOn()
    }
}
