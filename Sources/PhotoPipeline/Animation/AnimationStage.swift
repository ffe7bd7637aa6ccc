import ImageCodecs
import Operations

extension PhotoPipeline {
    /// Makes a look at what there is of frames in the bytes that a transfer brings.
    func animationStage(_ request: ImageRequest, _ key: ImageKey, _ access: inout Access) -> AnimationStage {
        let (fetch, _) = fetchStage(request, key.file, nil, &access)
        return animations.add(key, after: fetch, &access) { stage in
            let opening = StageOperation("Open animation", of: stage, StageTimes(.decode)) {
                [options = decodeOptions(key), decoder] operation throws(PhotoError) in
                guard let body = try fetch.take(for: stage)?.get() else { return }
                defer { withExtendedLifetime(body.lease) {} }
                do throws(ImageCodecError) {
                    let source = try FrameSource(body.bytes, options: options, decoder: decoder) { [weak operation] in
                        operation?.isCancelled ?? true
                    }
                    stage.finish(with: .success(source))
                } catch {
                    throw PhotoError(error)
                }
            }
            return [(opening, pending.decodeQueue)]
        }
    }
}
