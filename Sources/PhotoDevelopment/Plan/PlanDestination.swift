import FoundationEssentials
import Glibc
import Transfers

/// Where a plan goes: a folder, or by way of a folder on this machine into an object store. For one thread.
final class PlanDestination {
    /// What people call it.
    let path: String
    /// The folder that files are written to, with `tasks` in it.
    let folder: String
    private let lock: PlanLock
    /// Where they go from there; nil where they stay.
    private let store: (any PlanPlace)?
    private let staging: StagingFolder?

    /// - Throws: `planUnwritable`, also where there is a plan; `storeRefused` or `storeUnavailable`.
    init(_ path: String) throws(DevelopmentError) {
        self.path = path
        let place = try PlanPlaces.open(path)
        do throws(PlaceError) {
            if place is FolderPlace {
                (folder, store, staging) = (path, nil, nil)
            } else {
                let work = try place.workFolder(for: "")
                (folder, store, staging) = (work.path, place, work.staging)
            }
        } catch {
            throw error.error(at: path, ofFile: DevelopmentError.planUnwritable)
        }
        if store == nil, JournalFolder(in: folder).hasJournal {
            throw .planUnwritable(path: path, reason: "a run has written to this folder; take another one")
        }
        do throws(FileError) {
            guard makeFolder(folder + "/tasks", mode: 0o777) else { throw FileError.last }
            lock = try PlanLock(in: folder)
        } catch {
            guard error.code == EWOULDBLOCK else {
                throw staging == nil ? .planUnwritable(path: path, reason: error.reason) : .temporaryFailed(error)
            }
            throw Self.isInUse(path)
        }
        let (hasPlan, tasks): (Bool, [String])
        do throws(PlaceError) {
            (hasPlan, tasks) = (try place.has(RunPlan.file), try place.names(in: RunPlan.tasks))
        } catch {
            throw error.error(at: path, ofFile: DevelopmentError.planUnwritable)
        }
        if hasPlan { throw Self.hasPlan(path) }
        // Without a plan they are what one left that did not come to its end. In a store, and where there are no locks, they may be
        // somebody's who is at work.
        let isAlone = store == nil && lock.isTaken
        let isLeft = { (name: String) in name.hasSuffix(".part") || isAlone && RunPlan.isFileOfTask(name) }
        guard tasks.allSatisfy({ $0.hasPrefix(".") || isLeft($0) }) else { throw Self.hasTasks(path) }
        for name in tasks where isAlone && isLeft(name) {
            guard unlink(folder + "/tasks/" + name) == 0 || errno == ENOENT else {
                throw .planUnwritable(path: path, reason: FileError.last.reason)
            }
        }
        guard store == nil else { return }
        // All rows would be read before they were missed.
        do throws(PlaceError) { try place.checkCreatesOnce() } catch {
            throw error.error(at: path, ofFile: DevelopmentError.planUnwritable)
        }
    }

    private static func isInUse(_ path: String) -> DevelopmentError {
        .planUnwritable(path: path, reason: "another program is making a plan in it")
    }

    private static func hasPlan(_ path: String) -> DevelopmentError {
        .planUnwritable(path: path, reason: "there is a plan in it; take another folder")
    }

    private static func hasTasks(_ path: String) -> DevelopmentError {
        .planUnwritable(path: path, reason: "there are tasks in it, without a plan; take another folder")
    }

    /// Why a file cannot be written to ``folder``.
    func failure(_ error: FileError) -> DevelopmentError {
        staging == nil ? .planUnwritable(path: folder, reason: error.reason) : .temporaryFailed(error)
    }

    /// Why a file of a task cannot get its name.
    func namingFailure(_ error: FileError) -> DevelopmentError {
        guard error.code == EEXIST else { return failure(error) }
        // Somebody was quicker where locks do not say so.
        return access(folder + "/" + RunPlan.file, F_OK) == 0 ? Self.hasPlan(path) : Self.isInUse(path)
    }

    /// Gives the plan its file, after its tasks have theirs: whole or not at all, and never in place of another plan's.
    func publish(_ plan: RunPlan) throws(DevelopmentError) {
        if let store { return try publish(plan, to: store) }
        let place = FolderPlace(path: folder)
        let isFirst: Bool
        do throws(PlaceError) {
            TemporaryFile.clearAbandoned(in: folder)
            try place.sync(RunPlan.tasks)
            // It was made where the answer of a server was lost.
            isFirst = try place.create(RunPlan.file, plan.text()) || (try? RunPlan(in: place)) == plan
        } catch {
            throw error.error(at: folder, ofFile: DevelopmentError.planUnwritable)
        }
        guard isFirst else { throw Self.hasPlan(path) }
        lock.remove()
    }

    /// Nobody else's tasks are replaced, as a second program may be making a plan in the same place.
    private func publish(_ plan: RunPlan, to store: any PlanPlace) throws(DevelopmentError) {
        let names = plan.taskRows.indices.map(RunPlan.file)
        let made: [Bool]
        let isFirst: Bool
        do throws(PlaceError) {
            made = try Lanes.map(names.count, lanes: store.lanes) { [folder] (index) throws(PlaceError) in
                let bytes: Data
                do {
                    // A task of a large plan is larger than what memory should be taken for, sixteen times at once.
                    bytes = try Data(contentsOf: URL(localPath: folder + "/" + names[index]), options: .alwaysMapped)
                } catch {
                    throw .file(FileError(code: EIO))
                }
                if try store.create(names[index], bytes) { return true }
                // It was made by an attempt whose answer was lost.
                return try store.file(names[index]) == ShardMarker.File(of: bytes)
            }
            isFirst =
                try made.contains(false)
                ? false : store.create(RunPlan.file, plan.text()) || (try? RunPlan(in: store)) == plan
        } catch {
            throw error.error(at: path, ofFile: DevelopmentError.planUnwritable)
        }
        if made.contains(false) { throw Self.hasTasks(path) }
        if !isFirst { throw Self.hasPlan(path) }
    }
}
