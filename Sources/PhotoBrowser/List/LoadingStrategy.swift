/// When a list starts and stops the work for its rows, so that the difference can be measured and felt.
public enum LoadingStrategy: String, CaseIterable, Hashable, Sendable {
    /// A row that comes on screen is downloaded, decoded and filtered on the main thread, which waits for it.
    ///
    /// It is how the tutorials begin; nothing else moves meanwhile.
    case blocking
    /// Every row that comes on screen, be it for a moment, is started at once in the background, and never stopped.
    case eager
    /// Works for what is on screen, and a little around it; holds while the user scrolls fast. The default.
    case visible

    /// Whether work is held while scrolling, cancelled when rows leave, and done ahead of the user.
    var isSelective: Bool { self == .visible }
}
