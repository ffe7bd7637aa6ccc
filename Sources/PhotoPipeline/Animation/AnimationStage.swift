import ImageCodecs
import Operations

extension SharedStages {
    /// Makes a look at what there is of frames in the bytes that a transfer brings.
    func animationStage(_ request: ImageRequest, _ key: DecodeKey, _ access: inout Access) -> AnimationStage {
        let (fetch, _) = fetchStage(request, key.fetch, nil, &access)
        return animations.add(key, after: fetch, &access) { stage in
            let opening = StageOperation("Open animation", whenFailed: fail(stage)) {
                [options = decodeOptions(key), limits = configuration.decodeLimits, decoding] operation
                    throws(PhotoError) in
                let source = try fetch.take(for: stage)?.withResponse { (response) throws(PhotoError) in
                    do throws(ImageCodecError) {
                        return try FrameSource(
                            response.body, options: options, limits: limits, decode: decoding
                        ) { [unowned operation] in operation.isCancelled }
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
