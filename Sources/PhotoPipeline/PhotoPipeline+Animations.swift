import Operations

extension PhotoPipeline {
    /// The frames of the animated GIF or WebP that a request names, each decoded when it is asked for.
    ///
    /// A picture of any other kind is an animation of one frame. The file is transferred once for this and for pictures
    /// of the same address that are wanted at the same time. Limits on pixels, frames and memory are applied to the
    /// header, before anything is decoded, and never is more than one frame of it decoded at a time. Cancelling the calling
    /// task ends what nobody else wants, and the wait at once.
    ///
    /// <!-- given
    /// let pipeline = PhotoPipeline()
    /// func show(_ picture: PixelBuffer) { print(picture.size) }
    /// -->
    /// ```swift
    /// import Foundation
    /// import PhotoPipeline
    ///
    /// let address = URL(string: "https://example.org/waves.gif")!
    /// let animation = try await pipeline.animation(for: ImageRequest(address: address, longestSide: 256))
    /// for try await frame in animation.frames {
    ///     show(frame.image)
    ///     try await Task.sleep(for: frame.duration)
    /// }
    /// ```
    /// <!-- prints
    /// 2 x 2
    /// 2 x 2
    /// -->
    /// - Parameter request: What is wanted; its processing is done to each frame.
    /// - Throws: Why there are no frames; `.cancelled` if the calling task was cancelled before there were.
    public func animation(for request: ImageRequest) async throws(PhotoError) -> ImageAnimation {
        let logger = PhotoLogger(log, label: nil, request.address)
        logger?.add(.requested)
        do throws(PhotoError) {
            return try await openAnimation(for: request)
        } catch {
            logger?.add(error.reason == .cancelled ? .cancelled : .failed(error))
            throw error
        }
    }

    private func openAnimation(for request: ImageRequest) async throws(PhotoError) -> ImageAnimation {
        let key = key(request)
        let hold = group.hold(priority: request.priority) { access in
            animations.work(for: key, &access) ?? animationStage(request, key, &access)
        }
        guard let hold else { throw .cancelled }
        await WorkWait.untilOver { [pending] wait in
            let cancel: @Sendable () -> Void = {
                hold.cancel()
                wait.end()
            }
            pending.insert(hold, cancel: cancel)
            hold.start {
                pending.remove(hold)
                wait.end()
            }
        } orCancelled: {
            hold.cancel()
        }
        let source = try (hold.take() ?? .failure(.cancelled)).get()
        return ImageAnimation(
            source, request, maxPixels: configuration.decodeLimits.maxPixels, gate: gate, pending: pending)
    }
}
