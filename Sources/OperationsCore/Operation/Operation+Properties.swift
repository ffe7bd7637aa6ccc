import Foundation

extension Operation {
    /// Which of several ready operations of a queue starts first.
    public enum QueuePriority: Int, Sendable {
        /// Behind all others.
        case veryLow = -8
        /// Behind normal ones.
        case low = -4
        /// The default.
        case normal = 0
        /// Before normal ones.
        case high = 4
        /// Before all others.
        case veryHigh = 8

        /// The same among five, 0 the lowest.
        package var level: UInt8 {
            switch self {
            case .veryLow: 0
            case .low: 1
            case .normal: PriorityLevel.normal
            case .high: 3
            case .veryHigh: 4
            }
        }

        init(level: UInt8) {
            switch level {
            case 0: self = .veryLow
            case 1: self = .low
            case 3: self = .high
            case 4: self = .veryHigh
            default: self = .normal
            }
        }
    }

    final func replaceCompletionBlock(_ block: (@Sendable () -> Void)?) {
        withExtras { extras in
            let old = extras.completionBlock
            extras.completionBlock = block
            if block != nil { _ = transition(.setCompletion) }
            return old
        }
    }
}

extension QualityOfService {
    /// A number from 1 to 5; 0 stands for a quality that was never set.
    var code: UInt8 {
        switch self {
        case .background: 1
        case .utility: 2
        case .default: 3
        case .userInitiated: 4
        case .userInteractive: 5
        @unknown default: 3
        }
    }

    init?(code: UInt8) {
        switch code {
        case 1: self = .background
        case 2: self = .utility
        case 3: self = .default
        case 4: self = .userInitiated
        case 5: self = .userInteractive
        default: return nil
        }
    }
}
