import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

/// Plays the photo of the large view, where it is an animation: each frame for as long as the file says, and all of them as many
/// times. Then the last one stays, until the photo is shown anew.
///
/// Where the person wants no animations on the desktop, nothing moves.
final class MovingPhoto {
    /// Called with each frame's picture.
    var onFrame: () -> Void = {}
    /// The frame that is to be seen; nil for a photo that does not move.
    private(set) var frame: PixelBuffer?
    private var task: Task<Void, Never>?
    /// What is played, or was found not to move.
    private var played: (photo: Photo.ID, look: PhotoLook)?

    isolated deinit { task?.cancel() }

    /// Plays a photo; one that is played goes on, and one that has come to its end stays there.
    func play(_ photo: Photo.ID, of list: PhotoList) {
        guard played.map({ $0.photo != photo || $0.look != list.looks[photo] }) ?? true else { return }
        stop()
        played = (photo, list.looks[photo])
        guard list.mayMove(photo), Self.isWanted else { return }
        task = Task { [weak self, weak list] in
            // What cannot be had or read the list itself says of its still picture.
            guard let animation = try? await list?.animation(of: photo), animation.frameCount > 1 else { return }
            var next = ContinuousClock.now
            var rounds = 0
            while !Task.isCancelled, animation.loopCount == 0 || rounds < animation.loopCount {
                rounds += 1
                for index in 0..<animation.frameCount {
                    guard let frame = try? await animation.frame(index) else { return }
                    try? await Task.sleep(until: next, clock: .continuous)
                    guard !Task.isCancelled, let self else { return }
                    self.frame = frame.image
                    onFrame()
                    // A frame that was late is shown for its whole time all the same.
                    next = max(next, .now) + Self.time(of: frame)
                }
            }
        }
    }

    /// Plays nothing any more.
    func stop() {
        task?.cancel()
        (task, frame, played) = (nil, nil, nil)
    }

    /// As browsers take it.
    private static func time(of frame: ImageAnimation.Frame) -> Duration {
        frame.duration < .milliseconds(20) ? .milliseconds(100) : frame.duration
    }

    private static var isWanted: Bool {
        guard let settings = gtk_settings_get_default() else { return true }
        var value = GValue()
        g_value_init(&value, cgtk_fundamental_boolean())
        defer { g_value_unset(&value) }
        g_object_get_property(cast(settings), "gtk-enable-animations", &value)
        return g_value_get_boolean(&value) != 0
    }
}
