internal import CDecodeHelper
internal import Pixels

/// The walls around helper processes that a system may lack.
///
/// What is missing is left out, and the rest holds: containers forbid some of it, and older kernels do not have it. The
/// other walls (a process, a session and an environment of its own, no open files but the socket to the program, limits
/// on time and on the size of files) need nothing special.
public enum HelperConfinement: CaseIterable, Hashable, Sendable {
    /// The process itself. Without it there is no wall at all: everything is decoded in the program, as this library is no part of
    /// its file (a plug-in of an interpreter, say), so that the program cannot be its own helper.
    case process
    /// The system's limit on a helper's memory, without which only the estimate from the header holds.
    case memoryLimit
    /// The filter of system calls (seccomp), without which a helper could write files, use the network and start
    /// programs as far as the user may, and take memory that its limit does not count.
    case callFilter
    /// The rules for files (Landlock). Without them a helper that draws SVG could read what the user may read; for all
    /// other formats the filter of system calls allows no file either.
    case fileRules

    private static let found = Guarded<Set<HelperConfinement>>([])

    /// What helpers that this process has started so far had to do without, in the order of the cases; empty as long as
    /// there was none. All of it where there can be no helpers. With a sanitizer a helper has nothing of it but its process.
    /// May be read on any thread.
    public static var missing: [HelperConfinement] { missing(found.withLock { $0 }, hasHelpers: HelperPool.isPossible) }

    /// - Parameter found: What helpers had to do without.
    static func missing(_ found: Set<HelperConfinement>, hasHelpers: Bool) -> [HelperConfinement] {
        hasHelpers ? allCases.filter(found.contains) : allCases
    }

    private var bit: UInt32 {
        switch self {
        // No helper says that.
        case .process: 0
        case .memoryLimit: UInt32(CHELPER_NO_MEMORY_LIMIT)
        case .callFilter: UInt32(CHELPER_NO_CALL_FILTER)
        case .fileRules: UInt32(CHELPER_NO_FILE_RULES)
        }
    }

    /// Remembers what a helper says that it lacks.
    static func note(missing bits: UInt32) {
        guard bits != 0 else { return }
        found.withLock { $0.formUnion(allCases.filter { bits & $0.bit != 0 }) }
    }
}

extension HelperConfinement: CustomStringConvertible {
    /// A few words for a person: what is missing.
    public var description: String {
        switch self {
        case .process: "processes of their own for decoders"
        case .memoryLimit: "the system's limit on a decoder's memory"
        case .callFilter: "the filter of a decoder's system calls (seccomp)"
        case .fileRules: "the rules for a decoder's files (Landlock)"
        }
    }
}
