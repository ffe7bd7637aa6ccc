import CGtk
import Glibc
package import PhotoBrowser
import PhotoPipeline

/// Plays a script on photos that are on screen, frame by frame.
package final class ScrollPlayer {
    private let page: PhotosPage
    private var play: ScrollPlay

    /// - Parameters:
    ///   - script: What is played; it begins with the first frame.
    ///   - page: What is scrolled.
    package init(_ script: ScrollScript, _ page: PhotosPage) {
        self.page = page
        play = ScrollPlay(script)
    }

    /// What was measured so far.
    package var measurement: ScrollMeasurement { play.measurement }

    /// Does what is due in a frame.
    ///
    /// - Parameter now: When the frame is, in seconds of a clock that only grows.
    /// - Returns: Whether the script goes on.
    package func frame(at now: Double) -> Bool {
        guard let adjustment = page.adjustment else { return false }
        let view = ScrollPlay.View(
            position: gtk_adjustment_get_value(adjustment), screen: gtk_adjustment_get_page_size(adjustment),
            length: gtk_adjustment_get_upper(adjustment), isComplete: page.isComplete, hasAny: page.hasAny)
        switch play.frame(at: now, threadTime: Self.threadTime, view) {
        case .wait: return true
        case .scroll(let place):
            gtk_adjustment_set_value(adjustment, place)
            return true
        case .end: return false
        }
    }

    /// The CPU time of the calling thread, in milliseconds.
    private static var threadTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
    }
}

extension PhotosPage {
    /// Whether all photos on screen are done, be it that they have failed.
    package var isComplete: Bool {
        let states = statesOnScreen
        return !states.isEmpty && states.allSatisfy { $0.isStable && $0 != .new && $0 != .downloaded }
    }

    /// Whether a photo on screen has its picture with its look.
    package var hasAny: Bool { statesOnScreen.contains(.filtered) }

    private var statesOnScreen: [Photo.State] {
        visibleRows.clamped(to: 0..<list.count).map { list[list.photo(atRow: $0)].state }
    }
}
