import Glibc

/// The files of a disk cache.
///
/// A database that turned out to be damaged is not mended, and its name is not used again: other processes may have it open, and
/// the last one of them to close it would delete the log of whatever has that name by then. So each database has a
/// number, and the highest one is the one in use.
package struct CacheFolder: Sendable {
    let path: String
    /// What its records are about, in a word.
    let kind: String

    /// The version of the tables; a database with another one is of no use here. Those of version 1 had addresses in clear,
    /// those of version 2 another checksum.
    package static let schema = 3
    private static let suffix = ".sqlite"
    /// Higher numbers nobody has given.
    private static let mostNumber = 1 << 40

    /// Programs of another version keep to files of their own.
    private var prefix: String { "\(kind)-v\(Self.schema)-" }

    /// Makes the folder, for its owner only; false, with `errno` set, if that cannot be.
    func make() -> Bool { makeFolder(path, mode: 0o700) }

    /// The path of the database with a number.
    func database(_ number: Int) -> String {
        "\(path)/\(prefix)\(number)\(Self.suffix)"
    }

    /// The numbers of all databases, the highest last.
    var numbers: [Int] {
        let prefix = prefix
        return folderNames(path).compactMap { name in
            guard name.hasPrefix(prefix), name.hasSuffix(Self.suffix) else { return nil }
            return Int(name.dropFirst(prefix.count).dropLast(Self.suffix.count)).flatMap {
                (1...Self.mostNumber).contains($0) ? $0 : nil
            }
        }.sorted()
    }

    /// Makes the file of a database, if it is not there, so that nobody but its owner ever could read it. SQLite gives its
    /// other files the same mode. A file that is there is not opened: closing it would take away this process's locks.
    func prepare(_ number: Int) {
        let descriptor = open(database(number), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Deletes a database that nobody is to use any more. Processes that have it open keep it until they notice.
    func delete(_ number: Int) {
        for ending in ["", "-wal", "-shm"] { unlink(database(number) + ending) }
    }

    /// Deletes all databases, and has the next one begun in their place: whoever has one of them open begins anew, too.
    ///
    /// - Returns: The `errno` of a file that could not be deleted; nil if all are gone.
    func clear() -> Int32? {
        let numbers = numbers
        guard let last = numbers.last else { return nil }
        prepare(last + 1)
        var failure: Int32?
        for number in numbers {
            // The log goes only after what it belongs to.
            for ending in ["", "-wal", "-shm"] where unlink(database(number) + ending) != 0 && errno != ENOENT {
                failure = errno
                break
            }
        }
        return failure
    }

    /// Whether all that lies under the names of a database is files: whoever has put something else there, a link to a letter,
    /// say, shall not have it written to.
    func isUsable(_ number: Int) -> Bool {
        ["", "-wal", "-shm"].allSatisfy { ending in
            var status = stat()
            guard lstat(database(number) + ending, &status) == 0 else { return errno == ENOENT }
            return status.st_mode & S_IFMT == S_IFREG
        }
    }

    /// What tells one file from another that has its name later; nil if there is none.
    func identity(_ number: Int) -> UInt64? {
        var status = stat()
        return stat(database(number), &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// The bytes that the database in use takes once its log is copied into it, at most; 0 if there is none.
    var mostDatabaseBytes: Int {
        var status = stat()
        guard let number = numbers.last, stat(database(number), &status) == 0 else { return 0 }
        return Int(status.st_size) + logBytes(number)
    }

    /// The bytes that the database in use takes once its log is copied into it, also where another process writes to it now;
    /// nil if there is none, or it cannot be read.
    var databaseBytes: Int? {
        guard let number = numbers.last, isUsable(number) else { return nil }
        let connection = try? SQLiteConnection(path: database(number), creates: false)
        let pages = try? connection?.number("PRAGMA page_count")
        return pages.map { $0 * CacheLimits.pageSize }
    }

    /// The bytes of a database's log.
    func logBytes(_ number: Int) -> Int {
        var status = stat()
        return stat(database(number) + "-wal", &status) == 0 ? Int(status.st_size) : 0
    }
}
