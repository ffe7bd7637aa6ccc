import Catalogs
import Foundation

private let origin = Catalog.Origin.file(path: "/photos/list")

@_cdecl("LLVMFuzzerTestOneInput")
public func readAnything(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let file = start.map { Data(bytes: $0, count: count) } ?? Data()
    do throws(CatalogError) {
        let catalog = try Catalog(parsing: file, origin: origin)
        for index in catalog.startIndex..<catalog.endIndex {
            let row = catalog[index]
            guard case .failure(let flaw) = row.content else { continue }
            precondition(!String(describing: flaw).isEmpty && !String(describing: row.place).isEmpty)
        }
    } catch {
        precondition(!String(describing: error).isEmpty)
    }
    return 0
}
