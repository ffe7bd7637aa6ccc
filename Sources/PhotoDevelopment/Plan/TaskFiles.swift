import CZstd
import Glibc

/// Writes rows into the files of many tasks, of which none stays open; for one thread.
///
/// Rows are collected for each task and appended, compressed, when there is enough of them. Until all are there the files have names that no
/// other program writes to: where locks do not say so, another one may be making a plan in the same folder.
final class TaskFiles {
    /// What is written.
    enum Kind {
        /// The rows of a plan.
        case rows
        /// What stands beside them while it is made, and cannot be made smaller.
        case digests
        /// The rows of one task that stay.
        case kept

        fileprivate var ending: String {
            switch self {
            case .rows: ".part"
            case .digests: ".addresses.part"
            case .kept: ".kept.part"
            }
        }

        /// How much memory the rooms of all tasks have, and the least that each has.
        fileprivate var memory: (all: Int, least: Int) {
            switch self {
            case .rows: (64 << 20, 4 << 10)
            case .digests: (16 << 20, 1 << 10)
            case .kept: (256 << 10, 256 << 10)
            }
        }
    }

    /// Level 3 would take a fifth more time, and save a fortieth of the bytes.
    private static let level: Int32 = 2
    /// From so many bytes on, rooms are in large pages.
    private static let many = 1 << 20

    private let folder: String
    private let kind: Kind
    /// What is in the names of these files alone.
    private let word = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    /// A room for each task, one behind the other; nil when they are not needed any more.
    private var memory: LargeMemory?
    private var rooms: UnsafeMutableRawBufferPointer
    private let roomSize: Int
    /// How much of its room each task has filled, how many rows it has, and whether its file is there.
    private let tasks: UnsafeMutableBufferPointer<(filled: Int, rows: Int, isMade: Bool)>
    private var packed: [UInt8] = []
    private let context: OpaquePointer

    /// How many bytes have come; no longer counted when rooms are in large pages.
    private var byteCount = 0

