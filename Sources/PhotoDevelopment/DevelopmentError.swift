/// Why a whole catalog cannot be developed.
public enum DevelopmentError: Error, Sendable, CustomStringConvertible {
    /// The folder for the pictures cannot be used.
    case outputUnusable(path: String, reason: String)
    /// The report cannot be written.
    case reportUnusable(path: String, reason: String)
    /// The contact sheet cannot be written.
    case contactSheetUnusable(path: String, reason: String)
    /// The trace cannot be written.
    case traceUnusable(path: String, reason: String)

    public var description: String {
        switch self {
        case .outputUnusable(let path, let reason): "cannot write to the folder \(path): \(reason)"
        case .reportUnusable(let path, let reason): "cannot write the report \(path): \(reason)"
        case .contactSheetUnusable(let path, let reason): "cannot write the contact sheet \(path): \(reason)"
        case .traceUnusable(let path, let reason): "cannot write the trace \(path): \(reason)"
        }
    }
}
