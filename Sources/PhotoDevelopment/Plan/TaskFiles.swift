import CZstd
import Glibc

/// Writes rows into the files of many tasks, of which none stays open; for one thread.
///
/// Rows are collected for each task and appended, compressed, when there is enough of them.
final class TaskFiles {
    private static let level: Int32 = 3
    private static let memory = 64 << 20

    private let folder: String
    private let bufferSize: Int
    private var buffers: [[UInt8]]
    private var packed: [UInt8] = []
    private let context: OpaquePointer
    /// How many rows each task has.
    private(set) var rows: [Int]

    /// - Parameters:
    ///   - folder: An empty folder that is there.
    ///   - tasks: How many tasks there are.
    init(in folder: String, tasks: Int) throws(FileError) {
        guard let context = ZSTD_createCCtx() else { throw FileError(code: ENOMEM) }
        self.context = context
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Self.level)
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
        self.folder = folder
        bufferSize = min(max(Self.memory / tasks, 8 << 10), 256 << 10)
        buffers = Array(repeating: [], count: tasks)
        rows = Array(repeating: 0, count: tasks)
    }

    deinit { ZSTD_freeCCtx(context) }

    /// Adds a row to a task.
    func add(_ line: [UInt8], to task: Int) throws(FileError) {
        if buffers[task].count + line.count > bufferSize, !buffers[task].isEmpty { try flush(task) }
        // Arrays that grow by themselves take up to twice the room.
        if buffers[task].capacity == 0 { buffers[task].reserveCapacity(bufferSize) }
        buffers[task].append(contentsOf: line)
        rows[task] += 1
    }

    private func flush(_ task: Int) throws(FileError) {
        let count = buffers[task].count
        let bound = ZSTD_compressBound(count)
        if packed.count < bound { packed = Array(repeating: 0, count: bound) }
        let size = ZSTD_compress2(context, &packed, packed.count, buffers[task], count)
        guard ZSTD_isError(size) == 0 else { throw FileError(code: ENOMEM) }
        buffers[task].removeAll(keepingCapacity: true)
        let descriptor = open(path(task), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        try FileError.writeAll(packed[..<size], to: descriptor)
    }

    private func path(_ task: Int) -> String { "\(folder)/\(task).part" }

    /// Writes what is left, and gives the files their names: the task with the most rows is the first one.
    ///
    /// - Returns: The tasks as they were numbered before, in their new order.
    func finish(_ name: (_ task: Int) -> String) throws(FileError) -> [Int] {
        for task in buffers.indices where !buffers[task].isEmpty || rows[task] == 0 { try flush(task) }
        let order = rows.indices.sorted { (rows[$1], $0) < (rows[$0], $1) }
        var sync = FileSync()
        for (number, task) in order.enumerated() {
            guard rename(path(task), name(number)) == 0 else { throw .last }
            sync.add(path: name(number))
        }
        try sync.wait()
        return order
    }
}
