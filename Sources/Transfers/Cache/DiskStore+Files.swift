import Glibc
import OperationsCore

import struct FoundationEssentials.Data

/// What is done on the queue of a store, where one operation at a time has its files.
extension DiskStore {
    /// What only the queue's one operation at a time touches, which makes `@unchecked Sendable` true.
    final class Files: @unchecked Sendable {
        var store: CacheStore<Record>?
        /// What the files may take, once all that was given to the queue before is done.
        var limits: CacheLimits
        /// Whether they are larger than that because it was lowered, or is lower than that of others.
        var areTooLarge = false
        var pauses = CachePauses()
        var unwritten = UnwrittenChanges<Record>()

        init(_ limits: CacheLimits) { self.limits = limits }
    }

    /// What is known of a body; nil if there is none.
    func record(for key: String) -> Record? {
        switch files.unwritten.change(of: key) {
        case .removed: nil
        case .updated(let record): record
        case nil: perform { store throws(SQLiteError) in try store.record(for: key) } ?? nil
        }
    }

    /// Whether there is something under a key; nil where nobody can look now.
    func has(_ key: String) -> Bool? {
        perform { store throws(SQLiteError) in try store.record(for: key) != nil }
    }

    /// The body of a record; nil if it is not there any more. One that was changed on disk goes.
    func body(of record: Record, for key: String) -> Data? {
        if case .removed = files.unwritten.change(of: key) { return nil }
        let now = clock.now
        let found = perform { store throws(SQLiteError) in try store.body(of: record, for: key, now: now) }
        // Whoever could not look does not know what is there.
        guard let body = found else { return nil }
        if body != nil {
            state.withLock { $0.statistics.bodiesRead += 1 }
        } else if files.unwritten.change(of: key) == nil, self.record(for: key) == record {
            state.withLock { $0.statistics.damagedBodies += 1 }
            perform(writing: true) { store throws(SQLiteError) in try store.remove(key) }
        }
        // Apart from the reading, which it is not to hold up where others write.
        if files.store?.hasManyUses == true {
            perform(writing: true) { store throws(SQLiteError) in try store.flushUses(now: now) }
        }
        return body
    }

    /// Does something with the database; nil if it cannot be done.
    @discardableResult
    func perform<Result>(
        writing: Bool = false, _ work: (CacheStore<Record>) throws(SQLiteError) -> Result
    ) -> Result? {
        if writing {
            guard files.pauses.mayWrite(at: clock.steady) else { return nil }
            // Somebody deleted the file, or found it to be damaged.
            if files.store?.isCurrent == false { files.store = nil }
            // It was opened when it could only be read, which may have passed.
            if files.store?.isReadOnly == true { files.store = nil }
        }
        for _ in 0..<2 {
            guard let store = openStore() else { return nil }
            guard !(writing && store.isReadOnly) else { return nil }
            do throws(SQLiteError) {
                store.setPatience(milliseconds: files.pauses.patience)
                guard writing else { return try work(store) }
                try makeUp(in: store)
                let result = try work(store)
                files.pauses.othersHaveEnded()
                set(.ready)
                return result
            } catch {
                // Once more after damage, with a new database.
                guard recover(from: error) else { return nil }
            }
        }
        return nil
    }

    /// Writes what could not be written before.
    private func makeUp(in store: CacheStore<Record>) throws(SQLiteError) {
        let changes = files.unwritten
        guard !changes.isEmpty else { return }
        if changes.isOverfull {
            try store.removeAll()
        } else {
            for (key, withVariants) in changes.removed { try store.remove(key, withVariants: withVariants) }
            for (key, record) in changes.updated { try store.update(record, for: key, now: clock.now) }
        }
        files.unwritten = UnwrittenChanges()
    }

