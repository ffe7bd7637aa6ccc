import GtkSupport
import PhotoPipeline

extension BrowserWindow {
    /// Has somebody write a look of their own, or change one.
    ///
    /// - Parameter chooser: Where they asked for it, which knows the photo that they look at.
    func editLook(_ old: SavedLooks.Entry?, from chooser: LookChooser) {
        LookEditor.show(
            over: window, old, beginningWith: chosenLook.choice.filter.description, image: chooser.onNeedImage()
        ) { [weak self] in self?.carryOut($0, on: old) ?? true }
    }

    /// Keeps or forgets a look, and says whether that went well.
    private func carryOut(_ outcome: LookEditor.Outcome, on old: SavedLooks.Entry?) -> Bool {
        do throws(SavedLooks.FileError) {
            switch outcome {
            case .keep(let entry):
                try SavedLooks.keep(entry, inPlaceOf: old)
                choose(ChosenLook(identifier: entry.identifier))
            case .remove:
                if let old { try SavedLooks.remove(old) }
                choose(.original)
            }
            return true
        } catch {
            tell(tr("The Look Was Not Kept"), error.reason)
            return false
        }
    }
}
