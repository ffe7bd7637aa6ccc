import GtkSupport
import PhotoPipeline

/// Says when to go to the next photo: after each was shown for a while.
///
/// A photo that is still loading is waited for. One that cannot be shown has its reason shown, for the same time.
final class Slideshow {
    /// Goes to the next photo; false if there is none.
    var onNext: () -> Bool = { false }
    /// Called with whether it runs, when that has changed.
    var onSwitch: (Bool) -> Void = { _ in }
    private(set) var isRunning = false
    private let interval: Duration
    private var timer: LoopTimer?
    private var photo: Photo.ID?
    private var isSettled = false

    /// - Parameter interval: How long each photo is shown.
    init(interval: Duration) {
        self.interval = interval
    }

    /// Begins with the photo that is seen.
    func start() {
        guard !isRunning, photo != nil else { return }
        isRunning = true
        onSwitch(true)
        wait()
    }

    /// Stays at the photo that is seen.
    func end() {
        guard isRunning else { return }
        isRunning = false
        timer = nil
        onSwitch(false)
    }

    /// Notes what is seen.
    ///
    /// - Parameters:
    ///   - photo: The photo; nil if the large view is left.
    ///   - isSettled: Whether it is there, or cannot be shown.
    func see(_ photo: Photo.ID?, isSettled: Bool) {
        guard photo != self.photo || isSettled != self.isSettled else { return }
        (self.photo, self.isSettled) = (photo, isSettled)
        if photo == nil { end() }
        wait()
    }

    private func wait() {
        guard isRunning, isSettled else {
            timer = nil
            return
        }
        timer = LoopTimer(after: interval) { [weak self] in self?.goOn() }
    }

    private func goOn() {
        timer = nil
        if !onNext() { end() }
    }
}