    /// Makes the files smaller by a bit, where the limit was lowered; says whether there is more to do at once.
    func fit() -> Bool {
        guard files.areTooLarge, files.store != nil else {
            files.areTooLarge = false
            return false
        }
        let fit = perform(writing: true) { store throws(SQLiteError) in
            try store.take(files.limits)
            return try store.fit()
        }
        switch fit {
        case .isTooLarge: return true
        case .fits: files.areTooLarge = false
        case .cannotShrink:
            files.store = nil
            _ = folder.clear()
            files.areTooLarge = false
        // Once more when the next body is stored.
        case .isInUse, nil: break
        }
        return false
    }

    func openStore() -> CacheStore<Record>? {
        if let store = files.store { return store }
        guard files.pauses.mayOpen(at: clock.steady) else { return nil }
        guard folder.make() else {
            stepBack(.unavailable("\(folder.path): \(String(cString: strerror(errno)))"))
            return nil
        }
        // Twice: a damaged one is replaced at once.
        for _ in 0..<2 {
            let numbers = folder.numbers
            let number = numbers.last ?? 1
            for old in numbers.dropLast() { folder.delete(old) }
            do throws(SQLiteError) {
                let store = try CacheStore<Record>(
                    folder, number: number, limits: files.limits, patience: files.pauses.patience)
                files.store = store
                files.pauses.othersHaveEnded()
                try shrinkIfTooLarge(store)
                if store.isReadOnly { stepBack(.readOnly("\(folder.path) can only be read")) } else { set(.ready) }
                return store
            } catch {
                guard error.isDamage else {
                    stepBackUnopened(error)
                    return nil
                }
                abandon(number, for: error)
            }
        }
        return nil
    }

    /// Has files follow a limit that is lower than the one that they were filled under.
    func shrinkIfTooLarge(_ store: CacheStore<Record>) throws(SQLiteError) {
        guard !files.areTooLarge, !store.isReadOnly else { return }
        guard try store.isTooLarge else { return }
        files.areTooLarge = true
        _ = enqueue(.low) { [self] in fitBitByBit {} }
    }

    /// Without its tables nothing can be read either, even where only the room for them is missing.
    private func stepBackUnopened(_ error: SQLiteError) {
        if error.isBusy {
            // Another process may be making it just now: then the next request finds it.
            files.pauses.othersOpen(at: clock.steady)
            if files.pauses.isLong { set(.unavailable("\(folder.path): \(error.text)")) }
        } else {
            let isFull = error.primaryCode == SQLiteError.full
            files.pauses.cannotOpen(at: clock.steady)
            set(isFull ? .diskFull : .unavailable("\(folder.path): \(error.text)"))
        }
    }

    /// Takes a failure to heart; says whether to try again.
    private func recover(from error: SQLiteError) -> Bool {
        if error.isBusy {
            files.pauses.othersWrite(at: clock.steady)
            if files.pauses.isLong { set(.readOnly(error.text)) }
            return false
        }
        if error.isDamage {
            let number = files.store?.number
            files.store = nil
            if let number { abandon(number, for: error) }
            return true
        }
        switch error.primaryCode {
        case SQLiteError.full: stepBack(.diskFull)
        case SQLiteError.readOnly: stepBack(.readOnly(error.text))
        default:
            // The file may have gone from under it.
            files.store = nil
            stepBack(.unavailable("\(folder.path): \(error.text)"))
        }
        return false
    }

    /// Has the next database begun, in place of a damaged one, unless another process has done so.
    private func abandon(_ number: Int, for error: SQLiteError) {
        folder.prepare(number + 1)
        folder.delete(number)
        state.withLock { state in
            state.statistics.damagedDatabases += 1
            state.statistics.lastDamage = "\(error)"
        }
    }

    private func stepBack(_ condition: DiskCache.Condition) {
        switch condition {
        case .ready: break
        case .readOnly, .diskFull: files.pauses.cannotWrite(at: clock.steady)
        case .unavailable: files.pauses.cannotOpen(at: clock.steady)
        }
        set(condition)
    }

    private func set(_ condition: DiskCache.Condition) {
        let isNew = state.withLock { state in
            defer { state.condition = condition }
            return state.condition != condition
        }
        if isNew { onCondition(condition) }
    }
}
