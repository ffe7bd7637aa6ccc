public import PhotoPipeline

/// Failures by which photos are chosen that are to be taken again.
public struct FailureSelection: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// The reasons that are chosen.
    public var reasons: Set<PhotoError.Reason>
    /// The classes of HTTP statuses that are chosen of ``/PhotoPipeline/PhotoError/Reason/http``, by their first digit: 5 for the
    /// statuses from 500 to 599.
    public var statusClasses: Set<Int>

    /// Chooses reasons, and classes of HTTP statuses.
    ///
    /// - Parameters:
    ///   - reasons: The reasons.
    ///   - statusClasses: The first digits of statuses. Default: none.
    public init(_ reasons: Set<PhotoError.Reason>, statusClasses: Set<Int> = []) {
        (self.reasons, self.statusClasses) = (reasons, statusClasses)
    }

    /// Chooses reasons.
    public init(arrayLiteral reasons: PhotoError.Reason...) {
        self.init(Set(reasons))
    }

    /// Whether a failure is one of them.
    public func contains(_ error: PhotoError) -> Bool { contains(error.reason, detailStart: error.detail.utf8.first) }

    /// - Parameter detailStart: What the failure's detail begins with: the status, where that is the reason.
    func contains(_ reason: PhotoError.Reason, detailStart: UInt8?) -> Bool {
        if reasons.contains(reason) { return true }
        guard reason == .http, let detailStart else { return false }
        return statusClasses.contains(Int(detailStart) - 0x30)
    }
}
