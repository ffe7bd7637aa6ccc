/// A chapter of the tutorial, “The classic photo list, step by step”.
enum TutorialChapter: Int, CaseIterable {
    case blocking = 1, background, dependencies, states, cancelling, suspending, asynchronous, failures, testing, trace

    /// What it is called in the user's language, as in the tutorial itself.
    var title: String {
        switch self {
        case .blocking: tr("The list that blocks")
        case .background: tr("Work in the background")
        case .dependencies: tr("Operations with dependencies")
        case .states: tr("States")
        case .cancelling: tr("Cancelling what scrolled away")
        case .suspending: tr("Suspending while scrolling")
        case .asynchronous: tr("Asynchronous operations")
        case .failures: tr("Failures, and trying again")
        case .testing: tr("Testing with a seeded scheduler")
        case .trace: tr("Reading the trace")
        }
    }

    /// Its title behind its number.
    var heading: String {
        tr("{number}. {title}").filled(["number": rawValue.grouped, "title": title])
    }

    /// The program that goes with it, a product of the package.
    var program: String {
        switch self {
        case .blocking: "list-1-blocking"
        case .background: "list-2-background"
        case .dependencies: "list-3-dependencies"
        case .states: "list-4-states"
        case .cancelling: "list-5-cancelling"
        case .suspending: "list-6-suspending"
        case .asynchronous: "list-7-asynchronous"
        case .failures: "list-8-failures"
        case .testing: "list-9-testing"
        case .trace: "list-10-trace"
        }
    }
}
