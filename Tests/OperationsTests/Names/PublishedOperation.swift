import Foundation
import Operations

/// More names that subclasses declare in published code: in libraries of operations, of groups and conditions, and in apps
/// that fetch, sync and convert.
class PublishedOperation: Operation, @unchecked Sendable {
    enum Condition { case satisfied }
    typealias Output = Int
    typealias CompletionHandler = (Int) -> Void
    static func keyPathsForValuesAffectingIsReady() -> Set<String> { ["state"] }
    static func keyPathsForValuesAffectingIsExecuting() -> Set<String> { ["state"] }
    static func keyPathsForValuesAffectingIsFinished() -> Set<String> { ["state"] }
    static func keyPathsForValuesAffectingIsCancelled() -> Set<String> { ["state"] }

    var _state = 0
    var _input: Int?
    var _output: Int?
    var _error: (any Error)?
    var _isReady = true
    var _internalErrors: [any Error] = []
    var inputBox: Int = 1
    var outputBox: Int = 1
    var transform: (Int) -> Int = { $0 }
    var capability: String = ""
    var reachability: Bool = true
    var location: String = ""
    var locationManager: String = ""
    var accuracy: Double = 1
    var manager: String = ""
    var container: String = ""
    var database: String = ""
    var record: Int = 0
    var recordIDs: [Int] = []
    var recordsToSave: [Int] = []
    var saved: [Int] = []
    var deleted: [Int] = []
    var zoneID: Int = 0
    var query: String = ""
    var cursor: Int?
    var limit: Int = 10
    var resultsLimit: Int = 10
    var moreComing: Bool = false
    var desiredKeys: [String]?
    var previousServerChangeToken: Data?
    var perRecordProgressBlock: ((Int, Double) -> Void)?
    var perRecordCompletionBlock: ((Int, (any Error)?) -> Void)?
    var accountID: Int = 0
    var itemProvider: String = ""
    var onResult: ((Int) -> Void)?
    var onOutputProduced: ((Int) -> Void)?
    var userInitiated: Bool = false
    var userIntent: Int = 0
    var isLongLived: Bool = false
    var operationID: String = ""
    var allowsCellularAccess: Bool = true
    var timeoutIntervalForRequest: Double = 60
    var hasFinishedAlready: Bool = false
    var hasRun: Bool = false
    var startingOperation: Int = 0
    var finishingOperation: Int = 0
    var aggregateQueue: Int = 0
    var aggregatedErrors: [any Error] = []
    var aggregateError: (any Error)?
    var nRetries: Int = 0
    var retryHelpers: [Int] = []
    var shouldRepeat: Bool = false
    var sema: DispatchSemaphore = DispatchSemaphore(value: 0)
    var child: Operation?
    var source: Int = 0
    var waits: Int = 0
    var beginsWhereAwaited: Bool { misused("beginsWhereAwaited", false) }
    var sharedKeys: [Int] { misused("sharedKeys", []) }
    var place: Int { misused("place", 0) }
    var holds: Int { misused("holds", 0) }

    func synchronise() {}
    func set(_ state: Int) {}
    func shouldFinish() -> Bool { true }
    func recovery(from error: any Error) {}
    func evaluateConditions() {}
    func dispatchObservers() {}
    func dispatchStartOnce() {}
    func didExecute() {}
    func didEnqueue() {}
    func willEnqueue() {}
    func setIsReady() {}
    func create() {}
    func addNextOperation() {}
    func _addNextOperation() {}
    func _finish() {}
    func finish(withResult result: Int) {}
    func finishWithError(_ error: (any Error)?) {}
    func cancelWithError(_ error: (any Error)?) {}
    func cancelWithErrors(_ errors: [any Error]) {}
    func baseOperationEnded() {}
    func updateInputFromDependencies() {}
    func stopLocationUpdates() {}
    func requestAuthorization() {}
    func take(from source: Int) { misused("take", ()) }
    func acquireExclusion() { misused("acquireExclusion", ()) }
    func noteFailure() { misused("noteFailure", ()) }

    override func main() { hasRun = true }
}
