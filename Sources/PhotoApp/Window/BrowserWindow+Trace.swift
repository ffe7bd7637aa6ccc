import CGtk
import Foundation
import Operations

extension BrowserWindow {
    /// Asks where the trace of the operations shall be written, for Perfetto or `chrome://tracing`, and writes it.
    func chooseWhereToSaveTrace() {
        choose(tr("Save Trace"), GTK_FILE_CHOOSER_ACTION_SAVE, tr("_Save"), suggestion: "trace.json") {
            [weak self] files in
            guard let self, let path = path(of: files[0]), let trace = panel.recorded else { return }
            save(trace, to: path)
        }
    }

    /// Writes a trace, which may have many megabytes, on another thread, and says what came of it.
    private func save(_ trace: OperationTrace, to path: String) {
        let queue = OperationQueue()
        queue.name = "Trace queue"
        queue.addOperation { [weak self] in
            let failure: String?
            do {
                try trace.chromeTrace().write(to: URL(filePath: path), options: .atomic)
                failure = nil
            } catch {
                let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code
                failure = code.map { String(cString: strerror($0.rawValue)) } ?? error.localizedDescription
            }
            // The main queue is the main actor's.
            OperationQueue.main.addOperation {
                MainActor.assumeIsolated { self?.tellTrace(failure) }
            }
        }
    }

    private func tellTrace(_ failure: String?) {
        guard let failure else {
            say(tr("The trace was saved."))
            return
        }
        tell(
            tr("The Trace Was Not Saved"),
            tr("The file cannot be written: {reason}.").filled(["reason": SystemReason.text(failure)]))
    }
}
