public import ImageCodecs
public import PhotoPipeline

/// Photos that are being written to files because somebody asked for that once: how far it is, and how it ends early.
///
/// A few of them are written side by side. A job goes on when its list is closed. It ends early where the files' folder takes no more
/// files, as on a full disk: one photo after the other would be fetched for nothing.
@MainActor public final class SaveJob {
    /// A photo, and the file that it is written to.
    public struct File: Sendable {
        /// A photo of the list.
        public let photo: Photo.ID
        /// The file's path.
        public internal(set) var path: String
        /// What becomes of the photo where another file has that path when it is written.
        public let whereTaken: TakenName
        /// The format and its quality.
        public let encoder: ImageEncoder

        /// Names the file of a photo.
        ///
        /// - Parameters:
        ///   - photo: A photo of the list.
        ///   - path: The file's path.
        ///   - whereTaken: What becomes of the photo where another file has that path when it is written. Default: that file is
        ///     replaced.
        ///   - encoder: The format and its quality.
        public init(
            _ photo: Photo.ID, to path: String, whereTaken: TakenName = .replace, as encoder: ImageEncoder
        ) {
            self.photo = photo
            self.path = path
            self.whereTaken = whereTaken
            self.encoder = encoder
        }
    }

    /// A photo that was not written, and why.
    public struct Failure: Sendable {
        /// The photo and its file.
        public let file: File
        /// What went wrong.
        public let error: PhotoError
        /// Whether that is only that another file has the name, and was to stay (``TakenName/refuse``).
        public let isNameTaken: Bool
    }

    /// How many are written side by side.
    static let width = 8

    /// How many photos are to be written.
    public let count: Int
    /// What is to be written; where a job was made with photos whose files are named one after the other, those that are named by now.
    public private(set) var files: [File]
    /// How many files are written.
    public var savedCount: Int { saved.count }
    /// The files that are written, in the order of ``files``, with the paths that they have got.
    public var savedFiles: [File] { saved.sorted { $0.key < $1.key }.map(\.value) }
    /// What was not written, without what was given up.
    public private(set) var failures: [Failure] = []
    /// Whether somebody has given it up.
    public private(set) var isCancelled = false
    /// What has ended the job early, because no other file could be written, either; nil where nothing has.
    public private(set) var end: Failure?
    /// Whether nothing of it is under way any more.
    public var isOver: Bool { next == count && underWayCount == 0 }

    private let list: PhotoList
    private let nameFile: (Int) -> File
    private let whenDone: (SaveJob) -> Void
    /// The place of the next file that is not begun.
    private var next = 0
    private var underWayCount = 0
    /// What is written, by the places of its files.
    private var saved: [Int: File] = [:]
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
    public convenience init(_ files: [File], of list: PhotoList, whenDone: @escaping (SaveJob) -> Void) {
        self.init(files.count, of: list, file: { files[$0] }, whenDone: whenDone)
        self.files = files
    }

    /// A job that has not begun, and whose files are named when their turn comes: whoever looks for free names looks at the disk for
    /// each, and of very many photos that takes long.
    ///
    /// - Parameters:
    ///   - count: How many photos there are, at least one.
    ///   - list: What the photos are of; they are written with the looks that they have when their turn comes.
    ///   - file: Asked once for each photo, by its number from 0 on, in this order.
    ///   - whenDone: Called once on the main actor, when nothing of it is under way any more.
    public init(
        _ count: Int, of list: PhotoList, file: @escaping (Int) -> File, whenDone: @escaping (SaveJob) -> Void
    ) {
        precondition(count > 0, "a job has files")
        self.count = count
        self.list = list
        self.whenDone = whenDone
        nameFile = file
        files = []
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
        giveUpOthers()
    }

    private func giveUpOthers() {
        // What has not begun need not be waited for.
        next = count
        for task in tasks.values { task.cancel() }
    }

    /// How much is done, from 0 to 1: by the files that are over, and by the transfers of the others. Nil before either is known.
    public var progress: Double? {
        let shares = tasks.values.compactMap(\.transferProgress)
        let over = savedCount + failures.count
        guard over > 0 || !shares.isEmpty else { return nil }
        return min(1, (Double(over) + shares.reduce(0, +)) / Double(count))
    }

    private func goOn() {
        // An entry that names no photo is over at once; the loop below goes on with the next.
        guard !isBeginning else { return }
        isBeginning = true
        while next < count, underWayCount < Self.width {
            if next == files.count { files.append(nameFile(next)) }
            let (place, file) = (next, files[next])
            next += 1
            underWayCount += 1
            let task = list.write(file.photo, to: file.path, whereTaken: file.whereTaken, as: file.encoder) { [self] in
                finish(place, $0)
            }
            if let task { tasks[place] = task }
        }
        isBeginning = false
        if isOver { whenDone(self) }
    }

    private func finish(_ place: Int, _ outcome: Result<String, SaveFault>) {
        tasks[place] = nil
        underWayCount -= 1
        switch outcome {
        case .success(let path):
            var file = files[place]
            file.path = path
            saved[place] = file
        case .failure(let fault):
            // What was given up has not failed.
            if !(fault.error.reason == .cancelled && (isCancelled || end != nil)) { fail(place, fault) }
        }
        goOn()
    }

    private func fail(_ place: Int, _ fault: SaveFault) {
        let failure = Failure(file: files[place], error: fault.error, isNameTaken: fault.isNameTaken)
        failures.append(failure)
        guard fault.isOfFolder, end == nil else { return }
        end = failure
        giveUpOthers()
    }
}
