import Foundation
import Operations

protocol ForeignDelegate: AnyObject {}

/// What subclasses of Foundation's class declare in code that people have published: all of it compiles, and changes
/// nothing for the engine.
class EverydayOperation: Operation, @unchecked Sendable {
    enum State: String { case ready, executing, finished }
    enum ExecutionState { case idle, busy }
    enum OperationState { case ready }
    enum Event { case cancel }
    enum Actions { case none }
    struct Phase {}
    static let shared = EverydayOperation()
    static let exclusion = 1
    static var counter: Int { 0 }

    var state = State.ready
    var result: Result<Data, any Error>? = nil
    var data: Data? = nil
    var url: URL? = nil
    var request: String = ""
    var response: String? = nil
    var task: Task<Void, Never>? = nil
    var session: String = ""
    var delegate: (any ForeignDelegate)? = nil
    var completion: ((Result<Int, any Error>) -> Void)? = nil
    var completionHandler: (() -> Void)? = nil
    var onCompletion: (() -> Void)? = nil
    var onStart: (() -> Void)? = nil
    var onFinish: (() -> Void)? = nil
    var onProgress: ((Double) -> Void)? = nil
    var callback: ((Int?, (any Error)?) -> Void)? = nil
    var identifier: String = "identifier"
    var id: Int = 1
    var key: String = "key"
    var tag: Int = 7
    var title: String = "title"
    var label: String = "label"
    var kind: String = "kind"
    var timeout: TimeInterval = 30
    var delay: TimeInterval = 0
    var interval: TimeInterval = 1
    var retryCount: Int = 0
    var retries: Int = 3
    var attempts: Int = 1
    var currentAttempt: Int = 0
    var maxRetries: Int = 3
    var maximumRetries: Int = 3
    var shouldRetry: Bool = true
    var success: Bool = false
    var failed: Bool = false
    var hasFailed: Bool = false
    var started: Bool = false
    var executing: Bool = false
    var _executing: Bool = false
    var _finished: Bool = false
    var _cancelled: Bool = false
    var _isExecuting: Bool = false
    var _isFinished: Bool = false
    var isPaused: Bool = false
    var isRunning: Bool = false
    var isStarted: Bool = false
    var isDone: Bool = false
    var hasStarted: Bool = false
    var progress: Progress = Progress(totalUnitCount: 1)
    var totalUnitCount: Int64 = 1
    var completedUnitCount: Int64 = 0
    var fractionCompleted: Double = 0
    var priority: Int = 0
    var weight: Int = 1
    var cost: Int = 1
    var queue: DispatchQueue? = nil
    var operationQueue: OperationQueue? = nil
    var internalQueue: OperationQueue = OperationQueue()
    var lockQueue: DispatchQueue = DispatchQueue(label: "lock")
    var stateQueue: DispatchQueue = DispatchQueue(label: "state")
    var stateLock: NSLock = NSLock()
    var semaphore: DispatchSemaphore = DispatchSemaphore(value: 0)
    var group: DispatchGroup = DispatchGroup()
    var timer: String? = nil
    var startTime: Date? = nil
    var startDate: Date = Date()
    var endDate: Date? = nil
    var createdAt: Date = Date()
    var duration: Duration = .zero
    var observers: [AnyObject] = []
    var conditions: [String] = []
    var errors: [any Error] = []
    var children: [Operation] = []
    var parent: Operation? = nil
    var subOperations: [Operation] = []
    var context: [String: String] = [:]
    var userInfo: [String: Any] = [:]
    var metadata: [String: String] = [:]
    var input: Int? = nil
    var output: Int? = nil
    var value: Int? = nil
    var payload: Data = Data()
    var cache: [String: Data] = [:]
    var store: [String] = []
    var members: [Int] = []
    var logger: String = ""
    var logging: Bool = false
    var qos: QualityOfService = .default
    var backgroundTask: Int = 0
    var reason: String? = nil
    var status: Int = 0
    var phase: Int = 0
    var stage: String = ""
    var mode: Int = 0
    var workItem: (() -> Void)? = nil
    var body: Data? = nil
    var token: String? = nil
    var keyPath: String = "isFinished"

    func finish() {}
    func finish(with error: (any Error)?) {}
    func complete() {}
    func completeOperation() {}
    func done() {}
    func end() {}
    func stop() {}
    func pause() {}
    func resume() {}
    func reset() {}
    func retry() {}
    func setup() {}
    func cleanup() {}
    func prepare() {}
    func perform() {}
    func process() {}
    func run() {}
    func begin() {}
    func work(on data: Data) {}
    func asyncMain() {}
    func cancelled() {}
    func didFinish() {}
    func didStart() {}
    func didCancel() {}
    func willExecute() {}
    func willStart() {}
    func willFinish() {}
    func operationDidStart() {}
    func operationDidFinish() {}
    func addObserver(_ observer: AnyObject) {}
    func removeObserver(_ observer: AnyObject) {}
    func addCondition(_ condition: String) {}
    func notify() {}
    func produceOperation(_ operation: Operation) {}
    func handle(_ error: any Error) {}
    func report(_ error: any Error) {}
    func update(_ change: () -> Void, key: String) {}
    func log(_ message: String) {}
    func then(_ next: Operation) {}
    func wait(for seconds: TimeInterval) {}
}
