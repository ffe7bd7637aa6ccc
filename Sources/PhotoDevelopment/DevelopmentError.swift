public import Catalogs
package import Wording

/// Why a whole catalog cannot be developed.
public enum DevelopmentError: Error, Sendable, CustomStringConvertible {
    /// The folder for the pictures cannot be used.
    case outputUnusable(path: String, reason: String)
    /// A picture of the catalog is in the folder for the pictures, where a result with a plain name could replace it.
    case outputHoldsSource(path: String, file: String)
    /// A file is in the folder for the pictures that a result with a plain name would replace, and that no journal knows.
    case outputHoldsOther(path: String, file: String)
    /// The report cannot be written.
    case reportUnusable(path: String, reason: String)
    /// The contact sheet cannot be written.
    case contactSheetUnusable(path: String, reason: String)
    /// The trace cannot be written.
    case traceUnusable(path: String, reason: String)
    /// The metrics cannot be written.
    case metricsUnusable(path: String, reason: String)
    /// The index of a data set cannot be written.
    case indexUnusable(path: String, reason: String)

    /// The variants cannot be made beside each other.
    case variantsUnusable(reason: String)
    /// The journal in the output folder cannot be used.
    case journalUnusable(path: String, reason: String)
    /// Another run writes to the output folder at present.
    case outputInUse(path: String)
    /// The output folder holds the pictures of another catalog, or of this one before it was changed. `canKeepFiles` says whether a run
    /// that begins anew may leave the pictures alone that are there.
    case catalogChanged(output: String, canKeepFiles: Bool)
    /// The output folder holds pictures that were made otherwise.
    case recipeDiffers(output: String, option: String, before: String, now: String)
    /// ``DevelopmentOptions/skipExisting`` is for folders without a journal.
    case journalBesideSkipExisting(output: String)
    /// The folder has no journal of a run.
    case noJournal(output: String)
    /// A run is looked for in a folder, and a plan or the output of its tasks is there.
    case planInsteadOfRun(path: String)
    /// A plan or the output of its tasks is looked for in a folder, and a run has written to it.
    case runInsteadOfPlan(path: String)
    /// A run is to write to a folder that is a plan's, or that the tasks of one write to.
    case outputOfPlan(path: String)
    /// A task of a plan is to write to a folder that a run has written to.
    case outputOfRun(path: String)
    /// A plan cannot be made: the catalog cannot be read.
    case catalogUnreadable(CatalogError)
    /// A plan cannot be written.
    case planUnwritable(path: String, reason: String)
    /// A plan cannot be read, or is damaged.
    case planUnusable(path: String, reason: String)
    /// A folder is a plan's own, and no task has written to it: what is asked is the folder that its tasks write to.
    case planWithoutOutput(path: String, rows: Int, tasks: Int, shards: Int)
    /// A plan has no task of this number.
    case noSuchTask(number: Int, tasks: Int)
    /// The output folder belongs to another plan.
    case planDiffers(output: String, reason: String)
    /// A plan of what failed or was damaged in an output folder goes on from something else than this folder has.
    case parentDiffers(output: String, reason: String)
    /// A further plan is wanted before an earlier one of the same kind has come to its end.
    case generationUnfinished(output: String, generation: Int, tasks: [Int])
    /// A folder of a plan, or one that its tasks write to, cannot be read at present.
    case placeUnreadable(path: String, reason: String)
    /// An object store does not take what is asked for, and will not before something has been changed.
    case storeRefused(path: String, reason: String)
    /// An object store is away, busy or full.
    case storeUnavailable(path: String, reason: String)
    /// The folder for temporary files, `TMPDIR`, cannot be written to.
    case temporaryUnusable(folder: String, reason: String)
    /// Shards of an output folder are not what was committed.
    case shardsDamaged(output: String, shards: [Int])

    public var description: String { message.english }

