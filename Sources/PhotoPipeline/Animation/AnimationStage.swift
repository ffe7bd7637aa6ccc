import ImageCodecs
import Operations

extension PhotoPipeline {
    /// Makes a look at what there is of frames in the bytes that a transfer brings.
    func animationStage(_ request: ImageRequest, _ key: ImageKey, _ access: inout Access) -> AnimationStage {
        let (fetch, _) = fetchStage(request, key.file, nil, &access)
        return animations.add(key, after: fetch, &access) { stage in
            let opening = StageOperation("Open animation", whenFailed: fail(stage, StageTimes(.decode))) {
                [options = decodeOptions(key), decoder] operation throws(PhotoError) in
                let source = try fetch.take(for: stage)?.withBytes { (bytes, _) throws(PhotoError) in
                    do throws(ImageCodecError) {
                        return try FrameSource(bytes, options: options, decoder: decoder) { [weak operation] in
                            operation?.isCancelled ?? true
                        }
                    } catch {
                        throw PhotoError(error)
                    }
                }
                if let source { stage.finish(with: .success(source)) }
            }
            return [(opening, pending.decodeQueue)]
        }
    }
}
