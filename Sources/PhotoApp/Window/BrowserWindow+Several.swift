import CGtk
import GtkSupport
import ImageCodecs
import PhotoBrowser
import PhotoPipeline

extension BrowserWindow {
    /// The photos that something is done with: the one that is seen in large, or those that are chosen.
    ///
    /// - Parameter photo: The one whose menu was used; nil where a key or the window's menu was.
    func concerned(by photo: Photo.ID?) -> [Photo.ID] {
        guard let photo else { return viewer.photo.map { [$0] } ?? page?.selection.photos ?? [] }
        return chosen(with: photo)?.photos ?? [photo]
    }

    /// Those that are chosen, where what a photo's menu offers is for all of them; nil where it is for that photo alone.
    func chosen(with photo: Photo.ID) -> PhotoSelection? {
        guard viewer.photo == nil, let selection = page?.selection, selection.contains(photo) else { return nil }
        return selection
    }

    /// Asks for the folder that several photos shall be written to, and writes them.
    func chooseWhereToSave(_ photos: [Photo.ID], of list: PhotoList) {
        choose(
            tr("Save {count} Photo In", "Save {count} Photos In", photos.count), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
            tr("_Save")
        ) { [weak self] files in
            guard let self, let folder = path(of: files[0]) else { return }
            save(photos, of: list, in: folder)
        }
    }

    private func save(_ photos: [Photo.ID], of list: PhotoList, in folder: String) {
        var names = FreeNames(in: folder)
        let files = photos.map { photo in
            let path = names.path(for: list[photo].name.suggestedFileName)
            return SaveJob.File(photo, to: path, as: ImageEncoder(format: .jpeg))
        }
        let job = SaveJob(files, of: list) { [self] job in
            let failed = job.failures.map { list[$0.file.photo].name }
            tell(failed, saved: job.savedCount, in: folder, isCancelled: job.isCancelled)
            saves.end(job, isClosed: isClosed)
        }
        saves.begin(job, tr("Saving {count} photo…", "Saving {count} photos…", photos.count))
    }

    /// Says what came of it.
    private func tell(_ failed: [String], saved count: Int, in folder: String, isCancelled: Bool) {
        guard !failed.isEmpty else {
            let name = folder.split(separator: "/").last.map(String.init) ?? "/"
            let text = tr("{count} photo was saved in “{folder}”.", "{count} photos were saved in “{folder}”.", count)
                .filled(["folder": name])
            say(isCancelled ? tr("Saving was cancelled.") + " " + text : text)
            return
        }
        let most = 8
        let text =
            tr("{count} photo was not saved:", "{count} photos were not saved:", failed.count) + "\n"
            + failed.prefix(most).joined(separator: "\n") + (failed.count > most ? "\n…" : "")
        tell(tr("Not All Photos Were Saved"), text)
    }
}
