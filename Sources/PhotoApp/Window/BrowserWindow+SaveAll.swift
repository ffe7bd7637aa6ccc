import CGtk
import GtkSupport
import Operations
import PhotoBrowser
import PhotoDevelopment
import PhotoPipeline

extension BrowserWindow {
    /// Asks how and where all photos of the list shall be written with their look, and writes them.
    func chooseHowToSaveAll() {
        guard let list, !list.catalog.isEmpty, !comparePage.isOpen else { return }
        let (look, looks, name) = (chosenLook, listLooks, shownName)
        let hands = SaveAllDialog.Hands(
            choosePlace: { [weak self] dialog, body in
                self?.choose(
                    tr("Choose Where"), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, tr("_Select"), over: dialog
                ) { files in
                    if let path = self?.path(of: files[0]) { body(path) }
                }
            },
            save: { [weak self] choices, folder in
                // Another catalog may have been opened meanwhile.
                await self?.saveAll(of: list, looks, choices, in: folder)
            })
        let suggestion = look.isPlain ? name : "\(name), \(look.text)"
        SaveAllDialog.show(
            over: window, Self.text(about: list, name, look), suggestion.suggestedFolderName, preferences.saveAll,
            hands)
    }

    /// Says which photos are saved.
    private static func text(about list: PhotoList, _ name: String, _ look: ChosenLook) -> String {
        let text = tr(
            "{count} photo of “{name}”, with the look {look}.", "All {count} photos of “{name}”, with the look {look}.",
            list.catalog.count
        ).filled(["name": name, "look": look.text])
        let own = list.looks.own.count
        let others = tr("{count} of them has a look of its own.", "{count} of them have a look of their own.", own)
        let all = own > 0 ? "\(text) \(others)" : text
        guard list.count < list.catalog.count else { return all }
        let shown = ["count": list.count.grouped]
        return "\(all) " + tr("The search shows {count} of them; the others are saved, too.").filled(shown)
    }

    /// Begins to write all photos of a list.
    ///
    /// - Returns: Why that cannot be done; nil where it has begun, or the task was cancelled.
    private func saveAll(
        of list: PhotoList, _ looks: PhotoLooks, _ choices: SaveAllChoices, in folder: String
    ) async -> String? {
        var options = choices.options(into: folder, with: looks)
        options.allowsPrivateAddresses = list.allowsPrivateAddresses
        options.diskCache = preferences.keepsImages ? diskCache : nil
        switch await SaveAllJob.prepare(list.catalog, options) {
        case .failure(let error): return error.sentence
        case .success(let development):
            guard !isClosed, !Task.isCancelled else { return nil }
            preferences.saveAll = choices
            savePreferences()
            let job = SaveAllJob(development, into: folder) { [self] in ended($0, $1) }
            saves.begin(job, tr("Saving {count} photo…", "Saving {count} photos…", list.catalog.count))
            return nil
        }
    }

    /// Says what came of it.
    private func ended(_ job: SaveAllJob, _ summary: DevelopmentSummary) {
        let folder = job.folder
        let text = summary.text(of: folder.split(separator: "/").last.map(String.init) ?? "/")
        if isClosed {
            switch summary.stop {
            // Whoever has cancelled it, at the end of the program or in another window, knows that.
            case .cancelled: break
            case nil where summary.progress.failures == 0: break
            default: tell(tr("Not All Photos Were Saved"), text)
            }
        } else {
            saves.show(
                Notice(
                    text,
                    [
                        (tr("Open _Folder"), { [weak self] in self?.show(folder) }),
                        (tr("Open _Report"), { [weak self] in self?.openReport(of: folder) }),
                    ]))
        }
        saves.end(job)
    }

    /// The page that says what became of each photo; beside the photos, which it shows.
    private static let reportName = "classicphotos-report.html"

    /// Writes the page about the photos in a folder, and opens it.
    private func openReport(of folder: String) {
        let path = "\(folder)/\(Self.reportName)"
        let queue = OperationQueue()
        queue.name = "Report queue"
        queue.addOperation { [weak self] in
            let failure: DevelopmentError?
            do throws(DevelopmentError) {
                try DevelopmentReport(of: folder).write(.html, to: path)
                failure = nil
            } catch {
                failure = error
            }
            // The main queue is the main actor's.
            OperationQueue.main.addOperation {
                MainActor.assumeIsolated { self?.open(report: path, failure) }
            }
        }
    }

    private func open(report path: String, _ failure: DevelopmentError?) {
        guard !isClosed else { return }
        guard let failure else { return show(path) }
        MessageDialog.show(over: window, tr("The Report Cannot Be Written"), failure.sentence)
    }

    /// Shows a file or a folder in the program that the desktop has for it.
    private func show(_ path: String) {
        guard let address = g_filename_to_uri(path, nil, nil) else { return }
        defer { g_free(address) }
        gtk_show_uri(cast(window), address, UInt32(GDK_CURRENT_TIME))
    }
}

extension String {
    /// What a folder for photos of this name may be called.
    var suggestedFolderName: String {
        let isTrimmed = { (character: Character) -> Bool in character == "." || character == " " }
        var visible = fileNameBeginning.drop(while: isTrimmed)
        // FAT has no names that end with these.
        while visible.last.map(isTrimmed) ?? false { visible.removeLast() }
        return visible.isEmpty ? tr("Photos") : String(visible)
    }
}
