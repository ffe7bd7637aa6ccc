import FoundationEssentials
import ImageCodecs
import Operations
import Pixels
import Transfers

/// The pictures that one decoding is wanted for, as far as they are on disk, and where those go that are not.
///
/// Photos say what they want while stages are looked up; once all of it was found nothing is decoded, and who wants something else
/// from then on makes stages of his own.
final class FinishedImages: Sendable {
    private struct State {
        var wanted: Set<ProcessingChain> = []
        /// Stands for the file and the way in which it is decoded; nil for one of which nothing is kept.
        var source: String?
        /// Those that are on disk.
        var found: Set<ProcessingChain> = []
        /// The same as they are there, until they are unpacked, or it is known that the file is decoded.
        var packed: [ProcessingChain: ImageDiskCache.Packed] = [:]
        /// Those that were found, when nothing is decoded. They stay, as somebody may come for one that another had already;
        /// the lease on what the decoding makes counts them as long.
        var images: [ProcessingChain: ScaledImage] = [:]
        var isComplete = false
    }

    /// Of the libraries that decode. They are looked at once, when the first file is there: that takes longer than whoever asks for a
    /// picture should wait.
    static let decoders = Checksum.of(Data(ImageDecoder.version.utf8))

    private let cache: ImageDiskCache
    private let recipe: String
    private let isRead: Bool
    private let decoder: DecoderSelection
    private let state = Lock(State())

    /// - Parameters:
    ///   - key: What is decoded.
    ///   - options: How it is.
    init(_ cache: ImageDiskCache, _ key: ImageKey, _ options: DecodeOptions, _ decoder: DecoderSelection) {
        self.cache = cache
        self.decoder = decoder
        isRead = key.policy != .reload
        let limits = decoder.limits
        // Tolerated damage is not kept, so that it makes no difference.
        let parts = [
            "\(ImageDiskCache.version)", key.address.text,
            options.resize.map { "\($0.mode) \($0.box) \($0.gravity) \($0.enlarges)" } ?? "",
            "\(options.keepsMetadata) \(limits.maxPixels) \(limits.maxFrames)",
        ]
        recipe = parts.map { "\($0.utf8.count) \($0)" }.joined(separator: "\n")
    }

    /// Says that a picture is wanted of the decoding.
    /// - Returns: Whether it will come of it; false if nothing is decoded, and this one was not found.
    func want(_ processing: ProcessingChain) -> Bool {
        state.withLock { state in
            if state.isComplete { return state.found.contains(processing) }
            state.wanted.insert(processing)
            return true
        }
    }

    // MARK: Finding

    /// What a picture is made of.
    /// - Parameter decoders: The libraries that decode, as ``decoders`` has them.
    static func source(_ recipe: String, _ bytes: Data, decoders: UInt64 = decoders) -> String {
        "\(recipe)\n\(decoders)\n\(bytes.count) \(Checksum.of(bytes))"
    }

    /// Looks for what is wanted until now of a file.
    /// - Returns: nil where there is nothing to look for; then `then` is not called, and neither is it after a cancel.
    func lookUp(_ body: FetchedBody, then: @escaping @Sendable () -> Void) -> Operation? {
        let bytes = body.bytes
        guard body.isStorable, !bytes.isEmpty, !decoder.isOwn(bytes) else { return nil }
        let source = Self.source(recipe, bytes)
        let wanted = state.withLock { state in
            state.source = source
            return state.wanted
        }
        guard isRead else { return nil }
        let keys = wanted.reduce(into: [:]) { keys, chain in keys[chain] = Self.key(source, chain) }
        if keys.isEmpty { return nil }
        return cache.find(Array(keys.values), within: decoder.limits) { [self] found in
            state.withLock { state in
                state.packed = keys.compactMapValues { found[$0] }
                state.found = Set(state.packed.keys)
            }
            then()
        }
    }

    /// Bytes of what was found, as it is packed.
    var packedBytes: Int { state.withLock { $0.packed.values.reduce(0) { $0 + $1.body.count } } }

    /// Whether all that is wanted was found, so that nothing has to be decoded. From then on that stays so.
    /// - Returns: The bytes that it takes in memory; nil if something is missing.
    func complete() -> Int? {
        state.withLock { state in
            guard !state.wanted.isEmpty, state.wanted.isSubset(of: state.found) else {
                state.packed = [:]
                return nil
            }
            state.isComplete = true
            return state.packed.values.reduce(0) { $0 + $1.record.byteCount + $1.body.count }
        }
    }

    /// Unpacks what was found, if that is all that is wanted.
    /// - Returns: The bytes of the pictures; nil if there is something to decode.
    func unpack() -> Int? {
        let packed = state.withLock { state in
            defer { state.packed = [:] }
            return state.packed
        }
        let images = packed.compactMapValues { cache.unpacked($0) }
        return state.withLock { state in
            guard state.isComplete, images.count == packed.count else {
                state.isComplete = false
                // The others went, and are stored again.
                state.found = Set(images.keys)
                return nil
            }
            state.images = images
            return images.values.reduce(0) { $0 + $1.pixels.byteCount }
        }
    }

    /// Whether nothing was decoded.
    var isComplete: Bool { state.withLock { $0.isComplete } }

    /// A picture that was found; nil for one that is nobody's, as ``want(_:)`` promises the others.
    func image(_ processing: ProcessingChain) -> ScaledImage? { state.withLock { $0.images[processing] } }

    // MARK: Storing

    /// Keeps a picture that somebody wanted, and was not found.
    func store(_ image: ScaledImage, _ processing: ProcessingChain) {
        let source = state.withLock { state in
            state.wanted.contains(processing) && !state.found.contains(processing) ? state.source : nil
        }
        guard let source, image.damage == nil, let key = Self.key(source, processing) else { return }
        cache.store(image, for: key)
    }

    /// Under which name a picture is kept; nil for one that is not. It tells nobody the address.
    private static func key(_ source: String, _ processing: ProcessingChain) -> String? {
        processing.storageText.map { AddressFingerprint.of("\(source)\n\($0)") }
    }
}

extension ProcessingChain {
    /// The steps as a text that no others have, in this program and the next; nil where there is none.
    fileprivate var storageText: String? {
        var text = ""
        for step in steps {
            switch step {
            case .filter(let filter): text += "filter \(filter)\n"
            case .processor(let processor):
                let key = KeyedProcessor(processor)
                guard let type = key.typeName else { return nil }
                text += "processor \(type) \(key.key.utf8.count) \(key.key)\n"
            }
        }
        return text
    }
}