    /// - Parameters:
    ///   - folder: An empty folder that is there.
    ///   - count: How many tasks there are.
    ///   - kind: What is written.
    init(in folder: String, tasks count: Int, kind: Kind = .rows) throws(FileError) {
        guard let context = ZSTD_createCCtx() else { throw FileError(code: ENOMEM) }
        self.context = context
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Self.level)
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
        (self.folder, self.kind) = (folder, kind)
        roomSize = min(max(kind.memory.all / count, kind.memory.least), 256 << 10)
        let memory = LargeMemory(byteCount: roomSize * count, isMuchUsed: false)
        (self.memory, rooms) = (memory, memory.bytes)
        tasks = .allocate(capacity: count)
        tasks.initialize(repeating: (0, 0, false))
    }

    /// Removes files that have not got their names.
    deinit {
        ZSTD_freeCCtx(context)
        for task in tasks.indices where tasks[task].isMade { unlink(path(task)) }
        tasks.deallocate()
    }

    /// How many tasks there are.
    var count: Int { tasks.count }

    /// How many rows a task has.
    func rows(of task: Int) -> Int { tasks[task].rows }

    /// Adds a row to a task.
    func add(_ line: UnsafeRawBufferPointer, to task: Int) throws(FileError) {
        tasks[task].rows += 1
        if tasks[task].filled > 0, tasks[task].filled + line.count > roomSize { try flush(task) }
        guard line.count <= roomSize else { return try write(line, to: task) }
        if byteCount < Self.many {
            byteCount += line.count
            if byteCount >= Self.many { takeLargePages() }
        }
        let start = task * roomSize + tasks[task].filled
        UnsafeMutableRawBufferPointer(rebasing: rooms[start...]).copyMemory(from: line)
        tasks[task].filled += line.count
    }

    /// Moves the rooms. A plan of a few rows would take a large page for each task that has any.
    private func takeLargePages() {
        let larger = LargeMemory(byteCount: rooms.count, isMuchUsed: true)
        for task in tasks.indices {
            let filled = task * roomSize..<task * roomSize + tasks[task].filled
            UnsafeMutableRawBufferPointer(rebasing: larger.bytes[filled])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: rooms[filled]))
        }
        (memory, rooms) = (larger, larger.bytes)
    }

    private func flush(_ task: Int) throws(FileError) {
        let start = task * roomSize
        try write(UnsafeRawBufferPointer(rebasing: rooms[start..<start + tasks[task].filled]), to: task)
        tasks[task].filled = 0
    }

    /// Appends bytes to the file of a task, as a frame of their own.
    private func write(_ bytes: UnsafeRawBufferPointer, to task: Int) throws(FileError) {
        guard kind != .digests else {
            return try appending(to: task) { (file) throws(FileError) in try FileError.writeAll(bytes, to: file) }
        }
        let bound = ZSTD_compressBound(bytes.count)
        if packed.count < bound { packed = Array(repeating: 0, count: bound) }
        let size = ZSTD_compress2(context, &packed, packed.count, bytes.baseAddress, bytes.count)
        guard ZSTD_isError(size) == 0 else { throw FileError(code: ENOMEM) }
        try appending(to: task) { (file) throws(FileError) in try FileError.writeAll(packed[..<size], to: file) }
    }

    private func appending(to task: Int, _ body: (Int32) throws(FileError) -> Void) throws(FileError) {
        // A file that somebody has removed is not made again: what was in it would be missing.
        let making = tasks[task].isMade ? 0 : O_CREAT | O_EXCL
        let descriptor = open(path(task), O_WRONLY | O_APPEND | O_CLOEXEC | making, 0o666)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        tasks[task].isMade = true
        try body(descriptor)
    }

    /// The file of a task before ``finish(_:)``.
    func path(_ task: Int) -> String { "\(folder)/\(task).\(word)\(kind.ending)" }

    /// Writes what is left; nothing can be added then.
    func flushAll() throws(FileError) {
        guard memory != nil else { return }
        for task in tasks.indices where tasks[task].filled > 0 || tasks[task].rows == 0 { try flush(task) }
        // What comes next needs memory, too.
        memory = nil
        rooms = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }

    /// Gives a task the rows of the only task of other files, which has none then.
    func replace(_ task: Int, with other: TaskFiles) throws(FileError) {
        try other.flush(0)
        guard rename(other.path(0), path(task)) == 0 else { throw .last }
        tasks[task].rows = other.rows(of: 0)
        (other.tasks[0].rows, other.tasks[0].isMade) = (0, false)
    }

    /// Writes what is left, and gives the files their names: the task with the most rows is the first one.
    ///
    /// - Returns: The tasks as they were numbered before, in their new order, and how many rows each has.
    /// - Throws: `EEXIST` where another file has such a name; then none of these has one.
    func finish(_ name: (_ task: Int) -> String) throws(FileError) -> (order: [Int], rows: [Int]) {
        try flushAll()
        let order = tasks.indices.sorted { (tasks[$1].rows, $0) < (tasks[$0].rows, $1) }
        var sync = FileSync()
        for (number, task) in order.enumerated() {
            do throws(FileError) { try give(name(number), to: task) } catch {
                for taken in 0..<number { unlink(name(taken)) }
                throw error
            }
            sync.add(path: name(number))
        }
        try sync.wait()
        return (order, order.map { tasks[$0].rows })
    }

    /// Gives the file of a task its name, unless another file has it.
    private func give(_ name: String, to task: Int) throws(FileError) {
        if link(path(task), name) != 0 {
            let error = FileError.last
            // It has the name where the answer of a server was lost.
            guard error.code == EEXIST, FileIdentity.isSame(path(task), name) else { throw error }
        }
        unlink(path(task))
        tasks[task].isMade = false
    }
}
