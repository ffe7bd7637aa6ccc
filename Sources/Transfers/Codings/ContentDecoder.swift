/// Undoes the codings of a body while it comes, the last one first, in little memory however much a piece becomes.
///
/// Belongs to its transfer, and with it to the event thread.
final class ContentDecoder {
    /// What is decoded of the coding after this one and not used up.
    private struct Stage {
        let coding: ContentCodings.Coding
        let decoder: any BodyDecoder
        let room: UnsafeMutableRawBufferPointer
        var rest = UnsafeRawBufferPointer(start: nil, count: 0)

        /// Decodes some of what came into the room.
        func decode(_ input: inout UnsafeRawBufferPointer) throws(TransferError) -> Int {
            do throws(DecodingFault) { return try decoder.decode(&input, into: room) } catch {
                throw coding.error(error)
            }
        }
    }

    /// How many bytes are decoded at once: as many as libcurl hands over of a body that is not coded.
    private static let blockSize = 16_384

    /// In the order in which the codings are undone; each one's room holds what it has decoded.
    private var stages: [Stage] = []
    /// Of what is shown next, how many bytes were decoded before it was held back.
    private var decoded = 0

    /// A decoder; nil for what is not coded.
    init?(_ codings: ContentCodings) throws(TransferError) {
        guard codings.isEncoded else { return nil }
        for coding in codings.codings.reversed() {
            let decoder: any BodyDecoder
            do throws(DecodingFault) { decoder = try coding.makeDecoder() } catch { throw coding.error(error) }
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockSize, alignment: 16)
            stages.append(Stage(coding: coding, decoder: decoder, room: room))
        }
    }

    deinit { for stage in stages { stage.room.deallocate() } }

    /// Whether what came can be all of the body. One that ends too early is not, whatever its length says.
    var isWhole: Bool { stages.allSatisfy(\.decoder.isWhole) }

    /// Decodes a piece, and hands it on block by block.
    ///
    /// - Parameters:
    ///   - piece: The next bytes. Those that were held back are shown again from their beginning, perhaps in pieces of other
    ///     sizes.
    ///   - take: Takes decoded bytes.
    /// - Returns: What is to be done with the piece. Blocks of one that is held back, or that is the last one, need not all have
    ///   been handed on.
    func decode(
        _ piece: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> ResponseIntake.PieceAction
    ) throws(TransferError) -> ResponseIntake.PieceAction {
        let last = stages.count - 1
        var input = piece
        input.drop(min(decoded, piece.count))
        while true {
            if stages[last].rest.isEmpty { try fill(last, from: &input) }
            if stages[last].rest.isEmpty { break }
            let action = take(stages[last].rest)
            switch action {
            case .store, .discard: stages[last].rest.drop(stages[last].rest.count)
            case .pause:
                decoded = max(decoded, piece.count - input.count)
                return .pause
            case .stop: return .stop
            }
        }
        decoded -= min(decoded, piece.count)
        return .store
    }

    /// Decodes the next bytes of a stage, and none if there is nothing more to decode at present.
    private func fill(_ index: Int, from input: inout UnsafeRawBufferPointer) throws(TransferError) {
        let stage = stages[index]
        var count = 0
        if index == 0 {
            count = try stage.decode(&input)
        } else {
            while true {
                count = try stage.decode(&stages[index - 1].rest)
                if count > 0 { break }
                try fill(index - 1, from: &input)
                if stages[index - 1].rest.isEmpty { break }
            }
        }
        stages[index].rest = UnsafeRawBufferPointer(rebasing: stage.room[..<count])
    }
}
