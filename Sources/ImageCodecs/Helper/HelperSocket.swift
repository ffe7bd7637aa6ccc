internal import Glibc

/// One end of the connection between the program and a helper.
struct HelperSocket {
    let descriptor: Int32

    /// How long to wait at a stretch before `goesOn` is asked, in milliseconds.
    private static let pause: Int32 = 10

    /// Sends all bytes.
    ///
    /// - Parameter goesOn: Asked each time that the other end is slow; false ends the waiting.
    /// - Returns: false if the other end is closed, or the waiting was ended.
    func send(_ bytes: UnsafeRawBufferPointer, goesOn: () -> Bool) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = Glibc.send(
                descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent,
                Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            if count > 0 {
                sent += count
            } else if !waits(for: POLLOUT, goesOn) {
                return false
            }
        }
        return true
    }

    /// Fills all of `bytes`; as for `send`.
    func receive(_ bytes: UnsafeMutableRawBufferPointer, goesOn: () -> Bool) -> Bool {
        var received = 0
        while received < bytes.count {
            let count = recv(
                descriptor, bytes.baseAddress.map { $0 + received }, bytes.count - received,
                Int32(MSG_DONTWAIT))
            if count == 0 { return false }
            if count > 0 {
                received += count
            } else if !waits(for: POLLIN, goesOn) {
                return false
            }
        }
        return true
    }

    /// Whether the other end is closed.
    var isClosedByPeer: Bool {
        var descriptors = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&descriptors, 1, 0) > 0
    }

    private func waits(for event: Int32, _ goesOn: () -> Bool) -> Bool {
        guard [EAGAIN, EINTR].contains(errno), goesOn() else { return false }
        var descriptors = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        poll(&descriptors, 1, Self.pause)
        return true
    }

    func send<Message: BitwiseCopyable>(_ message: Message, goesOn: () -> Bool) -> Bool {
        withUnsafeBytes(of: message) { send($0, goesOn: goesOn) }
    }

    /// - Parameter message: Any value of the type; what arrives takes its place.
    func receive<Message: BitwiseCopyable>(_ message: inout Message, goesOn: () -> Bool) -> Bool {
        withUnsafeMutableBytes(of: &message) { receive($0, goesOn: goesOn) }
    }
}
