import Glibc
import OperationsCore

import struct FoundationEssentials.Data

/// Bodies that were cut off, kept on disk so that a later attempt, also of another process, asks for the rest only.
///
/// Give it to ``TransferClient/Configuration/partialDownloads``. Kept is what a cancel or a fault left of a body that
/// has a strong validator and was not compressed: from 64 kB on when it was still in memory, and always when it was
/// being written to disk, also when the process was killed. Bodies of addresses with
/// user and password, or with a parameter that looks like a signature or a token, are never kept, because the file says
/// which address it is of; nor are those that were asked for with headers of one's own (``DownloadRequest/headers``). What is older than ``maxAge`` is removed.
///
/// Each body is one file: a head with the address and the validator, written before the file gets its name, and behind
/// it the bytes in order, so that whatever moment ends the process, the file is the beginning of the body. The disk has all of it
/// when the transfer has ended; a file whose head a power failure took is removed when it is met. Several
/// processes may share a folder: a file that one of them is working on is locked. Files that are not its own are left
/// alone. The folder is made when it is first needed; it is for its owner only, also where it was there before, because
/// addresses are nobody else's business.
///
/// It may be used from any thread.
public final class PartialDownloads: Sendable {
    /// Where the files are.
    public let folder: String
    /// How many bytes they may have together; the oldest ones go when there is no room.
    public let maxBytes: Int
    /// How long what was cut off is kept after the last byte came.
    public let maxAge: Duration

    /// By file name, how far the bodies that this process is writing may grow.
    private let promised = Lock<[String: Int]>([:])
    /// When the folder was looked through for what is too old, on a clock that nobody sets; nil for never.
    private let sweepTime = Lock(Duration?.none)
    private let clock: WallClock

    /// The least that is worth a file.
    static let smallest = 65_536
    private static let suffix = ".partial"
    private static let step = 4_000_000
    private static let longestHead = 16_384
    /// How often the folder is looked through.
    private static let sweepInterval = Duration.seconds(86_400)

    /// Keeps bodies in a folder of their own.
    /// - Parameters:
    ///   - folder: The folder's path.
    ///   - maxBytes: How many bytes the files may have together, at least 0; 512 MB by default.
    ///   - maxAge: How long what was cut off is kept, at least 0; 7 days by default.
    public convenience init(folder: String, maxBytes: Int = 512_000_000, maxAge: Duration = .seconds(7 * 86_400)) {
        self.init(folder: folder, maxBytes: maxBytes, maxAge: maxAge, clock: .system)
    }

    init(folder: String, maxBytes: Int = 512_000_000, maxAge: Duration = .seconds(7 * 86_400), clock: WallClock) {
        self.clock = clock
        self.folder = folder
        self.maxBytes = max(maxBytes, 0)
        self.maxAge = max(maxAge, .zero)
    }

    /// Removes all that no transfer is working on.
    public func removeAll() {
        for file in files() { remove(file.name) }
    }

    // MARK: For transfers

    /// A file's place in the folder.
    struct Entry: Sendable {
        fileprivate let store: PartialDownloads
        fileprivate let name: String

        /// Whether the file may have so many bytes; others go if need be.
        func mayGrow(to bytes: Int) -> Bool { store.promise(bytes, to: name) }

        /// Nobody here works on the file any more.
        func leave() { store.promised.withLock { $0[name] = nil } }

        /// Removes the file with this descriptor, if it still has this name.
        func remove(_ descriptor: Int32) {
            leave()
            if store.isFile(descriptor, named: name) { unlink(store.path(name)) }
        }
    }

    /// Takes what is kept of an address; nil if nothing is, or somebody else works on it.
    func take(_ address: String) -> PartialBody? {
        sweep()
        let name = Self.name(for: address)
        let descriptor = open(path(name), O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        // Between opening and locking, another process may have finished it.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isFile(descriptor, named: name),
            fstat(descriptor, &status) == 0
        else {
            close(descriptor)
            return nil
        }
        guard let head = readHead(descriptor), head.address == address,
            !isTooOld(status.st_mtim.tv_sec), head.length < Int(status.st_size),
            Int(status.st_size) - head.length < head.total ?? .max
        else {
            // Not what it should be, too old, another address with the same number, or already whole.
            unlink(path(name))
            close(descriptor)
            return nil
        }
        let file = BodyFile(
            descriptor: descriptor, headLength: head.length, count: Int(status.st_size) - head.length,
            entry: Entry(store: self, name: name))
        promised.withLock { $0[name] = Int(status.st_size) }
        return PartialBody(
            address: address, validator: StrongValidator(kept: head.validator), total: head.total,
            body: BodyStore(file: file))
    }

    /// A new file for the body of an address; nil if it cannot be kept.
    func make(_ address: String, validator: StrongValidator, total: Int?) -> BodyFile? {
        sweep()
        let name = Self.name(for: address)
        let head = Head(address: address, validator: validator.value, total: total).bytes
        guard head.count <= Self.longestHead, makeFolder(folder, mode: 0o700), isOwn(), remove(name) else { return nil }
        guard promise(head.count + min(total ?? 0, Self.step), to: name) else { return nil }
        let entry = Entry(store: self, name: name)
        let draft = path(Self.name(.random(in: 0 ... .max)))
        let descriptor = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            entry.leave()
            return nil
        }
        let isReady =
            flock(descriptor, LOCK_EX | LOCK_NB) == 0 && write(descriptor, head, head.count) == head.count
            && rename(draft, path(name)) == 0
        guard isReady else {
            unlink(draft)
            close(descriptor)
            entry.leave()
            return nil
        }
        return BodyFile(descriptor: descriptor, headLength: head.count, entry: entry)
    }