    /// What is said to people, who may read it in their language.
    package var message: Message {
        switch self {
        case .outputUnusable(let path, let reason): "cannot write to the folder \(path): \(Message(text: reason))"
        case .outputHoldsSource(let path, let file):
            "cannot write to the folder \(path): \(file), a picture of the catalog, is there, and a result with a plain name could "
                + "replace it; take another folder, or --names unique"
        case .outputHoldsOther(let path, let file):
            "cannot write to the folder \(path): \(file) is there, and no journal that knows it; --fresh replaces such files, "
                + "--skip-existing leaves them"
        case .reportUnusable(let path, let reason): "cannot write the report \(path): \(Message(text: reason))"
        case .contactSheetUnusable(let path, let reason):
            "cannot write the contact sheet \(path): \(Message(text: reason))"
        case .traceUnusable(let path, let reason): "cannot write the trace \(path): \(Message(text: reason))"
        case .metricsUnusable(let path, let reason):
            "cannot write the metrics \(path): \(Message(text: reason)); name another file, in a folder that can be written to"
        case .indexUnusable(let path, let reason): "cannot write the index \(path): \(Message(text: reason))"
        case .variantsUnusable(let reason): "cannot make these variants: \(Message(text: reason))"
        case .journalUnusable(let path, let reason): "cannot use the journal \(path): \(Message(text: reason))"
        case .outputInUse(let path):
            "another run writes to the folder \(path); wait for its end, or take another folder"
        case .catalogChanged(let output, let canKeepFiles):
            "the catalog is not the one that \(output) was begun with: names, addresses, their order or, in a data set, other columns differ; \(canKeepFiles ? Self.wayOutWithFiles : Self.wayOut)"
        case .recipeDiffers(let output, let option, let before, let now):
            "the pictures in \(output) are made otherwise: \(option) was \(before), and is \(now) now; \(Self.wayOut)"
        case .journalBesideSkipExisting(let output):
            "--skip-existing is for folders without a journal, and \(output) has one: without it the same command goes on"
        // Programs that speak other languages have sentences of their own for a catalog's errors.
        case .catalogUnreadable(let error): Message(text: "\(error)")
        case .planUnwritable(let path, let reason): "cannot write the plan \(path): \(Message(text: reason))"
        case .planUnusable(let path, let reason):
            "cannot use the plan \(path): \(Message(text: reason, templates: Self.namedReasons))"
        case .planWithoutOutput(let path, let rows, let tasks, let shards):
            "\(path) is a plan of \(CountedMessage.photos(rows)) in \(CountedMessage.tasks(tasks)) and "
                + "\(CountedMessage.shards(shards)), and no task has written to it; name the folder of develop --output"
        case .noSuchTask(let number, let tasks):
            "there is no task \(number): the plan has \(tasks), from 0 to \(tasks - 1)"
        case .planDiffers(let output, let reason):
            "\(output) belongs to another plan: \(Message(text: reason)); take that plan, or another --output folder"
        case .parentDiffers(let output, let reason):
            "this plan is not for \(output): \(Message(text: reason)); take the folder that it was made of, or plan anew"
        case .generationUnfinished(let output, let generation, let tasks):
            "generation \(generation) of \(output) has shards left, in tasks \(PlanStatus.ranges(of: tasks)); do them "
                + "first, or remove \(PlanGenerations.folder(generation, in: output)) if nothing comes after it"
        case .shardsDamaged(let output, let shards):
            "damaged in \(output): shards \(PlanStatus.ranges(of: shards)); classicphotos plan --repair \(output) makes "
                + "a plan of them"
        case .placeUnreadable(let path, let reason), .storeRefused(let path, let reason),
            .storeUnavailable(let path, let reason):
            "cannot use \(path): \(Message(text: reason))"
        case .temporaryUnusable(let folder, let reason):
            "cannot write to the temporary folder \(folder): \(Message(text: reason)); TMPDIR names another one"
        case .noJournal(let output): "no run has begun in \(output): there is no journal in it"
        case .planInsteadOfRun(let path):
            "no run has begun in \(path), but a plan is there: classicphotos status \(path) says how far its tasks are, and "
                + "classicphotos merge \(path) writes a line for each photo to index.jsonl"
        case .runInsteadOfPlan(let path):
            "there is no plan in \(path), but a run has begun there: classicphotos report \(path) lists its photos"
        case .outputOfPlan(let path):
            "cannot write to the folder \(path): it belongs to a plan; take another --output folder, or do the tasks of the plan by "
                + "develop --plan"
        case .outputOfRun(let path):
            "cannot write to the folder \(path): it has what a run without a plan wrote; take another --output folder"
        }
    }

    /// Reasons that hold a name, with `{name}` in its place: what plans and their files have often.
    package static let namedReasons = [
        "there is no {name} in this folder", "{name} is damaged, or of another version",
        "{name} is not what was committed",
    ]

    private static let wayOutWithFiles: Message =
        "--fresh --skip-existing goes on with the new catalog and keeps the pictures that are there, --fresh makes all anew, and another --output folder keeps both"
    private static let wayOut: Message = "--fresh begins anew, and another --output folder keeps both"
}
