/// Reads a catalog from a tree: property lists and JSON alike.
///
/// The shapes are: a dictionary of name to address; an array of addresses and of dictionaries with `url` and, if
/// wanted, `name`, or what ``CatalogKeys`` says instead; and, as services answer, a dictionary whose only member is such an array. Keys of entries are
/// compared without regard to case, others than the two are left alone.
struct TreeReader<Tokenizer: TreeTokenizer> {
    private var tokenizer: Tokenizer
    private let builder: CatalogBuilder

    init(_ tokenizer: Tokenizer, builder: CatalogBuilder) {
        self.tokenizer = tokenizer
        self.builder = builder
    }

    /// Reads the whole source.
    mutating func read(origin: Catalog.Origin) throws(CatalogError) -> Catalog {
        let shape: CatalogStorage.Shape
        do throws(SourceDamage) {
            switch try tokenizer.next() {
            case .dictionaryStart: shape = try readRoot()
            case .arrayStart:
                try readArray()
                shape = .array(path: "$")
            default: throw SourceDamage(offset: tokenizer.tokenStart, reason: "its root is no dictionary or array")
            }
            guard case .end = try tokenizer.next() else {
                throw SourceDamage(offset: tokenizer.tokenStart, reason: "more follows after the end")
            }
        } catch {
            throw builder.error(error, format: Tokenizer.format)
        }
        return try builder.finish(origin: origin, format: Tokenizer.format, shape: shape)
    }

    /// The next token, or the damage of a value that was skipped. Throws damage behind which nothing can be told.
    private mutating func next(
        at mark: Tokenizer.Mark
    ) throws(SourceDamage) -> Result<TreeToken, SourceDamage> {
        do throws(SourceDamage) {
            return .success(try tokenizer.next())
        } catch {
            guard tokenizer.skipValue(at: mark, after: error) else { throw error }
            return .failure(error)
        }
    }

    // MARK: - A dictionary of name to address

    private struct Key {
        var text: TreeText
        var start: Int
    }

    private mutating func readRoot() throws(SourceDamage) -> CatalogStorage.Shape {
        var members = 0
        // The only member may turn out to be a wrapped array: its rows come after the row that it is otherwise.
        var wrapped: ArenaRange?
        // Damage between the rows of the only member is the catalog's.
        var damage: SourceDamage?
        var key: Key?
        while true {
            let mark = tokenizer.mark
            let token: TreeToken
            switch try next(at: mark) {
            case .success(let found): token = found
            case .failure(let skipped):
                if let found = key {
                    try addMember(found, flaw: flaw(of: skipped), at: skipped.offset)
                } else {
                    addFlawed(flaw(of: skipped), start: tokenizer.tokenStart, at: skipped.offset)
                    if wrapped == nil { members += 1 }
                }
                key = nil
                continue
            }
            if case .dictionaryEnd = token { break }
            if case .flaw(let kind) = token {
                if let found = key {
                    try addMember(found, flaw: kind, at: tokenizer.tokenStart)
                } else {
                    addFlawed(kind, start: tokenizer.tokenStart)
                    if wrapped == nil { members += 1 }
                }
                key = nil
                continue
            }
            // It is one member of several, and costs no more.
            damage = nil
            if wrapped != nil {
                builder.removeRows(from: 1)
                wrapped = nil
            }
            if case .key(let text) = token {
                if let key { try addMember(key, flaw: .missingValue, at: key.start) }
                key = Key(text: text, start: tokenizer.tokenStart)
                members += 1
                continue
            }
            let isOnly = members == 1
            switch (token, key) {
            case (.arrayStart, let found?) where isOnly:
                let name = try addMember(found, flaw: .addressHasWrongType, kind: .array, at: tokenizer.tokenStart)
                do throws(SourceDamage) {
                    try readArray()
                    wrapped = name
                } catch {
                    builder.removeRows(from: 1)
                    guard tokenizer.skipValue(at: mark, after: error) else { throw error }
                    damage = error
                }
            case (.text(let address), let found?):
                try addMember(found, address: address)
            case (_, let found):
                try addStray(token, key: found, mark)
                if found == nil { members += 1 }
            }
            key = nil
        }
        if let damage { throw damage }
        if let key { try addMember(key, flaw: .missingValue, at: key.start) }
        guard let wrapped else { return .dictionary }
        builder.removeFirstRow()
        return .array(path: KeyPath.appending(key: builder.arena.string(wrapped), to: "$"))
    }

    private mutating func addMember(_ key: Key, address: TreeText) throws(SourceDamage) {
        let name = try tokenizer.store(key.text, in: builder.arena)
        let stored = try tokenizer.store(address, in: builder.arena)
        var flaw: FoundFlaw?
        if let kind = key.text.flaw {
            flaw = FoundFlaw(kind: kind, field: .name, offset: key.start)
        } else if let kind = address.flaw {
            flaw = FoundFlaw(kind: kind, field: .address, offset: address.start)
        }
        builder.add(
            name: name, address: stored, start: key.start, flaw: flaw, nameOffset: key.start,
            addressOffset: address.start)
    }