    /// Whether what a transfer left is worth keeping; what is on disk already stays there.
    func wants(_ partial: PartialBody) -> Bool {
        partial.body.file == nil && !partial.isSecret && partial.body.count >= Self.smallest
    }

    /// Keeps what a transfer left, if it is worth it and more than what is kept already of the same body.
    func keep(_ partial: PartialBody) {
        var partial = partial
        guard wants(partial), !hasMore(than: partial),
            let file = make(partial.address, validator: partial.validator, total: partial.total)
        else { return }
        do throws(TransferError) {
            try partial.body.move(to: file)
            try file.sync()
        } catch {
            file.discard()
        }
    }

    /// Whether as much is kept of a body already: another transfer, also of another process, may have come further with it.
    private func hasMore(than partial: PartialBody) -> Bool {
        guard let kept = take(partial.address) else { return false }
        return kept.validator == partial.validator && kept.body.count >= partial.body.count
    }

    // MARK: Age

    private func isTooOld(_ changed: Int) -> Bool { clock.now - changed > Int(clamping: maxAge.components.seconds) }

    /// Removes what is too old, and what an earlier version has kept of secret addresses; once a day, because that reads all
    /// files' heads.
    private func sweep() {
        let now = clock.steady
        let isDue = sweepTime.withLock { last in
            if let last, now - last < Self.sweepInterval { return false }
            last = now
            return true
        }
        guard isDue else { return }
        for file in files() where isTooOld(file.changed) || isSecret(file.name) { remove(file.name) }
    }

    private func isSecret(_ name: String) -> Bool {
        let descriptor = open(path(name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return readHead(descriptor).map { SecretParameters.areIn($0.address) } ?? false
    }

    // MARK: Room

    private func promise(_ bytes: Int, to name: String) -> Bool {
        promised.withLock { promised in
            if bytes <= promised[name, default: 0] { return true }
            let wanted = bytes + Self.step
            var files = files()
            func size(_ file: File) -> Int { max(file.size, promised[file.name, default: 0]) }
            var others = files.filter { $0.name != name }.reduce(0) { $0 + size($1) }
            files = files.filter { $0.name != name && promised[$0.name] == nil }.sorted { $0.changed < $1.changed }
            for file in files where others + bytes > maxBytes {
                if remove(file.name) { others -= size(file) }
            }
            guard others + bytes <= maxBytes else { return false }
            promised[name] = min(wanted, maxBytes - others)
            return true
        }
    }

    private struct File {
        var name: String
        var size: Int
        var changed: Int
    }

    private func files() -> [File] {
        var files: [File] = []
        for name in folderNames(folder) {
            var status = stat()
            guard Self.isName(name), lstat(path(name), &status) == 0, status.st_mode & S_IFMT == S_IFREG
            else {
                continue
            }
            files.append(File(name: name, size: Int(status.st_size), changed: status.st_mtim.tv_sec))
        }
        return files
    }

    /// Removes a file unless somebody works on it; true if it is gone.
    @discardableResult
    private func remove(_ name: String) -> Bool {
        let descriptor = open(path(name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return errno == ENOENT }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isFile(descriptor, named: name) else { return false }
        return unlink(path(name)) == 0
    }

    // MARK: Files

    private func path(_ name: String) -> String { "\(folder)/\(name)" }

    private func isFile(_ descriptor: Int32, named name: String) -> Bool {
        var (open, named) = (stat(), stat())
        return fstat(descriptor, &open) == 0 && lstat(path(name), &named) == 0 && open.st_ino == named.st_ino
            && open.st_dev == named.st_dev
    }

    /// Whether the folder is there and nobody else's, after it was closed to others if need be.
    private func isOwn() -> Bool {
        var status = stat()
        guard access(folder, W_OK) == 0, stat(folder, &status) == 0 else { return false }
        return status.st_mode & 0o77 == 0 || chmod(folder, 0o700) == 0
    }

    /// A name that depends on the address alone. The head says which address it is, so two with one name do no harm.
    private static func name(for address: String) -> String { name(Checksum.of(Data(address.utf8))) }

    private static func name(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits + suffix
    }

    /// Whether a file can be one of these. Earlier versions wrote some with fewer digits, and others with up to twenty.
    private static func isName(_ name: String) -> Bool {
        let digits = name.utf8.dropLast(suffix.utf8.count)
        return name.hasSuffix(suffix) && (12...20).contains(digits.count)
            && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    private struct Head {
        var address: String
        var validator: String
        var total: Int?
        var length = 0

        private static let title = "classicphotos partial body 1"

        var bytes: [UInt8] {
            Array("\(Self.title)\n\(address)\n\(validator)\n\(total.map { "\($0)" } ?? "-")\n".utf8)
        }

        init(address: String, validator: String, total: Int?) {
            (self.address, self.validator, self.total) = (address, validator, total)
        }

        init?(_ bytes: [UInt8]) {
            let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 4, omittingEmptySubsequences: false)
            guard lines.count == 5 else { return nil }
            let texts = lines.prefix(4).map { String(decoding: $0, as: UTF8.self) }
            guard texts[0] == Self.title, texts[3] == "-" || Int(texts[3]) != nil else { return nil }
            self.init(address: texts[1], validator: texts[2], total: Int(texts[3]))
            length = lines[4].startIndex
        }
    }

    private func readHead(_ descriptor: Int32) -> Head? {
        var bytes = [UInt8](repeating: 0, count: Self.longestHead)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? Head(Array(bytes.prefix(count))) : nil
    }
}
