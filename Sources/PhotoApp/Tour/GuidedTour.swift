import GtkSupport
import OperationsCore
import PhotoBrowser
import PhotoPipeline

/// The tutorial “The classic photo list, step by step” as a tour through the running program: each step shows its idea with the
/// program's own list, queues and timeline.
///
/// Nothing changes before somebody has a step shown. What they had open, and how they had the program work, they get back at the end.
final class GuidedTour {
    let card = TourCard()
    unowned let window: BrowserWindow
    /// The photos that it shows things with; nil before the first time.
    var photos: TourPhotos?
    private var step = TourStep.blocking
    /// What is being shown.
    private var showing: Task<Void, Never>?
    /// What the person had before; nil while nothing was changed.
    private var state: TourState?
    /// The list that the tour has opened.
    private weak var list: PhotoList?

    init(_ window: BrowserWindow) {
        self.window = window
        card.onPress = { [weak self] in self?.take($0) }
    }

    /// Whether the photos on screen are those of the tour.
    var isListShown: Bool { list != nil && list === window.list }

    /// Begins, or goes to where it is.
    func open() {
        if !card.isOpen {
            card.isOpen = true
            go(to: .blocking)
        }
        card.takeFocus()
    }

    /// Ends, and gives back what the person had.
    func close() {
        guard card.isOpen else { return }
        end()
        card.isOpen = false
        guard let state else {
            window.page?.takeFocus()
            return
        }
        self.state = nil
        window.closeComparison()
        if isListShown { window.giveBack(state.opened) }
        window.giveBack(state.work)
    }

    /// Ends what is being shown, and no more.
    func end() {
        showing?.cancel()
        showing = nil
        restoreNetwork()
    }

    /// Opens the tour's photos, with no picture in memory.
    ///
    /// - Returns: The list; nil where there are no such photos.
    func openPhotos() -> PhotoList? {
        photos = photos ?? TourPhotos(from: window.network)
        guard let photos else { return nil }
        let hadFocus = card.hasFocus
        list = window.showTour(photos.catalog)
        // Who goes through the tour by keys goes on from there.
        if hadFocus { card.takeFocus() }
        return list
    }

    // MARK: Steps

    private func take(_ button: TourCard.Button) {
        switch button {
        case .back: go(by: -1)
        case .next: go(by: 1)
        case .show: show()
        case .chapter: HelpWindow.show(over: window.window, at: step.chapter)
        case .close: close()
        }
    }

    private func go(by steps: Int) {
        guard let next = TourStep(rawValue: step.rawValue + steps) else { return close() }
        go(to: next)
        card.takeFocus()
    }

    private func go(to next: TourStep) {
        end()
        if state != nil { calm() }
        step = next
        card.begin(next)
    }

    /// Has the program do what the step is about.
    private func show() {
        end()
        keep()
        calm()
        card.say(step.idea)
        card.isShowing = true
        let step = step
        showing = Task { [weak self] in
            let outcome = await self?.show(step)
            guard let self, !Task.isCancelled else { return }
            card.isShowing = false
            card.say(outcome ?? tr("This time it could not be shown. Try it once more."))
        }
    }

    /// Notes what the person has, where that is not what the tour has made.
    private func keep() {
        if state == nil {
            state = TourState(work: window.tourWork, opened: window.tourOpened)
        } else if !isListShown {
            // They have opened something else meanwhile.
            state?.opened = window.tourOpened
        }
    }

    /// Has the program work by itself, in the way that it does by default.
    private func calm() {
        window.closeComparison()
        window.actions.turn("pause", on: false)
        window.panel.endSteps()
        for queue in window.pipeline.pending.queues { queue.isSuspended = false }
        window.strategy = .visible
        window.panel.goLive()
        if let state { window.panel.folds = state.work.folds }
        window.refreshStates()
    }
}
