import GtkSupport
import PhotoBrowser
import PhotoPipeline

extension BrowserWindow {
    /// The most photos that are printed at once: their files lie on disk until the printer has them, each as large as it was published.
    private static let mostPrinted = 1_000

    /// Prints the photo that is looked at, or those that are chosen, one to a page.
    ///
    /// - Parameter wanted: The one whose menu was used; nil where a key or the window's menu was.
    func printPhotos(_ wanted: Photo.ID? = nil) {
        guard let list, !comparePage.isOpen else { return }
        viewer.slideshow.end()
        let photos = concerned(by: wanted)
        guard let first = photos.first else {
            say(tr("Choose a photo first."))
            return
        }
        guard photos.count <= Self.mostPrinted else {
            say(tr("At most {count} photos are printed at once.").filled(["count": Self.mostPrinted.grouped]))
            return
        }
        let name = photos.count == 1 ? list[first].name : shownName
        let text = tr("Preparing {count} photo for printing…", "Preparing {count} photos for printing…", photos.count)
        finish(photos, of: list, saying: text) { [weak self] finished in
            guard let self else { return }
            guard !finished.failures.isEmpty else { return printFiles(finished, name) }
            tellUnprinted(finished) { [weak self] in self?.printFiles(finished, name) }
        }
    }

    private func printFiles(_ finished: FinishedPhotos, _ name: String) {
        let job = PrintedPhotos(finished.files, name: name, by: application) { [self] outcome in
            // Until now they had to be there.
            finished.remove()
            switch outcome {
            case .printed(let count):
                say(tr("{count} photo was sent to the printer.", "{count} photos were sent to the printer.", count))
            case .written(let count, let path):
                let text = tr(
                    "{count} photo was written to “{file}”.", "{count} photos were written to “{file}”.", count)
                say(text.filled(["file": String(path.split(separator: "/").last ?? "")]))
            case .cancelled: break
            case .failed(let reason): tell(tr("The Photos Were Not Printed"), reason)
            }
        }
        job?.run(over: window)
    }

    /// Says which photos cannot be printed, and asks whether the others shall be.
    private func tellUnprinted(_ finished: FinishedPhotos, _ goOn: @escaping () -> Void) {
        let most = 8
        let lines = finished.failures.prefix(most).map { "\($0.name): \($0.error.explanation)" }
        let text = lines.joined(separator: "\n") + (finished.lackingCount > lines.count ? "\n…" : "")
        let others = finished.files.isEmpty ? nil : tr("_Print the Others")
        MessageDialog.show(over: window, tr("Not All Photos Can Be Printed"), text, offering: others, goOn)
    }
}
