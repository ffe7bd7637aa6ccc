/// How the file follows a limit that is lower than the one that it was filled under.
extension CacheStore {
    /// How far the file has followed its limit.
    enum Fit {
        /// It is within it.
        case fits
        /// It is smaller than before, and still too large; nothing is stored meanwhile.
        case isTooLarge
        /// Others are in the way for the moment.
        case isInUse
        /// It was made by an earlier version, and cannot be made smaller.
        case cannotShrink
    }

    /// Whether the file is larger than its limit, because that was lowered or another program has a higher one.
    var isTooLarge: Bool {
        get throws(SQLiteError) { try pageCount > limits.databasePages }
    }

    /// Whether the file can be made smaller bit by bit; those of earlier versions cannot.
    var canShrink: Bool {
        get throws(SQLiteError) { try connection.number("PRAGMA auto_vacuum") == 2 }
    }

    /// Has another limit hold.
    func take(_ limits: CacheLimits) throws(SQLiteError) {
        guard limits != self.limits else { return }
        self.limits = limits
        if !isReadOnly { try boundLog() }
    }

    /// Makes the file smaller by a bit, if it is larger than its limit: what was not used for longest goes. Other work of the
    /// same thread can come in between.
    func fit() throws(SQLiteError) -> Fit {
        if isReadOnly { return .fits }
        guard try isTooLarge else { return .fits }
        guard try canShrink else { return .cannotShrink }
        for _ in 0..<16 {
            let isDone = try write(logBytes: limits.logBytes / 2) { () throws(SQLiteError) in
                let excess = try usedPages - limits.databasePages
                if excess > 0 { return try evictSome(pages: excess) }
                // Each page that is moved changes the one that leads to it, and the one that says so.
                try connection.run("PRAGMA incremental_vacuum(\(limits.logBytes / 8 / CacheLimits.pageSize))")
                return true
            }
            guard isDone else { return .isInUse }
            guard try isTooLarge else {
                // Only now the file has its new length.
                _ = connection.emptyLog()
                return .fits
            }
        }
        return .isTooLarge
    }
}
