import CCurl

/// Names that libcurl looks up.
///
/// It has a thread of its own for each, which nobody can end: the resolver goes on for up to half a minute where no server answers. So a
/// look-up is left to libcurl when its transfer is over. It counts until its end among those of all hosts, and of its host two may be under
/// way.
extension TransferLoop {
    /// The name of a transfer's host is known: libcurl is about to connect, or has a connection.
    func foundName(of transfer: Transfer) {
        guard var turn = transfer.turn else { return }
        schedule.foundName(&turn, at: time)
        transfer.turn = turn
    }

    /// Leaves a handle to libcurl whose transfer is over, if it looks up a name.
    /// - Returns: Whether it does.
    func abandonLookUp(of transfer: Transfer, on handle: EasyHandle) -> Bool {
        guard handle.isLookingUp, var turn = transfer.turn, let lookUp = schedule.part(&turn) else { return false }
        transfer.turn = turn
        handle.abandon(lookUp)
        abandoned.append(handle)
        return true
    }

    /// A look-up that went on without its transfer is over.
    func abandonedLookUpEnded(on handle: EasyHandle) {
        guard let lookUp = handle.takeAbandonedLookUp() else { return }
        curl_multi_remove_handle(multi, handle.pointer)
        abandoned.removeAll { $0 === handle }
        // Where the name was found, libcurl was about to connect.
        schedule.ended(lookUp, isFound: !handle.isLookingUp, at: time)
        recycle(handle)
    }
}
