/// A file in the catalog's folder that a run does not develop.
public struct LeftOutFile: Hashable, Sendable {
    /// Why it is left out.
    public enum Reason: Sendable {
        /// An earlier run wrote it there: it is what was made of a picture.
        case result
        /// It is the contact sheet of an earlier run, which this one replaces.
        case contactSheet
    }

    /// The file's name in the folder.
    public let name: String
    /// Why it is left out.
    public let reason: Reason
}
