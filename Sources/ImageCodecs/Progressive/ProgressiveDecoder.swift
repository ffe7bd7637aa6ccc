public import FoundationEssentials
public import Pixels

/// Shows a progressive JPEG while it arrives: coarse at first, then finer with each pass.
///
/// Feed it the bytes in the order of the file; whenever `append` says that a pass is due, ask for it with `nextPass`,
/// which decodes. Anything but a progressive JPEG never has a pass, nor has one that goes to a helper process: see
/// `DecodeIsolation`. Passes are for looking at while waiting: the finished file is decoded by `ImageDecoder`, which also says
/// what is wrong with it.
///
/// A pass is due when a whole scan more has arrived, and since the last one 200 ms have gone by, seven times as long as
/// it took, and a quarter more bytes have come. The first is due at once. So passes never take more than an eighth of
/// one processor, however fast the bytes come, and what comes in one piece has one.
///
/// Both functions may be called from different threads at the same time.
public final class ProgressiveDecoder: Sendable {
    private struct Arrival {
        /// All bytes until the header is known, then those that have not been decoded.
        var bytes: [UInt8] = []
        /// All that has come.
        var total = 0
        /// How many bytes make it worth looking for the header again.
        var nextLook = 1_024
        var header: JPEGHeader?
        var counter = ScanCounter()
        var schedule = PassSchedule()
        /// Nothing will be shown of this file.
        var isHopeless = false

        func isDue(_ now: ContinuousClock.Instant) -> Bool {
            header != nil && !isHopeless && schedule.isDue(scans: counter.wholeScans, bytes: total, now: now)
        }
    }

    /// Headers with more than this before the picture are not waited for.
    private static let mostHeaderBytes = 1 << 20

    private let options: DecodeOptions
    private let limits: DecodeLimits
    private let arrival = Guarded(Arrival())
    private let passes = Guarded<JPEGPasses?>(nil)

    /// A decoder that has seen no bytes yet.
    ///
    /// - Parameters:
    ///   - longestSide: As for `ImageDecoder.decode`; the passes have the size of the finished picture.
    ///   - limits: A file beyond them has no passes; the time limit is that of one pass. Between the first pass and the
    ///     last release of the decoder, all coefficients of the picture are in memory.
    public convenience init(longestSide: Int?, limits: DecodeLimits = DecodeLimits()) {
        self.init(DecodeOptions(resize: longestSide.map(Resize.longestSide)), limits: limits)
    }

    /// A decoder that has seen no bytes yet.
    ///
    /// - Parameters:
    ///   - options: As for `ImageDecoder.decodeWithInfo`; the passes have the size of the finished picture. Where that is cut by
    ///     attention, each pass is cut by what can be seen in it.
    ///   - limits: As for the other initializer.
    public init(_ options: DecodeOptions, limits: DecodeLimits = DecodeLimits()) {
        self.options = options
        self.limits = limits
    }

    /// Takes the next bytes; copies them, and does nothing else that takes time.
    ///
    /// - Parameters:
    ///   - bytes: What has come since the last call.
    ///   - now: The time, for tests.
    /// - Returns: whether a pass is due.
    public func append(_ bytes: Data, now: ContinuousClock.Instant = .now) -> Bool {
        bytes.withUnsafeBytes { append($0, now: now) }
    }

    /// Takes the next bytes, as the function above does, from where they are.
    package func append(_ bytes: UnsafeRawBufferPointer, now: ContinuousClock.Instant = .now) -> Bool {
        arrival.withLock { arrival in
            arrival.total += bytes.count
            guard !arrival.isHopeless else { return false }
            arrival.bytes += bytes
            if arrival.header != nil {
                arrival.counter.count(bytes)
            } else if arrival.bytes.count >= arrival.nextLook {
                lookForHeader(&arrival)
            }
            return arrival.isDue(now)
        }
    }

