import Foundation
import Operations

/// Declares the names that the engine uses inside for its own operations. They are no part of what a client sees.
class EngineNamesOperation: Operation, @unchecked Sendable {
    var state: Int { misused("state", 0) }
    var core: Int { misused("core", 0) }
    var unretainedCore: Int { misused("unretainedCore", 0) }
    var sequence: Int { misused("sequence", 0) }
    var storePlace: Int { misused("storePlace", 0) }
    var previousMember: Int { misused("previousMember", 0) }
    var nextMember: Int { misused("nextMember", 0) }
    var dependencyList: Int { misused("dependencyList", 0) }
    var firstDependent: Int { misused("firstDependent", 0) }
    var extras: Int { misused("extras", 0) }
    var word: Int { misused("word", 0) }
    var failure: Int { misused("failure", 0) }
    var progressState: Int { misused("progressState", 0) }
    var keys: Int { misused("keys", 0) }
    var unmetDependencies: Int { misused("unmetDependencies", 0) }
    var isEnqueued: Int { misused("isEnqueued", 0) }
    var enqueuedCore: Int { misused("enqueuedCore", 0) }
    var stripe: Int { misused("stripe", 0) }
    var edges: Int { misused("edges", 0) }
    var grant: Int { misused("grant", 0) }
    var outcome: Int { misused("outcome", 0) }
    var running: Int { misused("running", 0) }
    var pins: Int { misused("pins", 0) }
    var lastPin: Int { misused("lastPin", 0) }

    func transition() { misused("transition", ()) }
    func replace() { misused("replace", ()) }
    func reconcile() { misused("reconcile", ()) }
    func lock() { misused("lock", ()) }
    func unlock() { misused("unlock", ()) }
    func locked() { misused("locked", ()) }
    func withExtras() { misused("withExtras", ()) }
    func withEdges() { misused("withEdges", ()) }
    func depend() { misused("depend", ()) }
    func stopDepending() { misused("stopDepending", ()) }
    func register() { misused("register", ()) }
    func unregister() { misused("unregister", ()) }
    func meetDependents() { misused("meetDependents", ()) }
    func meet() { misused("meet", ()) }
    func unregisterFromDependencies() { misused("unregisterFromDependencies", ()) }
    func releaseDependencies() { misused("releaseDependencies", ()) }
    func belongs() { misused("belongs", ()) }
    func runMain() { misused("runMain", ()) }
    func checkRefusedStart() { misused("checkRefusedStart", ()) }
    func finishNow() { misused("finishNow", ()) }
    func settle() { misused("settle", ()) }
    func runCompletionBlock() { misused("runCompletionBlock", ()) }
    func replaceCompletionBlock() { misused("replaceCompletionBlock", ()) }
    func blockUntilFinished() { misused("blockUntilFinished", ()) }
    func reportEndlessWait() { misused("reportEndlessWait", ()) }
    func block() { misused("block", ()) }
    func wakeWaiters() { misused("wakeWaiters", ()) }
    func notifyAtFinish() { misused("notifyAtFinish", ()) }
    func callFinishHandlers() { misused("callFinishHandlers", ()) }
    func changeObservedState() { misused("changeObservedState", ()) }
    func reportExecuting() { misused("reportExecuting", ()) }
    func advanceObservers() { misused("advanceObservers", ()) }
    func add() { misused("add", ()) }
    func takeOverFailure() { misused("takeOverFailure", ()) }
    func noteFailure() { misused("noteFailure", ()) }
    func setCancelsWithDependencies() { misused("setCancelsWithDependencies", ()) }
    func acquireExclusion() { misused("acquireExclusion", ()) }
    func releaseExclusion() { misused("releaseExclusion", ()) }
    func escalate() { misused("escalate", ()) }
    func waitForFinish() { misused("waitForFinish", ()) }
    func deliverCancellation() { misused("deliverCancellation", ()) }
    func escalateWork() { misused("escalateWork", ()) }
    func discardWork() { misused("discardWork", ()) }
    func beginsAtOnce() { misused("beginsAtOnce", ()) }
    func runBlocks() { misused("runBlocks", ()) }
    func completeProgress() { misused("completeProgress", ()) }
    func perform() { misused("perform", ()) }
    func withRunningTask() { misused("withRunningTask", ()) }
}
