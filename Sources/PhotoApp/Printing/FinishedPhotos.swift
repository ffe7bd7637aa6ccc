import Foundation
import ImageCodecs
import PhotoBrowser
import PhotoPipeline

/// Photos with their look, in the size that they were published in, as JPEG files for another program: a printer's or the desktop.
/// The files are there for as long as this, and until the program ends at most.
final class FinishedPhotos {
    /// What was made, in the order of the photos.
    private(set) var files: [String] = []
    /// What was not made, and why.
    fileprivate(set) var failures: [(name: String, error: PhotoError)] = []
    /// How many were not made; more than ``failures`` where these have ended the job, see ``SaveJob/end``.
    private(set) var lackingCount = 0
    private let folder: URL
    /// The folders that are there.
    private static var folders: Set<URL> = []

    /// A folder of its own, which nobody else may look into; nil where there can be none.
    fileprivate init?() {
        folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-\(UUID())")
        let isMade: Void? = try? FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        if isMade == nil { return nil }
        Self.folders.insert(folder)
    }

    isolated deinit { remove() }

    /// Removes the files, because nobody needs them any more.
    func remove() {
        if Self.folders.remove(folder) != nil { try? FileManager.default.removeItem(at: folder) }
    }

    /// Removes the files of all, because the program ends: what still holds them may never let them go.
    static func removeAll() {
        for folder in folders { try? FileManager.default.removeItem(at: folder) }
        folders = []
    }

    fileprivate func path(_ number: Int) -> String { folder.appending(path: "\(number).jpg").path }

    fileprivate func take(_ job: SaveJob, of list: PhotoList) {
        files = job.savedFiles.map(\.path)
        lackingCount = job.count - files.count
        failures = job.failures.map { (list[$0.file.photo].name, $0.error) }
    }
}

extension BrowserWindow {
    /// Makes files of photos, which is shown as saving is, and can be cancelled there.
    ///
    /// - Parameters:
    ///   - text: What is said meanwhile.
    ///   - body: Called with the files; not where it was cancelled, or the window is closed.
    func finish(
        _ photos: [Photo.ID], of list: PhotoList, saying text: String, _ body: @escaping (FinishedPhotos) -> Void
    ) {
        guard let finished = FinishedPhotos() else {
            say(tr("The file cannot be written"))
            return
        }
        // What people keep is small; this is seen once more by eyes that look closely.
        let encoder = ImageEncoder(format: .jpeg, quality: 95)
        let files = photos.enumerated().map { SaveJob.File($1, to: finished.path($0), as: encoder) }
        let job = SaveJob(files, of: list) { [self] job in
            finished.take(job, of: list)
            saves.end(job)
            if !isClosed, !job.isCancelled { body(finished) }
        }
        saves.begin(job, text, isOfWindow: true)
    }
}