    /// When the next pass is due if no more bytes come, which may be over; nil if there is none without more.
    package var nextDue: ContinuousClock.Instant? {
        arrival.withLock { arrival in
            guard arrival.header != nil, !arrival.isHopeless else { return nil }
            return arrival.schedule.due(scans: arrival.counter.wholeScans, bytes: arrival.total, now: .now)
        }
    }

    /// The bytes of the file that wait for the next pass.
    package var keptByteCount: Int { arrival.withLock { $0.bytes.count } }

    /// The bytes that a pass takes and that stay taken as long as there are passes; nil until the header has come, and
    /// where there will be no pass.
    package var memoryNeeded: Int? {
        arrival.withLock { arrival in
            guard let header = arrival.header, !arrival.isHopeless else { return nil }
            let image = header.image
            return image.fixedBytes.saturatingSum(image.plan(options).bytes(from: image.size, image.orientation))
        }
    }

    private func lookForHeader(_ arrival: inout Arrival) {
        arrival.nextLook = arrival.bytes.count + arrival.bytes.count / 2
        arrival.bytes.withUnsafeBytes { bytes in
            let reader = ByteReader(bytes)
            do throws(ImageCodecError) {
                guard ContentKind(sniffing: reader) == .image(.jpeg) else {
                    arrival.isHopeless = true
                    return
                }
                guard !HelperPool.isWanted(for: .jpeg, limits) else {
                    arrival.isHopeless = true
                    return
                }
                guard let header = try JPEGFile(reader, isPartial: true, limits: limits)?.header else {
                    arrival.isHopeless = bytes.count > Self.mostHeaderBytes
                    return
                }
                try header.image.check(limits, header.image.plan(options))
                arrival.header = header
                arrival.isHopeless = !header.isProgressive || HelperPool.isWanted(for: header, limits)
                arrival.counter.count(reader.slice(header.scanOffset..<bytes.count).bytes)
            } catch {
                arrival.isHopeless = true
            }
        }
        if arrival.isHopeless { arrival.bytes = [] }
    }

    /// Decodes the pass that is due, on the calling thread.
    ///
    /// - Parameters:
    ///   - now: The time, for tests.
    ///   - isCancelled: Asked often, on the calling thread; it must be quick.
    /// - Returns: the picture as far as it is known, upright, in sRGB and of the finished picture's size; nil if none is
    ///   due.
    /// - Throws: `damaged` and the like; from then on there are no passes.
    public func nextPass(
        now: ContinuousClock.Instant = .now, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(ImageCodecError) -> PixelBuffer? {
        try passes.withLock { passes throws(ImageCodecError) in
            let work: (header: JPEGHeader, bytes: [UInt8], total: Int)? = arrival.withLock { arrival in
                guard arrival.isDue(now), let header = arrival.header else { return nil }
                defer { arrival.bytes = [] }
                return (header, arrival.bytes, arrival.total)
            }
            guard let work else { return nil }
            do throws(ImageCodecError) {
                let start = ContinuousClock.now
                let session: JPEGPasses
                if let begun = passes { session = begun } else { session = try makePasses(work.header) }
                passes = session
                let watch = DecodeWatch(timeLimit: limits.timeLimit, isCancelled: isCancelled)
                try session.feed(work.bytes, watch: watch)
                guard session.wholeScans > 0 else { throw .damaged("it has no whole scan") }
                let image = try AttentionCrop.finished(session.draw(watch: watch), options, watch: watch)
                let scans = session.wholeScans
                let time = ContinuousClock.now - start
                arrival.withLock { $0.schedule.drew(scans: scans, bytes: work.total, from: now, to: now + time) }
                return image
            } catch {
                passes = nil
                arrival.withLock { arrival in
                    arrival.isHopeless = true
                    arrival.bytes = []
                }
                throw error
            }
        }
    }

    private func makePasses(_ header: JPEGHeader) throws(ImageCodecError) -> JPEGPasses {
        try JPEGPasses(header: header, plan: header.image.plan(options), limits: limits)
    }
}
