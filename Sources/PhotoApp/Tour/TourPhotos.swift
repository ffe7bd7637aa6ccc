import Foundation
import PhotoPipeline
import SampleServer

/// The photos of the guided tour: those of the sample, over the sample's slow network, and so many times that there is something
/// to scroll through.
struct TourPhotos {
    /// How often each picture of the sample is there.
    private static let rounds = 10

    let catalog: Catalog
    /// The path at which the server has the picture of the second photo, which is seen in any window.
    let pathOfSecond: String

    /// Nil where the sample is not installed, or where nothing can serve it.
    init?(from network: SampleNetwork) {
        guard let sample = DataFiles.sampleCatalog, let server = network.serve(),
            let content = FileManager.default.contents(atPath: sample),
            let pictures = try? Catalog(parsing: content, origin: .file(path: sample)), pictures.count > 1
        else { return nil }
        let entries = (0..<pictures.count * Self.rounds).map { number in
            let (round, picture) = number.quotientAndRemainder(dividingBy: pictures.count)
            let name = tr("{number}. {title}").filled([
                "number": (number + 1).grouped, "title": pictures[picture].name,
            ])
            // Another address each time, so that none is there already.
            let address = server.address.appending(path: pictures[picture].address).absoluteString
            return ["name": name, "url": "\(address)?\(round)"]
        }
        guard let list = try? JSONEncoder().encode(entries),
            let catalog = try? Catalog(parsing: list, origin: .file(path: sample))
        else { return nil }
        self.catalog = catalog
        pathOfSecond = "/" + pictures[1].address
    }
}
