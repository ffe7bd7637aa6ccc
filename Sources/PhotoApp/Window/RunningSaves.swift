/// The saves of all windows. They belong to the program, and go on without their windows.
enum RunningSaves {
    /// A job, and what is said of it.
    final class Entry {
        let job: any SaveUnderWay
        let text: String
        /// Whether nobody wants what it makes when its window is closed.
        let isOfWindow: Bool
        /// The lines of the window that has begun it, and whose pipeline has the photos.
        let begunBy: ObjectIdentifier
        /// The lines that show it; nil where its window is closed, and no other one has taken it over.
        weak var shownBy: SavesUnderWay?

        fileprivate init(_ job: any SaveUnderWay, _ text: String, _ isOfWindow: Bool, by saves: SavesUnderWay) {
            (self.job, self.text, self.isOfWindow) = (job, text, isOfWindow)
            (begunBy, shownBy) = (ObjectIdentifier(saves), saves)
        }
    }

    private static var entries: [Entry] = []

    /// Whether there is one that goes on without its window.
    static var outlastWindows: Bool { entries.contains { !$0.isOfWindow } }

    /// Those that no window shows.
    static var unseen: [Entry] { entries.filter { $0.shownBy == nil && !$0.isOfWindow } }

    /// How many a window has begun.
    static func count(begunBy saves: SavesUnderWay) -> Int {
        entries.count { $0.begunBy == ObjectIdentifier(saves) }
    }

    static func add(_ job: any SaveUnderWay, _ text: String, isOfWindow: Bool, by saves: SavesUnderWay) {
        entries.append(Entry(job, text, isOfWindow, by: saves))
    }

    /// Forgets a job that is over.
    ///
    /// - Returns: What is known of it; nil where it is forgotten already.
    static func remove(_ job: any SaveUnderWay) -> Entry? {
        entries.firstIndex { $0.job === job }.map { entries.remove(at: $0) }
    }

    /// Leaves what a window shows to others: its widgets are gone in a moment.
    static func leave(_ saves: SavesUnderWay) {
        for entry in entries where entry.shownBy === saves {
            entry.shownBy = nil
            if entry.isOfWindow { entry.job.cancel() }
        }
    }

    /// Gives up what is not written yet.
    static func cancelAll() {
        for entry in entries { entry.job.cancel() }
    }
}
