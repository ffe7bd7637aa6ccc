/// The boxes of ISO base media in a stretch of bytes: a length, a type of four letters, a body.
struct ISOBoxes {
    private let reader: ByteReader
    /// No more are looked at: a file of a few megabytes has room for a million empty ones.
    static let mostBoxes = 1 << 16

    init(_ reader: ByteReader) {
        self.reader = reader
    }

    /// The body of the first box of a type.
    func first(_ type: String) -> ByteReader? {
        var found: ByteReader?
        walk { name, body in
            if name == type { found = body }
            return found == nil
        }
        return found
    }

    func all(upTo most: Int) -> [(type: String, body: ByteReader)] {
        var boxes: [(type: String, body: ByteReader)] = []
        walk { name, body in
            boxes.append((name, body))
            return boxes.count < most
        }
        return boxes
    }

    private func walk(_ visit: (String, ByteReader) -> Bool) {
        var offset = 0
        for _ in 0..<Self.mostBoxes {
            guard var length = reader.be32(offset) else { return }
            var head = 8
            if length == 1 {
                guard let long = reader.number(offset + 8, 8, bigEndian: true) else { return }
                length = long
                head = 16
            } else if length == 0 {
                length = reader.count - offset
            }
            guard length >= head, length <= reader.count - offset else { return }
            let name = String(decoding: reader.slice(offset + 4..<offset + 8).bytes, as: UTF8.self)
            guard visit(name, reader.slice(offset + head..<offset + length)) else { return }
            offset += length
        }
    }
}
