import Operations
public import PhotoPipeline

extension PhotoList {
    /// Reads what a photo's file says of itself. The file is fetched for that, unless it is there.
    ///
    /// - Throws: Why the file cannot be had; `cancelled` where the task is cancelled.
    public func information(of photo: Photo.ID) async throws(PhotoError) -> PhotoInformation {
        // Its smallest picture, which is never made: it is given up as soon as its file is there.
        let result = await read(try request(for: photo, longestSide: 1).get(), photo)
        return try result.get()
    }

    private func read(_ request: ImageRequest, _ photo: Photo.ID) async -> Result<PhotoInformation, PhotoError> {
        let reading = Lock(Reading())
        var request = request
        request.fetchObserver = FetchObserver { [limits = pipeline.decodeLimits] file, metrics in
            let information = PhotoInformation(file, metrics, limits: limits)
            let task = reading.withLock { reading -> PhotoTask? in
                reading.result = .success(information)
                return reading.task
            }
            task?.cancel()
        }
        let task = pipeline.task(for: request, of: photo, label: catalog[photo.index].caption) { update in
            guard case .failed(let error) = update.state else { return }
            reading.withLock { if $0.result == nil { $0.result = .failure(error) } }
        }
        reading.withLock { $0.task = task }
        await WorkWait.untilOver { wait in
            // Given up also when the file is there.
            task.start(whenGivenUp: { wait.end() }, whenFinished: { wait.end() })
        } orCancelled: {
            task.cancel()
        }
        let result = reading.withLock { reading in
            // It holds the task, which holds the observer.
            reading.task = nil
            return reading.result
        }
        return result ?? .failure(PhotoError(.cancelled, "The file was not read: it was cancelled."))
    }
}

/// A file that is being read.
private struct Reading {
    var result: Result<PhotoInformation, PhotoError>?
    var task: PhotoTask?
}
