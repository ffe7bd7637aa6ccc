import ImageCodecs
import PhotoPipeline
import Transfers

/// What a run does with a row, as far as that is known without fetching anything.
enum RowDecision {
    /// The row names no photo.
    case fail(PhotoError)
    /// The photo's files are there, and are to be left alone.
    case skip(ResourceAddress, files: [String])
    /// The photo is developed; its results are called so, with an ending that says the format.
    case develop(ResourceAddress, stem: String)

    /// - Parameters:
    ///   - index: The row's place among the rows.
    ///   - plan: What the run takes. The files of other rows are results of earlier runs, and nobody else's.
    init(
        _ rows: CatalogRows, at index: Int, into store: any ResultStore, plan: RowPlan, options: DevelopmentOptions
    ) {
        switch rows.address(of: index) {
        case .failure(let error): self = .fail(error)
        case .success(let address):
            let stem = store.stem(of: rows[index], at: index)
            let files = plan.takes(index) ? Self.files(stem, in: store, options) : nil
            self = files.map { .skip(address, files: $0) } ?? .develop(address, stem: stem)
        }
    }

    /// In whose line the row waits for its turn; nil where it has no address to fetch.
    var host: WebAddress.Origin? {
        switch self {
        case .fail: nil
        case .skip(let address, _), .develop(let address, _): address.turnOrigin
        }
    }

    /// The photo's files, if all of them are there and are to be left alone.
    private static func files(
        _ stem: String, in store: any ResultStore, _ options: DevelopmentOptions
    ) -> [String]? {
        guard options.skipExisting else { return nil }
        let renditions = options.renditions
        let files = store.files(stem, renditions)
        let areThere = zip(files, renditions).allSatisfy { file, rendition in
            rendition.encoder.map { store.folder.contains(file, $0.format) } ?? false
        }
        return areThere ? files : nil
    }
}
