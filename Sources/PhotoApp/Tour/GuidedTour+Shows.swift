import CGtk
import GtkSupport
import OperationsCore
import PhotoBrowser
import PhotoPipeline
import SampleServer

/// Where something that is shown does not come to pass.
private struct NothingToSee: Error {}

extension GuidedTour {
    /// How long is waited for what is to be seen.
    private static let patience = Duration.seconds(30)

    /// Shows a step.
    ///
    /// - Returns: What there is to see now; nil where it did not come to pass.
    func show(_ step: TourStep) async -> String? {
        let photo = try? await perform(step)
        return photo.map { step.outcome(photo: $0) }
    }

    /// - Returns: The name of the photo that it is shown with.
    private func perform(_ step: TourStep) async throws -> String {
        window.network.speed = NetworkSpeed()
        window.actions.turn("panel", on: step != .comparing)
        switch step {
        case .blocking: return try await showBlocking()
        case .background: return try await showBackground()
        case .dependencies: return try await showDependencies()
        case .states: return try await showStates()
        case .cancelling: return try await showCancelling()
        case .suspending: return try await showSuspending()
        case .asynchronous, .trace: return try await showDownloads(step)
        case .failures: return try await showFailure()
        case .comparing: return try await showComparison()
        case .testing: throw NothingToSee()
        }
    }

    /// Has the server say once more what it has.
    func restoreNetwork() { window.network.missing = [] }

    // MARK: What is shown

    private func showBlocking() async throws -> String {
        let panel = window.panel
        try await wait { panel.isDrawing }
        let start = ContinuousClock.now
        window.strategy = .blocking
        let list = try begin()
        // Whoever has a high screen is not kept for longer than it takes to see it.
        list.blockingDeadline = .now + .seconds(6)
        try await wait { panel.hasStalled(since: start) }
        panel.freeze(since: start)
        return ""
    }

    private func showBackground() async throws -> String {
        window.strategy = .eager
        let list = try begin()
        try await wait { !self.filtered(in: list).isEmpty }
        return ""
    }

    private func showDependencies() async throws -> String {
        let start = ContinuousClock.now
        let list = try begin()
        // So low that those of all stages are seen.
        window.panel.folds = window.panel.folds.map { _ in true }
        let name = list[list.photo(atRow: 0)].name
        let panel = window.panel
        guard let address = list.address(of: list.photo(atRow: 0)) else { throw NothingToSee() }
        try await wait {
            panel.hasRun(["Download", "Decode"], of: address) && list[list.photo(atRow: 0)].state == .filtered
        }
        panel.freeze(since: start)
        panel.choose(name, at: address)
        return name
    }

    private func showStates() async throws -> String {
        let queue = window.pipeline.pending.decodeQueue
        queue.isSuspended = true
        let list = try begin()
        try await wait { self.photosOnScreen(of: list).contains { list.awaitedStage(of: $0) == .decoding } }
        window.panel.step(queue)
        try await wait { queue.isSuspended && !self.window.panel.isStepping(queue) && !self.filtered(in: list).isEmpty }
        guard let photo = filtered(in: list).first else { throw NothingToSee() }
        return list[photo].name
    }

    private func showCancelling() async throws -> String {
        let start = ContinuousClock.now
        let list = try begin()
        let panel = window.panel
        try await wait { panel.runningDownloads > 1 }
        window.page?.scroll(toRow: list.count - 1)
        try await wait { panel.hasCancelled(since: start) && self.window.page?.isComplete ?? false }
        panel.freeze(since: start)
        return ""
    }

    private func showSuspending() async throws -> String {
        let list = try begin()
        try await wait { self.window.page?.isComplete ?? false && list.pendingCount == 0 }
        guard let page = window.page else { throw NothingToSee() }
        let start = ContinuousClock.now
        let player = ScrollPlayer(ScrollScript([.scroll(10, seconds: 1.5), .rest], patience: 15), page)
        var isOver = false
        onEachFrame(of: page.widget) { time in
            isOver = isOver || !player.frame(at: Double(time) / 1_000_000)
            return !isOver && !Task.isCancelled
        }
        try await wait { isOver && page.isComplete }
        window.panel.freeze(since: start)
        return ""
    }

    private func showDownloads(_ step: TourStep) async throws -> String {
        let start = ContinuousClock.now
        let list = try begin()
        try await wait { self.window.page?.isComplete ?? false && list.pendingCount == 0 }
        let panel = window.panel
        guard step == .trace ? panel.isNetworkSlowest(since: start) : panel.mostDownloads(since: start) > 1 else {
            throw NothingToSee()
        }
        panel.freeze(since: start)
        return ""
    }

    private func showFailure() async throws -> String {
        let list = try begin()
        // Nothing is asked for before the rows are laid out.
        if let path = photos?.pathOfSecond { window.network.missing = [path] }
        let photo = list.photo(atRow: 1)
        try await wait { if case .failed = list[photo].state { true } else { false } }
        restoreNetwork()
        return list[photo].name
    }

    private func showComparison() async throws -> String {
        _ = try begin()
        try await wait { self.window.page?.hasAny ?? false }
        window.compare()
        guard window.comparePage.isOpen else { throw NothingToSee() }
        return ""
    }

    // MARK: Helpers

    private func begin() throws -> PhotoList {
        guard let list = openPhotos(), list.count > 1 else { throw NothingToSee() }
        return list
    }

    private func photosOnScreen(of list: PhotoList) -> [Photo.ID] {
        guard list === window.list, let page = window.page else { return [] }
        return page.visibleRows.clamped(to: 0..<list.count).map { list.photo(atRow: $0) }
    }

    /// The photos on screen that are done.
    private func filtered(in list: PhotoList) -> [Photo.ID] {
        photosOnScreen(of: list).filter { list[$0].state == .filtered }
    }

    private func wait(until isMet: () -> Bool) async throws {
        let start = ContinuousClock.now
        while !isMet() {
            guard .now - start < Self.patience else { throw NothingToSee() }
            try await Task.sleep(for: .milliseconds(30))
        }
    }
}
