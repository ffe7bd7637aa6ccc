import Glibc

/// Files without a name, which nobody but this process can see, and which are gone with it.
package enum UnnamedFile {
    /// Where they are made if nobody says otherwise: `TMPDIR`, or `/var/tmp`. Not `/tmp`, which often is memory.
    package static var folder: String {
        getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/var/tmp"
    }

    /// Makes an empty one, to be read and written.
    ///
    /// - Returns: Its descriptor, which is the caller's to close; negative where there is none, as `errno` says.
    package static func make(in folder: String) -> Int32 {
        let path = "\(folder)/classicphotos-\(UInt64.random(in: 0 ... .max))"
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { unlink(path) }
        return descriptor
    }

    /// Writes all bytes at an offset.
    ///
    /// - Returns: Nil where all were written, or the system's number for why not.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int) -> Int32? {
        eachPart(of: bytes.count) { done in
            pwrite(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
        }
    }

    /// Fills all of some room with the bytes at an offset.
    ///
    /// - Returns: Nil where there were as many, or the system's number for why not, which is 0 where the file ends before.
    package static func read(_ room: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int) -> Int32? {
        eachPart(of: room.count) { done in
            pread(descriptor, room.baseAddress.map { $0 + done }, room.count - done, off_t(offset + done))
        }
    }

    /// Repeats a call that may do a part only, until all is done.
    ///
    /// - Parameter call: Given how much is done; says how much more it did, 0 for the end, or less for an error.
    private static func eachPart(of count: Int, _ call: (Int) -> Int) -> Int32? {
        var done = 0
        while done < count {
            let part = call(done)
            if part < 0 && errno == EINTR { continue }
            if part <= 0 { return part < 0 ? errno : 0 }
            done += part
        }
        return nil
    }
}
