import PhotoBrowser
import PhotoPipeline

/// What went wrong with a photo.
struct PhotoTrouble: Equatable {
    /// In a few words and the user's language.
    let sentence: String
    /// What helps those who want to mend it, in English; empty where the sentence says all.
    let detail: String

    /// What is told of it where there is room for all, a name and a value each.
    @MainActor var lines: [(name: String, value: String)] {
        [(tr("What Went Wrong"), sentence)] + detailLines
    }

    /// Of that, what the sentence does not say.
    @MainActor var detailLines: [(name: String, value: String)] {
        detail.isEmpty ? [] : [(tr("Details"), detail)]
    }
}

extension PhotoError {
    @MainActor var trouble: PhotoTrouble { PhotoTrouble(sentence: sentence, detail: detail) }
}

extension PhotoList.Row {
    /// Why there is no picture, or what is wrong with the one that there is; nil where all is well as far as is known.
    @MainActor var trouble: PhotoTrouble? {
        if case .failed(let error) = state { return error.trouble }
        return damage.map { PhotoTrouble(sentence: tr("The picture is damaged"), detail: $0) }
    }
}
