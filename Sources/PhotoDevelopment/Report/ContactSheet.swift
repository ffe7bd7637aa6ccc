import FoundationEssentials
import ImageCodecs
import Operations
import PhotoPipeline

/// One picture of results beside their originals.
///
/// The first sixty photos of the catalog are shown, in its order, so that a sheet stays something to look at and its
/// memory is bounded.
final class ContactSheet: Sendable {
    private struct Pair {
        var original: PixelBuffer?
        var result: PixelBuffer?
    }

    /// How many photos are shown at most.
    static let mostPairs = 60
    private static let pairsAcross = 3
    private static let cell = PixelSize(width: 240, height: 180)
    private static let gap = 16

    private let path: String
    private let pairs = Lock<[Int: Pair]>([:])

    /// A sheet that will be written to a path; fails where that is impossible.
    init(path: String) throws(DevelopmentError) {
        self.path = path
        do {
            try OutputFile.check(path)
        } catch {
            throw .contactSheetUnusable(path: path, reason: error.reason)
        }
    }

    /// Adds a picture as it was, for all rows that it is the picture of.
    func add(original: PixelBuffer, at indices: [Int]) {
        add(original, to: \.original, at: indices)
    }

    /// Adds what was made of it.
    func add(result: PixelBuffer, at indices: [Int]) {
        add(result, to: \.result, at: indices)
    }

    /// Shows what is shown of a row for another one, too.
    func share(of leader: Int, with index: Int) {
        guard index < Self.mostPairs else { return }
        pairs.withLock { $0[index] = $0[leader] }
    }

    /// Draws the sheet and writes it. Without a single pair there is nothing to write.
    ///
    /// - Parameter folder: Where the journal is, which has small pictures of the photos that earlier runs developed.
    func finish(with folder: JournalFolder) throws(DevelopmentError) {
        // A sheet does without a picture that cannot be read.
        if let journal = try? Journal(opening: folder.database) { addEarlier(from: journal) }
        let shown = pairs.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
            .compactMap { pair in pair.original.flatMap { original in pair.result.map { (original, $0) } } }
        if shown.isEmpty { return }
        do {
            let bytes = Self.marked(try ImageEncoder(format: .jpeg, quality: 88).encode(Self.draw(shown)))
            let file = try OutputFile(path)
            try file.write(bytes)
            try file.commit()
        } catch let error as FileError {
            throw .contactSheetUnusable(path: path, reason: error.reason)
        } catch {
            throw .contactSheetUnusable(path: path, reason: "\(error)")
        }
    }

    private func add(
        _ image: PixelBuffer, to side: any WritableKeyPath<Pair, PixelBuffer?> & Sendable, at indices: [Int]
    ) {
        let places = indices.filter { $0 < Self.mostPairs }
        guard !places.isEmpty else { return }
        let fitting = min(
            Double(Self.cell.width) / Double(image.size.width), Double(Self.cell.height) / Double(image.size.height)
        )
        let longest = Double(max(image.size.width, image.size.height))
        let small = image.scaled(longestSide: max(1, Int(longest * fitting)))
        pairs.withLock { pairs in
            for place in places { pairs[place, default: Pair()][keyPath: side] = small }
        }
    }

    private func addEarlier(from journal: Journal) {
        for entry in (try? journal.entries(from: 0, limit: Self.mostPairs)) ?? [] {
            guard case .filtered = entry.row.outcome, pairs.withLock({ $0[entry.number]?.result }) == nil,
                let images = try? journal.images(of: entry.number),
                let original = try? ImageDecoder.decode(images.original, longestSide: ReportImages.longestSide),
                let result = try? ImageDecoder.decode(images.result, longestSide: ReportImages.longestSide)
            else { continue }
            add(original: original, at: [entry.number])
            add(result: result, at: [entry.number])
        }
    }

    private static func draw(_ pairs: [(original: PixelBuffer, result: PixelBuffer)]) -> PixelBuffer {
        let across = min(pairs.count, pairsAcross)
        let down = (pairs.count + across - 1) / across
        let pairWidth = 2 * cell.width + gap / 4
        let size = PixelSize(
            width: across * pairWidth + (across + 1) * gap, height: down * cell.height + (down + 1) * gap)
        var sheet = PixelBuffer(uninitialized: size, isOpaque: true) { bytes in
            for index in bytes.indices { bytes[index] = index % 4 == 3 ? 255 : 28 }
        }
        for (place, pair) in pairs.enumerated() {
            let left = gap + place % across * (pairWidth + gap)
            let top = gap + place / across * (cell.height + gap)
            // The two keep close together, whatever their shape.
            let middle = top + (cell.height - pair.original.size.height) / 2
            sheet.draw(pair.original, at: (left + cell.width - pair.original.size.width, middle))
            sheet.draw(pair.result, at: (left + cell.width + gap / 4, middle))
        }
        return sheet
    }

    // MARK: - Knowing one again

    private static let mark = Data("contact sheet of classicphotos".utf8)

    /// Whether the file at a path is a contact sheet that a run wrote.
    static func isOne(at path: String) -> Bool {
        FileBeginning.bytes(of: path, count: 1_024)?.firstRange(of: mark) != nil
    }

    /// The same picture with the mark in a comment.
    private static func marked(_ jpeg: Data) -> Data {
        // Behind the start of the picture, and the header of JFIF, which wants to be the first.
        let bytes = [UInt8](jpeg.prefix(6))
        let hasHeader = bytes.count == 6 && bytes[2] == 0xFF && bytes[3] == 0xE0
        let place = hasHeader ? 4 + Int(bytes[4]) << 8 + Int(bytes[5]) : 2
        guard place <= jpeg.count else { return jpeg }
        let length = mark.count + 2
        return jpeg.prefix(place) + Data([0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 255)]) + mark
            + jpeg.dropFirst(place)
    }
}
