import ImageCodecs
import PhotoPipeline
import Transfers

/// What a run does with a row, as far as that is known without fetching anything.
enum RowDecision {
    /// The row names no photo.
    case fail(PhotoError)
    /// The photo's file is there, and is to be left alone.
    case skip(file: String)
    /// The photo is developed; its result is called so, with an ending that says the format.
    case develop(ResourceAddress, stem: String)

    /// - Parameter index: The row's place in the catalog.
    init(_ row: Catalog.Row, at index: Int, into store: any ResultStore, options: DevelopmentOptions) {
        switch row.content {
        case .failure(let error): self = .fail(PhotoError(error))
        case .success(let address):
            let stem = store.stem(of: row, at: index)
            let file = "\(stem).\(options.usualEnding)"
            let isThere = options.skipExisting && store.folder.contains(file, options.encoder.format)
            self = isThere ? .skip(file: file) : .develop(address, stem: stem)
        }
    }
}
