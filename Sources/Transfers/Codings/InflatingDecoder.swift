import CZLib

/// Undoes `gzip` and `deflate`.
///
/// A gzip file may have several members, one behind the other (RFC 1952, 2.2). Some servers send more behind the end: zeros,
/// or what belongs to nothing. That is left out, as browsers do. `deflate` is the format of zlib, and some send
/// what is inside that alone; the first byte tells.
final class InflatingDecoder: BodyDecoder {
    private enum State {
        case atStart, inMember, betweenMembers, behindEnd
    }

    private let coding: ContentCodings.Coding
    /// zlib knows it by its place in memory.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var state = State.atStart
    /// Whether a member was decoded to its end.
    private var hasMember = false

    init(_ coding: ContentCodings.Coding) {
        self.coding = coding
        stream.initialize(to: z_stream())
    }

    deinit {
        if state != .atStart { inflateEnd(stream) }
        stream.deallocate()
    }

    var isWhole: Bool { state != .inMember || isBeyondMembers }

    /// Whether what follows a member has not shown to be another one: it takes two bytes to tell.
    private var isBeyondMembers: Bool { hasMember && stream.pointee.total_in <= 2 }

    func decode(
        _ input: inout UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
    ) throws(TransferError) -> Int {
        while let first = input.first ?? (state == .inMember ? 0 : nil) {
            switch state {
            case .atStart:
                try begin(first)
            case .inMember:
                let count = try inflateSome(&input, into: room)
                if count > 0 || input.isEmpty { return count }
            case .betweenMembers where first == 0: input.drop(1)
            case .betweenMembers where first == 0x1F && coding == .gzip:
                inflateReset(stream)
                state = .inMember
            case .betweenMembers: state = .behindEnd
            case .behindEnd: input.drop(input.count)
            }
        }
        return 0
    }

    private func begin(_ first: UInt8) throws(TransferError) {
        // The window; 16 more for gzip's header, and negative for none at all. In the header of zlib the lower half of the
        // first byte is 8. Without the header that would be a block of bytes as they are, with a bit behind its type that is
        // always zero.
        let bits: Int32 = coding == .gzip ? 31 : first & 0x0F == 8 ? 15 : -15
        guard inflateInit2_(stream, bits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw ContentCodings.Coding.noMemory
        }
        state = .inMember
    }

    private func inflateSome(
        _ input: inout UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
    ) throws(TransferError) -> Int {
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
        case Z_MEM_ERROR: throw ContentCodings.Coding.noMemory
        default: throw coding.damage(stream.pointee.msg.map { String(cString: $0) } ?? "the data is damaged")
        }
        return count
    }
}
