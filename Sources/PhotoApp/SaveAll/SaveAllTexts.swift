import PhotoDevelopment
import PhotoPipeline

extension DevelopmentError {
    /// Why photos cannot be saved in a folder, in the user's language.
    @MainActor var sentence: String {
        switch self {
        case .outputInUse:
            tr("Photos are being saved in this folder already. Wait until that is over, or choose another folder.")
        case .catalogChanged:
            tr("This folder was begun with other photos, or these have changed since. Choose another folder.")
        case .recipeDiffers:
            tr("The photos in this folder were saved with another look, size or format. Choose another folder.")
        case .outputHoldsSource(_, let file):
            tr("“{name}”, one of these photos, is in this folder, and is not to be replaced. Choose another folder.")
                .filled(["name": file])
        case .outputHoldsOther(_, let file):
            tr("“{name}” is in this folder already, and is not to be replaced. Choose another folder.")
                .filled(["name": file])
        case .outputOfPlan: tr("This folder belongs to a plan of the command line. Choose another folder.")
        case .outputUnusable(_, let reason), .journalUnusable(_, let reason), .reportUnusable(_, let reason):
            tr("This folder cannot be used: {reason}.").filled(["reason": SystemReason.text(reason)])
        default: tr("This folder cannot be used: {reason}.").filled(["reason": SystemReason.text("\(self)")])
        }
    }
}

extension DevelopmentSummary {
    /// What has come of the photos of a list, in the user's language.
    ///
    /// - Parameter folder: What the folder is called.
    @MainActor func text(of folder: String) -> String {
        let saved = progress.done - progress.failures
        var sentences: [String] = []
        switch stop {
        case .cancelled: sentences.append(tr("Saving was cancelled."))
        case .outputFailed(let error): sentences.append(error.explanation + ".")
        case nil: break
        }
        if stop == nil, progress.filteredEarlier == progress.total {
            sentences.append(tr("All photos are in “{folder}” already.").filled(["folder": folder]))
        } else {
            sentences.append(
                tr("{count} photo was saved in “{folder}”.", "{count} photos were saved in “{folder}”.", saved)
                    .filled(["folder": folder]))
        }
        if progress.failures > 0 {
            sentences.append(
                tr("{count} photo was not saved.", "{count} photos were not saved.", progress.failures))
        }
        if stop != nil { sentences.append(tr("Save in this folder again to go on.")) }
        return sentences.joined(separator: " ")
    }
}
