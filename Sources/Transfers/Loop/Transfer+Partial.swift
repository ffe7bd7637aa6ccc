import OperationsCore

/// What is there of a body before its transfer, and what is kept of it for a later one.
extension Transfer {
    /// Whether the disk is to be asked for what it has of the next hop's body.
    var wantsLookUp: Bool {
        storage.partials != nil && !hasLookedUp && mayGoOn && !isSecret && plan.partial?.address != address.text
    }

    /// Asks the disk, on its queue; `then` is called there.
    func lookUp(_ then: @escaping @Sendable (PartialBody?) -> Void) {
        hasLookedUp = true
        let look = BlockOperation { [storage, text = address.text] in then(storage.partials?.take(text)) }
        // Before the bytes of others that wait to be written.
        look.queuePriority = .high
        storage.queue.addOperation(look)
    }

    /// What the disk has. Says whether the rest is to be asked for.
    @discardableResult
    func found(_ partial: PartialBody?) -> Bool {
        guard let partial, mayGoOn, partial.address == address.text else { return false }
        self.partial = partial
        return true
    }

    var mayGoOn: Bool { partial == nil && !mustStartOver && plan.upload == nil && conditions.isEmpty }

    /// The answer to a request for a part, or for the whole although a part is there, is about to bring its body.
    func takeUpPartial(isPart: Bool) {
        if isPart, let partial {
            keptValidator = partial.validator
            body.takeUp(partial.body)
        } else {
            discard(partial)
        }
        // With the body it is told again what remains of it.
        partial = nil
    }

    /// What proves that a later answer is about the same bytes; nil if they cannot be gone on with.
    func validator() -> StrongValidator? {
        guard let handle, !intake.isEncoded, handle.header("Accept-Ranges")?.lowercased() != "none" else { return nil }
        return StrongValidator(
            entityTag: handle.header("ETag"), lastModified: handle.header("Last-Modified"), date: handle.header("Date"))
    }

    /// What a later attempt can go on with, taken out of this one; without the bytes where they are on disk, which
    /// ``ReceivedBody/takeDisk()`` has, also where nothing is to be kept of them.
    func takePartial() -> PartialBody? {
        defer { partial = nil }
        let count = body.count
        let bytes = body.takeMemory()
        guard intake.verdict == .body || intake.verdict == .part else {
            // Nothing came, so what was there before is still good, if it is not from an earlier hop.
            return partial ?? (mustStartOver ? nil : plan.partial)
        }
        guard plan.upload == nil, bodyError == nil, count > 0,
            let validator = validator() ?? keptValidator
        else {
            dropBody()
            return nil
        }
        return PartialBody(
            address: address.text, isSecret: isSecret, validator: validator, total: intake.expected,
            body: bytes)
    }

    /// Forgets the body. Where it is on disk, its file is ``ReceivedBody/takeDisk()``'s to remove: the transfer's end waits for
    /// that.
    func dropBody() {
        _ = body.takeMemory()
        partial = nil
    }

    /// Removes what was kept, where it is on disk.
    func discard(_ partial: PartialBody?) {
        guard let file = partial?.body.file else { return }
        storage.queue.addOperation { file.discard() }
    }
}