    @discardableResult
    private mutating func addMember(
        _ key: Key, flaw: EntryFlaw.Kind, kind: TreeValueKind? = nil, at offset: Int
    ) throws(SourceDamage) -> ArenaRange {
        let name = try tokenizer.store(key.text, in: builder.arena)
        builder.add(
            name: name, address: nil, start: key.start,
            flaw: FoundFlaw(kind: flaw, field: .address, detail: UInt32(kind?.rawValue ?? .max), offset: offset),
            nameOffset: key.start, addressOffset: offset)
        return name
    }

    /// A member that is not a key with a text: one row that says so.
    private mutating func addStray(
        _ token: TreeToken, key: Key?, _ mark: Tokenizer.Mark
    ) throws(SourceDamage) {
        let start = tokenizer.tokenStart
        if let key {
            try addMember(key, flaw: .addressHasWrongType, kind: kind(of: token), at: start)
        } else {
            var address: ArenaRange?
            if case .text(let text) = token { address = try tokenizer.store(text, in: builder.arena) }
            builder.add(
                name: nil, address: address, start: start, flaw: FoundFlaw(kind: .missingKey, offset: start),
                nameOffset: start, addressOffset: start)
        }
        try skipRest(of: token, mark)
    }

    // MARK: - An array of entries

    private mutating func readArray() throws(SourceDamage) {
        while true {
            let mark = tokenizer.mark
            let token: TreeToken
            switch try next(at: mark) {
            case .success(let found): token = found
            case .failure(let skipped):
                addFlawed(flaw(of: skipped), start: tokenizer.tokenStart, at: skipped.offset)
                continue
            }
            let start = tokenizer.tokenStart
            switch token {
            case .arrayEnd: return
            case .text(let address):
                let stored = try tokenizer.store(address, in: builder.arena)
                builder.add(
                    name: nil, address: stored, start: start,
                    flaw: address.flaw.map { FoundFlaw(kind: $0, offset: address.start) },
                    nameOffset: start, addressOffset: address.start)
            case .dictionaryStart: try readEntry(start: start, mark)
            case .flaw(let kind): addFlawed(kind, start: start)
            default:
                let detail = UInt32(kind(of: token)?.rawValue ?? .max)
                builder.add(
                    name: nil, address: nil, start: start,
                    flaw: FoundFlaw(kind: .entryHasWrongType, detail: detail, offset: start), nameOffset: start,
                    addressOffset: start)
                try skipRest(of: token, mark)
            }
        }
    }

    /// A row for an element of which nothing is known.
    private func addFlawed(_ kind: EntryFlaw.Kind, start: Int, at offset: Int = 0) {
        builder.add(
            name: nil, address: nil, start: start, flaw: FoundFlaw(kind: kind, offset: max(start, offset)),
            nameOffset: start, addressOffset: start)
    }

    private func flaw(of damage: SourceDamage) -> EntryFlaw.Kind { damage.reason == nil ? .tooDeep : .malformed }

    /// What is known of an entry that is being read.
    private struct Entry {
        var name: TreeText?
        var address: TreeText?
        var nameSeen = false
        var addressSeen = false
        var flaw: FoundFlaw?

        mutating func note(
            _ kind: EntryFlaw.Kind, _ field: EntryFlaw.Field?, detail: TreeValueKind? = nil, at offset: Int
        ) {
            // The first flaw is the one to tell; only a broken address outranks a broken name.
            if let flaw, flaw.field == .address || field == .name { return }
            let number = UInt32(detail?.rawValue ?? .max)
            self.flaw = FoundFlaw(kind: kind, field: field, detail: number, offset: offset)
        }

        /// Notes what is wrong with a part that is not wanted, if all else is right.
        mutating func note(ignored found: FoundFlaw?) { flaw = flaw ?? found }
    }

    private mutating func readEntry(start: Int, _ mark: Tokenizer.Mark) throws(SourceDamage) {
        var entry = Entry()
        do throws(SourceDamage) {
            try readFields(into: &entry)
        } catch {
            guard tokenizer.skipValue(at: mark, after: error) else { throw error }
            entry.flaw = FoundFlaw(kind: flaw(of: error), offset: max(start, error.offset))
        }
        if !entry.addressSeen, entry.flaw == nil { entry.note(.missingAddress, nil, at: start) }
        // A name that decodes to nothing known is still the best name there is for a broken row.
        let name: ArenaRange? = if let text = entry.name { try tokenizer.store(text, in: builder.arena) } else { nil }
        let address: ArenaRange? =
            if let text = entry.address { try tokenizer.store(text, in: builder.arena) } else { nil }
        builder.add(
            name: name, address: address, start: start, flaw: entry.flaw, nameOffset: entry.name?.start ?? start,
            addressOffset: entry.address?.start ?? start, entry: entry.flaw == nil ? keptEntry(from: start) : nil)
    }

