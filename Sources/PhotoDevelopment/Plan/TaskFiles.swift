import CZstd
import Glibc

/// Writes rows into the files of many tasks, of which none stays open; for one thread.
///
/// Rows are collected for each task and appended, compressed, when there is enough of them.
final class TaskFiles {
    private static let level: Int32 = 3
    private static let memory = 64 << 20

    private let folder: String
    /// A room for each task, one behind the other; pages that are never written take no memory.
    private let rooms: UnsafeMutableRawBufferPointer
    private let roomSize: Int
    /// How much of its room each task has filled.
    private var filled: [Int]
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
        roomSize = min(max(Self.memory / tasks, 4 << 10), 256 << 10)
        rooms = .allocate(byteCount: roomSize * tasks, alignment: 16)
        filled = Array(repeating: 0, count: tasks)
        rows = filled
    }

    deinit {
        ZSTD_freeCCtx(context)
        rooms.deallocate()
    }

    /// Adds a row to a task.
    func add(_ line: [UInt8], to task: Int) throws(FileError) {
        rows[task] += 1
        if filled[task] > 0, filled[task] + line.count > roomSize { try flush(task) }
        guard line.count <= roomSize else { return try write(line.span.bytes, to: task) }
        let start = task * roomSize + filled[task]
        line.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: rooms[start...]).copyMemory(from: $0) }
        filled[task] += line.count
    }

    private func flush(_ task: Int) throws(FileError) {
        let start = task * roomSize
        try write(UnsafeRawBufferPointer(rebasing: rooms[start..<start + filled[task]]).bytes, to: task)
        filled[task] = 0
    }

    /// Appends bytes to the file of a task, as a frame of their own.
    private func write(_ bytes: RawSpan, to task: Int) throws(FileError) {
        let bound = ZSTD_compressBound(bytes.byteCount)
        if packed.count < bound { packed = Array(repeating: 0, count: bound) }
        let size = bytes.withUnsafeBytes {
            ZSTD_compress2(context, &packed, packed.count, $0.baseAddress, $0.count)
        }
        guard ZSTD_isError(size) == 0 else { throw FileError(code: ENOMEM) }
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
        for task in rows.indices where filled[task] > 0 || rows[task] == 0 { try flush(task) }
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
