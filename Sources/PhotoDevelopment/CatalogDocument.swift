import Catalogs
import FoundationEssentials
import PhotoPipeline

/// A catalog on its way into a format, which can say all its rows.
struct CatalogDocument {
    private let catalog: Catalog
    private let text: CatalogText
    /// Whether relative addresses stay as they are.
    private let keepsAddresses: Bool
    private var columns: OtherColumns
    /// Whether the other columns are written, too.
    private let writesColumns: Bool

    /// Checks that the format can say all rows, before anything is written.
    init(of catalog: Catalog, as format: CatalogText.Format, keepsAddresses: Bool) throws(PhotoError) {
        (self.catalog, self.keepsAddresses) = (catalog, keepsAddresses)
        text = CatalogText(format)
        writesColumns = text.saysOtherColumns && catalog.hasOtherFields && catalog.keepsOtherFields
        columns = OtherColumns(of: catalog, for: format)
        try checkRows()
        guard writesColumns else { return }
        columns.settle()
        do throws(CatalogTextError) {
            try text.check(columns)
        } catch {
            throw PhotoError(.writeFailed, "The columns: \(error).")
        }
    }

    private mutating func checkRows() throws(PhotoError) {
        var isFirst = true
        var isKnown = false
        for row in catalog {
            guard let address = address(of: row) else { continue }
            do throws(CatalogTextError) {
                try text.check(name: row.name, address: address, isFirst: isFirst)
                if writesColumns { try text.check(row, addingTo: &columns) }
            } catch {
                let place = row.place.description.isEmpty ? "Entry \(row.index + 1)" : "\(row.place)"
                throw PhotoError(.writeFailed, "\(place.prefix(1).uppercased() + place.dropFirst()): \(error).")
            }
            isFirst = false
            isKnown = isKnown || text.isKnown(by: address)
        }
        guard isFirst || isKnown else {
            throw PhotoError(.writeFailed, "None of the addresses would make known that this is a list of addresses.")
        }
    }

    /// Hands the text on.
    mutating func write<Failure: Error>(
        to take: (Data) throws(Failure) -> Void
    ) throws(Failure) -> CatalogFile.Outcome {
        var buffer: [UInt8] = []
        if writesColumns {
            text.appendBeginning(columns, to: &buffer)
        } else {
            buffer.append(contentsOf: text.beginning.utf8)
        }
        var written = 0
        for row in catalog {
            guard let address = address(of: row) else { continue }
            append(row, address, isFirst: written == 0, to: &buffer)
            written += 1
            if buffer.count >= 1 << 16 {
                try take(Data(buffer))
                buffer.removeAll(keepingCapacity: true)
            }
        }
        buffer.append(contentsOf: text.end.utf8)
        try take(Data(buffer))
        return CatalogFile.Outcome(
            rowsLeftOut: catalog.count - written, leftColumnsOut: catalog.hasOtherFields && !writesColumns,
            renamedColumns: columns.renamed)
    }

    private mutating func append(_ row: Catalog.Row, _ address: String, isFirst: Bool, to buffer: inout [UInt8]) {
        if writesColumns {
            row.withEntryBytes { entry in
                text.appendRow(name: row.name, address: address, isFirst: isFirst, entry, &columns, to: &buffer)
            }
        } else {
            buffer.append(contentsOf: text.uncheckedRow(name: row.name, address: address, isFirst: isFirst).utf8)
        }
    }

    /// What is written for a row's address; nil for a row that is left out.
    private func address(of row: Catalog.Row) -> String? {
        switch row.content {
        case .failure(.invalidEntry): nil
        // A catalog from the network may name no local file, and what is written here may.
        case .failure(.forbiddenAddress(scheme: "file")): nil
        case .failure: row.address
        case .success(let absolute): keepsAddresses ? row.address : absolute.text
        }
    }
}
