/// Undoes the codings of a body while it comes, the last one first, in little memory however much a piece becomes.
///
/// What it hands on is counted by whoever takes it. A coding may also take bytes in and give none out: zeros behind a gzip member, what
/// follows the end, frames of zstd that are to be skipped. Where another coding makes these bytes, a few hundred of a server become
/// terabytes, and the event thread does nothing else meanwhile. So what each coding takes in is counted too.
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
    /// The most that one piece may become between two codings, in bytes: the event thread is at work on it for a tenth of a second or so.
    /// What has been packed before is hardly packed again, so that no honest piece comes near.
    private static let mostOfPiece = 64_000_000

    /// The body's limit, for the error.
    private let limit: Int
    /// The most that a coding takes in: what cannot be packed gets longer by packing, by an eighth at the very most.
    private let mostTaken: Int
    /// How much each coding has taken in.
    private var taken: [Int] = []
    /// The same, without the pieces before this one.
    private var takenOfPiece: [Int] = []
    /// In the order in which the codings are undone; each one's room holds what it has decoded.
    private var stages: [Stage] = []
    /// Of what is shown next, how many bytes were decoded before it was held back.
    private var decoded = 0

    /// A decoder; nil for what is not coded.
    ///
    /// - Parameter maxBytes: How long the body may be, ``TransferLimits/maxBytes``. A coding takes in little more than that. Where there is
    ///   no limit, as whoever takes the body ends it, a coding takes in 64 MB.
    init?(_ codings: ContentCodings, maxBytes: Int) throws(TransferError) {
        guard codings.isEncoded else { return nil }
        limit = maxBytes == .max ? Self.mostOfPiece : maxBytes
        let (most, isTooMuch) = limit.addingReportingOverflow(limit / 8 + 65_536)
        mostTaken = isTooMuch ? .max : most
        for coding in codings.codings.reversed() {
            let decoder: any BodyDecoder
            do throws(DecodingFault) { decoder = try coding.makeDecoder() } catch { throw coding.error(error) }
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockSize, alignment: 16)
            stages.append(Stage(coding: coding, decoder: decoder, room: room))
        }
        taken = Array(repeating: 0, count: stages.count)
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
    /// - Throws: ``TransferError/tooLarge(limit:)`` also where a coding takes in too much.
    func decode(
        _ piece: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> ResponseIntake.PieceAction
    ) throws(TransferError) -> ResponseIntake.PieceAction {
        let last = stages.count - 1
        takenOfPiece = Array(repeating: 0, count: stages.count)
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
            count = try decode(stage, index, &input)
        } else {
            while true {
                count = try decode(stage, index, &stages[index - 1].rest)
                if count > 0 { break }
                try fill(index - 1, from: &input)
                if stages[index - 1].rest.isEmpty { break }
            }
        }
        stages[index].rest = UnsafeRawBufferPointer(rebasing: stage.room[..<count])
    }

    /// Has a stage decode some of what came, and counts what it takes in.
    private func decode(
        _ stage: Stage, _ index: Int, _ input: inout UnsafeRawBufferPointer
    ) throws(TransferError) -> Int {
        let before = input.count
        let count = try stage.decode(&input)
        taken[index] += before - input.count
        takenOfPiece[index] += before - input.count
        if taken[index] > mostTaken || takenOfPiece[index] > Self.mostOfPiece { throw .tooLarge(limit: limit) }
        return count
    }
}
