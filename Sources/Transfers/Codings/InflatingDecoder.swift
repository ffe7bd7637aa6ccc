import CZLib

/// Undoes `gzip` and `deflate`.
///
/// A gzip file may have several members, one behind the other (RFC 1952, 2.2), with zeros between them and behind the last one, as
/// tapes have. Some servers send more behind the end: what belongs to nothing. That is left out, as browsers do, or refused.
/// `deflate` is the format of zlib, and some send what is inside that alone; the first byte tells.
package final class InflatingDecoder: BodyDecoder {
    /// What it undoes.
    package enum Format {
        case gzip, deflate
    }

    private enum State {
        case atStart, inMember, betweenMembers, behindEnd
    }

    private let format: Format
    private let refusesRest: Bool
    /// zlib knows it by its place in memory.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var state = State.atStart
    /// Whether a member was decoded to its end.
    private var hasMember = false

    /// - Parameter refusesRest: Whether what follows the end is damage. Default: false, it is left out.
    package init(_ format: Format, refusingRest refusesRest: Bool = false) {
        (self.format, self.refusesRest) = (format, refusesRest)
        stream.initialize(to: z_stream())
    }

    deinit {
        if state != .atStart { inflateEnd(stream) }
        stream.deallocate()
    }

    package var isWhole: Bool { state != .inMember || isBeyondMembers }

    /// Whether what follows a member has not shown to be another one: it takes two bytes to tell.
    private var isBeyondMembers: Bool { hasMember && !refusesRest && stream.pointee.total_in <= 2 }

    package func decode(
        _ input: inout UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault) -> Int {
        while let first = input.first ?? (state == .inMember ? 0 : nil) {
            switch state {
            case .atStart:
                try begin(first)
            case .inMember:
                let count = try inflateSome(&input, into: room)
                if count > 0 || input.isEmpty { return count }
            case .betweenMembers where first == 0: input.drop(input.firstIndex { $0 != 0 } ?? input.count)
            case .betweenMembers where first == 0x1F && format == .gzip:
                inflateReset(stream)
                state = .inMember
            case .betweenMembers where refusesRest: throw .followed
            case .betweenMembers: state = .behindEnd
            case .behindEnd: input.drop(input.count)
            }
        }
        return 0
    }

    private func begin(_ first: UInt8) throws(DecodingFault) {
        // The window; 16 more for gzip's header, and negative for none at all. In the header of zlib the lower half of the
        // first byte is 8. Without the header that would be a block of bytes as they are, with a bit behind its type that is
        // always zero.
        let bits: Int32 = format == .gzip ? 31 : first & 0x0F == 8 ? 15 : -15
        guard inflateInit2_(stream, bits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .noMemory
        }
        state = .inMember
    }

    private func inflateSome(
        _ input: inout UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault) -> Int {
        let (available, space) = (UInt32(clamping: input.count), UInt32(clamping: room.count))
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        (stream.pointee.avail_in, stream.pointee.avail_out) = (available, space)
        let status = inflate(stream, Z_NO_FLUSH)
        input.drop(Int(available - stream.pointee.avail_in))
        let count = Int(space - stream.pointee.avail_out)
        switch status {
        case Z_OK: break
        case Z_BUF_ERROR where available == 0: break
        case Z_STREAM_END:
            hasMember = true
            state = .betweenMembers
        case Z_DATA_ERROR where isBeyondMembers: state = .behindEnd
        case Z_MEM_ERROR: throw .noMemory
        default: throw .damaged(stream.pointee.msg.map { String(cString: $0) })
        }
        return count
    }
}
