import Dispatch
public import PhotoPipeline

extension PhotoList {
    /// How close together the view is told how far transfers are.
    private static let progressInterval = DispatchTimeInterval.milliseconds(250)

    /// How much of a photo's transfer is there, from 0 to 1; nil where none goes on, and where its server does not say how much there is.
    public func progress(of photo: Photo.ID) -> Double? {
        guard let record = state.records[photo], record.state == .downloading, let run = record.run?.run else {
            return nil
        }
        return work[run]?.task?.transferProgress
    }

    /// Tells the view from time to time how far the transfers on screen are, for as long as there are some.
    func followTransfers() {
        guard !isFollowingTransfers, !transfersOnScreen.isEmpty else { return }
        isFollowingTransfers = true
        DispatchQueue.main.asyncAfter(deadline: .now() + Self.progressInterval) { [weak self] in
            // The main queue is the main actor's.
            MainActor.assumeIsolated { self?.tellProgress() }
        }
    }

    private func tellProgress() {
        isFollowingTransfers = false
        // Whoever scrolls does not read.
        let changed = isScrolling ? [] : transfersOnScreen.filter { progress(of: $0) != nil }
        if !changed.isEmpty { onChange?(Set(changed)) }
        followTransfers()
    }

    private var transfersOnScreen: [Photo.ID] {
        state.visible.filter { state.records[$0]?.state == .downloading }
    }
}
