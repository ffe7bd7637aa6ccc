/// A step of the guided tour: an idea of the tutorial, what shows it, and what is seen then.
enum TourStep: Int, CaseIterable {
    case blocking, background, dependencies, states, cancelling, suspending, asynchronous, failures, testing, trace
    case comparing

    /// The chapter of the tutorial that explains it; nil where several do.
    var chapter: TutorialChapter? { TutorialChapter(rawValue: rawValue + 1) }

    /// Whether the program can show it while it runs.
    var isLive: Bool { self != .testing }

    /// What it is called; a chapter's name where it has one.
    var title: String { chapter?.title ?? tr("Three ways, side by side") }

    /// What it is about.
    var idea: String {
        switch self {
        case .blocking:
            tr(
                "The first list fetches each photo on the main thread. That thread also draws, scrolls and answers clicks."
            )
        case .background:
            tr("An operation queue works on other threads. Its width says how many of its operations run side by side.")
        case .dependencies:
            tr(
                "To download, to decode and to filter a photo are operations. Each depends on the one before, and waits for it."
            )
        case .states:
            tr(
                "An operation is pending, ready, executing or finished. A photo has states of its own, and its row says them."
            )
        case .cancelling:
            tr(
                "Rows that have left the screen shall cost nothing more. So the list cancels what it has begun for them."
            )
        case .suspending:
            tr(
                "While a list flies past, each row is there for a few frames only. To download its photo would be in vain."
            )
        case .asynchronous:
            tr("A download waits for the network most of the time. An asynchronous operation waits without a thread.")
        case .failures:
            tr("Some failures pass, and others stay. Whoever reads what went wrong knows whether to try again.")
        case .testing:
            tr(
                "Threads run in another order each time, and a test may miss a mistake. With a seed any order repeats. A window cannot show this: the chapter’s program tries a hundred orders."
            )
        case .trace:
            tr(
                "Before a list is made faster, look where its time goes. The stage whose lane has no gaps holds up the others."
            )
        case .comparing:
            tr(
                "“blocking”, “eager” and “visible” scroll the same photos, one after the other. What each of them costs is measured."
            )
        }
    }

    /// What there is to see once it is shown.
    ///
    /// - Parameter photo: The name of the photo that it is shown with.
    func outcome(photo: String) -> String {
        switch self {
        case .blocking:
            tr(
                "While photos were fetched, nothing moved and nothing answered. In the lane of the main thread this time is red."
            )
        case .background:
            tr("The photos came in the background. Scroll to the next ones: the window answers while they come.")
        case .dependencies:
            tr("The bars of “{name}” stand out. A line joins each of them with the one that it waited for.")
                .filled(["name": photo])
        case .states:
            tr(
                "The decode queue is suspended, and rows wait for it. One operation was run by hand: “{name}” is done. The button beside the queue runs the next."
            )
            .filled(["name": photo])
        case .cancelling:
            tr(
                "The list jumped to its end while the first photos were on their way. Hatched bars are downloads that were cancelled then."
            )
        case .suspending:
            tr(
                "No download began while the list flew past: the lane has a gap. When it came to rest, the photos on screen were fetched."
            )
        case .asynchronous:
            tr(
                "Bars above each other are downloads that waited at the same time. One thread waits for all of them; a window cannot show that, but the chapter does."
            )
        case .failures:
            tr(
                "The server said that it has no such picture, and the row of “{name}” says so. By now the server has it: press Try Again."
            )
            .filled(["name": photo])
        case .testing: ""
        case .trace:
            tr(
                "The bars of downloads are long, and the others short: they wait for the network. “Save Trace…” keeps all of it in a file."
            )
        case .comparing:
            tr("Each card fills while its way runs. In the end a sentence says what made the difference.")
        }
    }
}
