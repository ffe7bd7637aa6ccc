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

    /// The photo that is meant where a key or the window's menu asks for what is about one alone.
    var photoToTellOf: Photo.ID? { viewer.photo ?? page?.current }

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
        let encoder = ImageEncoder(format: .jpeg)
        let name = { (number: Int) -> SaveJob.File in
            let path = names.path(for: list[photos[number]].name.suggestedFileName)
            // Until the job is over, see SavesUnderWay.
            PromisedFiles.add([path])
            // Another program may take the name until then.
            return SaveJob.File(photos[number], to: path, whereTaken: .number, as: encoder)
        }
        let job = SaveJob(photos.count, of: list, file: name) { [self] job in
            tell(job, of: list, in: folder)
            saves.end(job)
        }
        saves.begin(job, tr("Saving {count} photo…", "Saving {count} photos…", photos.count))
    }

    /// Says what came of it.
    private func tell(_ job: SaveJob, of list: PhotoList, in folder: String) {
        if let end = job.end {
            let text = tr(
                "{count} photo was not saved. {reason}.", "{count} photos were not saved. {reason}.",
                job.count - job.savedCount)
            return tell(tr("Not All Photos Were Saved"), text.filled(["reason": end.error.explanation]))
        }
        guard !job.failures.isEmpty else {
            let name = folder.split(separator: "/").last.map(String.init) ?? "/"
            let text = tr(
                "{count} photo was saved in “{folder}”.", "{count} photos were saved in “{folder}”.", job.savedCount
            ).filled(["folder": name])
            say(job.isCancelled ? tr("Saving was cancelled.") + " " + text : text)
            return
        }
        let most = 8
        let lines = job.failures.prefix(most).map { "\(list[$0.file.photo].name): \($0.error.explanation)" }
        let text =
            tr("{count} photo was not saved:", "{count} photos were not saved:", job.failures.count) + "\n"
            + lines.joined(separator: "\n") + (job.failures.count > most ? "\n…" : "")
        tell(tr("Not All Photos Were Saved"), text)
    }
}
