import PhotoBrowser

/// What is said about operations, in the user's language.
enum TimelineText {
    /// What is said where nothing is pointed at.
    static var hint: String {
        tr(
            "Point at a bar or a photo to see its times. Two clicks show a bar from end to end; scroll to go back in time."
        )
    }

    /// What an operation does and for which photo; what somebody else has named stays as it is.
    ///
    /// - Parameter name: A stage's name, and behind it the photo's.
    static func title(ofOperation name: String) -> String {
        if let stage = stages[name] { return stage }
        guard let (stage, title) = stages.first(where: { name.hasPrefix($0.key + " ") }) else { return name }
        return "\(name.dropFirst(stage.count + 1)) · \(title)"
    }

    /// How long an operation waited and ran, and what it waited for.
    ///
    /// - Parameter now: Until when it has run, where it still does.
    static func text(of bar: Timeline.Bar, now: Duration) -> String? {
        guard let started = bar.started else { return nil }
        let ran = (bar.finished ?? now) - started
        let text = tr("{name}: waited {waited} ms, ran {ran} ms").filled([
            "name": title(ofOperation: bar.name), "waited": milliseconds(started - bar.added),
            "ran": milliseconds(ran),
        ])
        guard !bar.dependencies.isEmpty else { return text }
        let names = bar.dependencies.map(title).joined(separator: ", ")
        return text + " · " + tr("after: {names}").filled(["names": names])
    }

    /// How long the main thread answered nobody.
    static func text(of busy: MainThread.Busy) -> String {
        tr("The main thread answered nobody for {number} ms.").filled(["number": milliseconds(busy.to - busy.from)])
    }

    /// How long each stage of the photo of an address ran the last time; nil where nothing is known of it.
    ///
    /// - Parameter photo: What it is called.
    static func text(of photo: String, at address: String, in timeline: Timeline, now: Duration) -> String? {
        let runs = timeline.lastRuns(of: address)
        guard !runs.isEmpty else { return nil }
        let figures = runs.compactMap { bar -> String? in
            guard let stage = bar.stage, let started = bar.started else { return nil }
            let time = tr("{number} ms").filled(["number": milliseconds((bar.finished ?? now) - started)])
            return "\(stages[stage] ?? stage) \(time)"
        }
        return "\(photo): " + figures.joined(separator: " · ")
    }

    /// Short times have a decimal: some stages take two milliseconds.
    private static func milliseconds(_ time: Duration) -> String {
        let number = time / .milliseconds(1)
        return number < 99.95 ? number.written(decimals: 1) : Int(number.rounded()).grouped
    }

    private static var stages: [String: String] {
        [
            "Download": tr("Download"), "Wait for memory": tr("Wait for memory"), "Preview": tr("Preview"),
            "Decode": tr("Decode"), "Filter": tr("Filter"), "Save": tr("Save"),
        ]
    }
}
