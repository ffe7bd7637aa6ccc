import OperationsCore

import struct FoundationEssentials.Data

/// The body of a transfer's current hop as it comes: in memory, from a certain size on on disk, and shown to those who want to
/// see it.
///
/// Belongs to its transfer, and with it to the event thread.
struct ReceivedBody {
    /// Lets the transfer go on, from the disk's queue; the loop sets it when it takes the transfer over.
    var wake: @Sendable () -> Void = {}
    /// Brings what the disk has to an observer, on the event thread; the loop's, too.
    var bring: @Sendable (Data, any BodyObserver) -> Void = { _, _ in }

    private let storage: TransferStorage
    private let maxBytesInMemory: Int
    private var memory = BodyStore()
    /// The body where it is on disk.
    private var disk: DiskBody?
    /// Who sees the body while it comes.
    private var observers: [any BodyObserver] = []
    /// How many observers wait to be shown what the disk has; the transfer stands meanwhile.
    private var awaitedSnapshots = 0

    /// The most that is reserved on a server's word alone.
    private static let largestReservation = 1 << 20

    init(storage: TransferStorage, maxBytesInMemory: Int) {
        self.storage = storage
        self.maxBytesInMemory = maxBytesInMemory
    }

    /// Bytes so far.
    var count: Int { disk?.count ?? memory.count }

    /// Whether what comes has to wait, for the disk or for somebody who is to see what came before.
    var mustWait: Bool { awaitedSnapshots > 0 || disk?.isFull() == true }

    /// Forgets whom it reached on the event thread, who keep each other otherwise.
    mutating func disconnect() {
        wake = {}
        bring = { _, _ in }
    }

    // MARK: Bytes

    /// Adds bytes at the end.
    /// - Parameters:
    ///   - expected: How long the body is going to be, if that is known.
    ///   - identity: Under what it can be found again if it goes to disk; nil if it is not to be.
    mutating func append(
        _ piece: UnsafeRawBufferPointer, expected: Int?,
        identity: () -> (address: String, validator: StrongValidator)?
    ) throws(TransferError) {
        if disk == nil {
            let needed = max(expected ?? 0, memory.count + piece.count)
            if needed > maxBytesInMemory {
                try moveToDisk(expected: expected, identity())
            } else {
                memory.reserve(min(needed, Self.largestReservation))
            }
        }
        let offset = count
        if let disk { try disk.append(Data(piece)) } else { try memory.append(piece) }
        for observer in observers { observer.bodyContinued(piece, at: offset, expected: expected) }
    }

    /// Goes on in a file: one that can be found again, if there is a use for it.
    private mutating func moveToDisk(
        expected: Int?, _ identity: (address: String, validator: StrongValidator)?
    ) throws(TransferError) {
        let (partials, folder) = (storage.partials, storage.temporaryFolder)
        let disk = DiskBody(
            on: storage.queue,
            making: { () throws(TransferError) in
                if let partials, let identity,
                    let file = partials.make(identity.address, validator: identity.validator, total: expected)
                {
                    return file
                }
                return try BodyFile(temporaryIn: folder)
            }, whenDrained: wake)
        try disk.append(memory.take())
        self.disk = disk
    }

    /// Goes on with what was there before.
    mutating func takeUp(_ body: BodyStore) {
        if let file = body.file {
            disk = DiskBody(file, on: storage.queue, whenDrained: wake)
        } else {
            memory = body
        }
    }

    /// Forgets the bytes, also where they are on disk.
    mutating func discard() {
        disk?.discard()
        disk = nil
        memory = BodyStore()
    }

    /// The bytes in memory, taken out of this body.
    mutating func takeMemory() -> BodyStore {
        defer { memory = BodyStore() }
        return memory
    }

    /// The body on disk, if it is there, taken out of this one.
    mutating func takeDisk() -> DiskBody? { disk.take() }

    // MARK: Observers

    /// Has one more see the bytes that come.
    mutating func add(_ observer: any BodyObserver) {
        if !observers.contains(where: { $0 === observer }) { observers.append(observer) }
    }

    /// Shows all observers the bytes so far.
    mutating func showBeginning(expected: Int?) {
        for observer in observers { showBeginning(to: observer, expected: expected) }
    }

    /// Shows an observer the bytes so far: without the beginning nobody can make anything of the rest, which its offset tells.
    mutating func showBeginning(to observer: any BodyObserver, expected: Int?) {
        guard let disk else {
            observer.bodyBegan(with: (try? memory.snapshot()) ?? Data(), expected: expected)
            return
        }
        awaitedSnapshots += 1
        disk.snapshot { [bring] bytes in bring(bytes, observer) }
    }

    /// What the disk had for an observer is there. Says whether the transfer may go on.
    mutating func snapshotArrived() -> Bool {
        awaitedSnapshots -= 1
        return awaitedSnapshots == 0
    }
}