    /// The entry whose end was the last token, where it is to be kept: JSON as it stands, but in one line, and with null for `NaN` and
    /// the like.
    private func keptEntry(from start: Int) -> ArenaRange? {
        guard builder.keys.keepsEntries, [.json, .jsonLines].contains(Tokenizer.format) else { return nil }
        let arena = builder.arena
        let first = arena.count
        let bytes = UnsafeBufferPointer(rebasing: builder.source.bytes[start...tokenizer.tokenStart])
        if let last = tokenizer.lastNonFinite, last >= start {
            arena.appendEntryWithNonFinite(bytes)
        } else {
            arena.appendEntry(bytes)
        }
        return arena.range(from: first)
    }

    private mutating func readFields(into entry: inout Entry) throws(SourceDamage) {
        var key: Key?
        while true {
            let token = try tokenizer.next()
            if case .dictionaryEnd = token { break }
            if case .key(let text) = token {
                if let key { note(&entry, valueless: key) }
                key = Key(text: text, start: tokenizer.tokenStart)
                continue
            }
            if case .flaw(let kind) = token {
                entry.note(kind, nil, at: tokenizer.tokenStart)
                key = nil
                continue
            }
            if let key {
                try readField(token, of: key, into: &entry)
            } else {
                entry.note(.missingKey, nil, at: tokenizer.tokenStart)
                _ = try skipRest(of: token)
            }
            key = nil
        }
        if let key { note(&entry, valueless: key) }
    }

    private mutating func readField(
        _ token: TreeToken, of key: Key, into entry: inout Entry
    ) throws(SourceDamage) {
        let start = tokenizer.tokenStart
        if let flaw = key.text.flaw { entry.note(flaw, nil, at: key.start) }
        if tokenizer.matches(key.text, builder.keys.addressWord) {
            if entry.addressSeen { entry.note(.duplicateAddress, .address, at: key.start) }
            entry.addressSeen = true
            if case .text(let text) = token {
                entry.address = entry.address ?? text
                if let flaw = text.flaw { entry.note(flaw, .address, at: text.start) }
            } else {
                entry.note(.addressHasWrongType, .address, detail: kind(of: token), at: start)
            }
        } else if tokenizer.matches(key.text, builder.keys.nameWord) {
            if entry.nameSeen { entry.note(.duplicateName, .name, at: key.start) }
            entry.nameSeen = true
            if let text = name(of: token) {
                entry.name = entry.name ?? text
                if let flaw = text.flaw { entry.note(flaw, .name, at: text.start) }
            } else if kind(of: token) != .null {
                // Programs write null for "no name".
                entry.note(.nameHasWrongType, .name, detail: kind(of: token), at: start)
            }
        } else {
            builder.hasOtherFields = true
            entry.note(ignored: tokenizer.flaw(of: key.text))
            if case .text(let text) = token { entry.note(ignored: tokenizer.flaw(of: text)) }
        }
        entry.note(ignored: try skipRest(of: token))
    }

    /// What the last token says as a name. Data sets have numbers for their photos, which are names as they are written.
    private func name(of token: TreeToken) -> TreeText? {
        switch token {
        case .text(let text): text
        case .other(.number), .other(.boolean): tokenizer.literal
        default: nil
        }
    }

    private func note(_ entry: inout Entry, valueless key: Key) {
        if tokenizer.matches(key.text, builder.keys.addressWord) {
            entry.addressSeen = true
            entry.note(.missingValue, .address, at: key.start)
        } else if tokenizer.matches(key.text, builder.keys.nameWord) {
            entry.nameSeen = true
            entry.note(.missingValue, .name, at: key.start)
        } else if Tokenizer.pairsAreLoose {
            entry.note(ignored: FoundFlaw(kind: .missingValue, offset: key.start))
        }
    }

    // MARK: - Values that are not wanted

    /// Goes past what belongs to a row that is there already, and is no photo's.
    private mutating func skipRest(of token: TreeToken, _ mark: Tokenizer.Mark) throws(SourceDamage) {
        do throws(SourceDamage) {
            _ = try skipRest(of: token)
        } catch {
            guard tokenizer.skipValue(at: mark, after: error) else { throw error }
        }
    }

    private mutating func skipRest(of token: TreeToken) throws(SourceDamage) -> FoundFlaw? {
        switch token {
        case .dictionaryStart: try tokenizer.skipContainer(isDictionary: true)
        case .arrayStart: try tokenizer.skipContainer(isDictionary: false)
        default: nil
        }
    }

    private func kind(of token: TreeToken) -> TreeValueKind? {
        switch token {
        case .dictionaryStart: .dictionary
        case .arrayStart: .array
        case .other(let kind): kind
        case .key: .element
        default: nil
        }
    }
}
