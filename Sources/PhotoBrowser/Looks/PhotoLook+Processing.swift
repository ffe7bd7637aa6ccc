import PhotoPipeline

extension PhotoLook {
    /// What the pipeline does to a picture that is to have this look.
    var processing: ProcessingChain { ProcessingChain(filter, intensity: intensity) }
}
