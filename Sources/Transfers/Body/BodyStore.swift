import struct FoundationEssentials.Data

/// The bytes of a body as they arrive: in memory, or in a file from a certain size on.
struct BodyStore: Sendable {
    private var memory = Data()
    private(set) var file: BodyFile?

    init(file: BodyFile? = nil) {
        self.file = file
    }

    /// Bytes so far.
    var count: Int { file?.count ?? memory.count }

    /// Makes room in memory for a length that was announced.
    mutating func reserve(_ bytes: Int) {
        if file == nil && memory.isEmpty { memory.reserveCapacity(bytes) }
    }

    mutating func append(_ piece: UnsafeRawBufferPointer) throws(TransferError) {
        if let file {
            try file.append(piece)
        } else {
            memory.append(contentsOf: piece)
        }
    }

    /// Goes on in a file that holds nothing yet.
    mutating func move(to file: BodyFile) throws(TransferError) {
        let result = memory.withUnsafeBytes { bytes in
            Result { () throws(TransferError) in try file.append(bytes) }
        }
        try result.get()
        self.file = file
        memory = Data()
    }

    /// All of it so far. What is appended in memory afterwards is appended to a copy, unless this is gone by then.
    func snapshot() throws(TransferError) -> Data { try file?.contents() ?? memory }

    /// All of it; the store is empty afterwards.
    mutating func take() throws(TransferError) -> Data {
        defer { self = BodyStore() }
        guard let file else { return memory }
        file.discard()
        return try file.contents()
    }
}
