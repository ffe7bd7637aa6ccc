import ImageCodecs
import PhotoPipeline
import Transfers

/// What a run does with a row, as far as that is known without fetching anything.
enum RowDecision {
    /// The row names no photo.
    case fail(PhotoError)
    /// The photo's file is there, and is to be left alone.
    case skip(file: String)
    /// The photo is developed into a file.
    case develop(ResourceAddress, file: String)

    init(_ row: Catalog.Row, into folder: OutputFolder, options: DevelopmentOptions) {
        switch row.content {
        case .failure(let error): self = .fail(PhotoError(error))
        case .success(let address):
            let format = options.encoder.format
            let file = OutputName(name: row.name, address: row.address, fileExtension: format.fileExtension).file
            let isThere = options.skipExisting && folder.contains(file, format)
            self = isThere ? .skip(file: file) : .develop(address, file: file)
        }
    }
}
