import Catalogs
import Glibc
import Transfers

/// Leaves rows out of the tasks of a plan whose address an earlier row has; for one thread.
///
/// Equal addresses have one host, or are one local file, and so they are in one task. Digests of the addresses are written beside the
/// rows of each task, 16 bytes each; when all rows are there they are looked through, a task at a time, and where some are equal the
/// task's file is written again without these rows.
final class PlanDeduplication {
    private let folder: String
    private let digests: TaskFiles
    /// How many rows were left out.
    private(set) var count = 0
    private let mostAtOnce: Int

    /// - Parameters:
    ///   - folder: The folder of the tasks.
    ///   - tasks: How many tasks there are.
    ///   - mostAtOnce: Of how many addresses digests are in memory at once.
    init(in folder: String, tasks: Int, mostAtOnce: Int = 1 << 21) throws(FileError) {
        (self.folder, self.mostAtOnce) = (folder, mostAtOnce)
        digests = try TaskFiles(in: folder, tasks: tasks, kind: .digests)
    }

    /// Takes note of the next row of a task.
    ///
    /// - Parameter address: Its address as it is written; empty for a row that stays in any case.
    func add(_ address: UnsafeBufferPointer<UInt8>, to task: Int) throws(FileError) {
        try withUnsafeBytes(of: AddressDigest(of: address)) { (bytes) throws(FileError) in
            try digests.add(bytes, to: task)
        }
    }

    /// Leaves rows out of one task after the other.
    ///
    /// - Parameters:
    ///   - files: The rows of all tasks.
    ///   - check: Given each task, and the number of bytes of each row that stays where some are left out; nil for a task that has all its rows.
    ///   - leaveOut: Given the address of each row that is left out.
    func finish(
        _ files: TaskFiles, check: (_ task: Int, _ bytes: Int?) throws(DevelopmentError) -> Void,
        leaveOut: (ResourceAddress) -> Void
    ) throws(DevelopmentError) {
        func writing<Result>(_ body: () throws(FileError) -> Result) throws(DevelopmentError) -> Result {
            do throws(FileError) { return try body() } catch {
                throw .planUnwritable(path: folder, reason: error.reason)
            }
        }
        try writing { () throws(FileError) in
            try files.flushAll()
            try digests.flushAll()
        }
        let kept = try writing { () throws(FileError) in try TaskFiles(in: folder, tasks: 1, kind: .kept) }
        for task in 0..<files.count {
            let repeated = try writing { () throws(FileError) in
                let path = digests.path(task)
                let repeated = try RepeatedRows(path: path, count: files.rows(of: task), mostAtOnce: mostAtOnce)
                guard unlink(path) == 0 else { throw .last }
                return repeated.rows
            }
            guard let repeated else {
                try check(task, nil)
                continue
            }
            let before = files.rows(of: task)
            try eachLine(of: files.path(task), rows: before, repeated, leaveOut: leaveOut) {
                (line) throws(DevelopmentError) in
                try check(task, line.count)
                try writing { () throws(FileError) in try kept.add(line, to: 0) }
            }
            try writing { () throws(FileError) in try files.replace(task, with: kept) }
            count += before - files.rows(of: task)
        }
    }

    /// So many rows are looked at together, at most, and so many bytes, about.
    private static let (mostRowsAtOnce, bytesAtOnce) = (512, 1 << 20)

    /// Goes through the lines of a task that stay.
    private func eachLine(
        of path: String, rows: Int, _ repeated: RowSet, leaveOut: (ResourceAddress) -> Void,
        keep: (UnsafeRawBufferPointer) throws(DevelopmentError) -> Void
    ) throws(DevelopmentError) {
        func reading<Result>(_ body: () throws(CatalogError) -> Result) throws(DevelopmentError) -> Result {
            do throws(CatalogError) { return try body() } catch {
                throw .planUnwritable(path: path, reason: "it cannot be read back: \(error)")
            }
        }
        let reader = try reading { () throws(CatalogError) in try CompressedLines(path: path) }
        var row = 0
        var rowsAtOnce = 1
        while row < rows {
            let bytes = try reading { () throws(CatalogError) in try reader.lines(min(rowsAtOnce, rows - row)) }
            let lines = bytes.split(separator: 0x0A)
            rowsAtOnce = max(1, min(Self.mostRowsAtOnce, Self.bytesAtOnce * lines.count / max(1, bytes.count)))
            guard !lines.isEmpty else { throw .planUnwritable(path: path, reason: FileError.cutShort.reason) }
            // Without a valid address a row is no other's repetition: each of them fails with its own place.
            let again = lines.indices.filter { repeated.contains(row + $0) }
            var candidates: [UInt8] = []
            for line in again {
                candidates.append(contentsOf: lines[line])
                candidates.append(0x0A)
            }
            let catalog =
                again.isEmpty ? nil : try reading { () throws(CatalogError) in try TaskRows.catalog(candidates) }
            var next = 0
            for (number, line) in lines.enumerated() {
                if next < again.count, again[next] == number {
                    defer { next += 1 }
                    if case .success(let address)? = catalog?[next].content {
                        leaveOut(address)
                        continue
                    }
                }
                // With its line feed.
                let end = line.endIndex + 1
                try bytes[line.startIndex..<end].withUnsafeBufferPointer { (line) throws(DevelopmentError) in
                    try keep(UnsafeRawBufferPointer(line))
                }
            }
            row += lines.count
        }
    }
}
