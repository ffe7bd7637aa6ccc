import Catalogs
import Foundation

private let origin = Catalog.Origin.file(path: "/photos/list")

@_cdecl("LLVMFuzzerTestOneInput")
public func readAnything(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let file = start.map { Data(bytes: $0, count: count) } ?? Data()
    do throws(CatalogError) {
        let catalog = try Catalog(parsing: file, origin: origin)
        var rows: [(name: String, address: String)] = []
        for index in catalog.startIndex..<catalog.endIndex {
            let row = catalog[index]
            switch row.content {
            case .failure(let flaw):
                precondition(!String(describing: flaw).isEmpty && !String(describing: row.place).isEmpty)
                if case .invalidEntry = flaw { continue }
            case .success: break
            }
            rows.append((row.name, row.address))
        }
        for format in CatalogText.Format.allCases { write(rows, as: format) }
    } catch {
        precondition(!String(describing: error).isEmpty)
    }
    return 0
}

/// What is written is read again as it was, or refused.
private func write(_ rows: [(name: String, address: String)], as format: CatalogText.Format) {
    let writer = CatalogText(format)
    guard rows.contains(where: { writer.isKnown(by: $0.address) }) else { return }
    var text = writer.beginning
    do throws(CatalogTextError) {
        for (index, row) in rows.enumerated() {
            text += try writer.row(name: row.name, address: row.address, isFirst: index == 0)
        }
    } catch {
        return
    }
    guard let again = try? Catalog(parsing: Data((text + writer.end).utf8), origin: origin) else {
        fatalError("\(format): what was written is not read")
    }
    precondition(again.count == rows.count, "\(format): rows were lost")
    for (row, expected) in zip(again, rows) {
        precondition(row.address.unicodeScalars.elementsEqual(expected.address.unicodeScalars), "\(format): an address")
        if format == .txt { continue }
        precondition(row.name.unicodeScalars.elementsEqual(expected.name.unicodeScalars), "\(format): a name")
    }
}
