import Foundation
import PhotoPipeline
import Pixels
import Transfers

/// What a query asks for: `url`, `size` (the longest side in pixels, default 256) and `filter` (as CSS writes it).
struct Thumbnail {
    let request: ImageRequest
    /// Whether the address names whom it is for.
    let isPrivate: Bool

    static let sizes = 1...2_048
    static let mostFunctions = 8

    /// - Parameter value: Looks a parameter of the query up.
    /// - Throws: What is wrong with it.
    init(allowsPrivate: Bool, _ value: (String) -> String?) throws(BadQuery) {
        guard let text = value("url"), let address = URL(string: text) else {
            throw BadQuery("url has to be an http or https address")
        }
        let size = value("size") ?? "256"
        guard let longestSide = Int(size), Self.sizes.contains(longestSide) else {
            throw BadQuery("size has to be from \(Self.sizes.lowerBound) to \(Self.sizes.upperBound), not \(size)")
        }
        let filter: FilterChain
        do throws(FilterSyntaxError) {
            filter = try FilterChain(parsing: value("filter") ?? "none")
        } catch {
            throw BadQuery("filter: \(error)")
        }
        guard filter.functions.count <= Self.mostFunctions else {
            throw BadQuery("filter has more than \(Self.mostFunctions) functions")
        }
        isPrivate = address.user != nil || address.password != nil
        // Whoever asks is a stranger: the addresses that are named lead to the internet and nowhere else.
        request = ImageRequest(
            address: address, longestSide: longestSide, filter: filter, addressGuard: allowsPrivate ? .open : .closed)
    }
}

/// Says what is wrong with a query.
struct BadQuery: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
