import FoundationEssentials
import ImageCodecs
import PhotoPipeline
import Transfers

/// Where the results of a run go: the concept behind both layouts of an output folder.
///
/// A result is taken in by whoever made it, on any thread, and counts when the batch that it belongs to is committed, by the one
/// who writes the journal.
protocol ResultStore: Sendable {
    /// The output folder.
    var folder: OutputFolder { get }

    /// What the result of a row is called in the folder, without the ending that says its format.
    ///
    /// - Parameter index: The row's place in the catalog.
    func stem(of row: Catalog.Row, at index: Int) -> String

    /// Whether a result of one of the rows is called so, or would be.
    ///
    /// - Parameter file: A path from the output folder.
    func isResult(_ file: String) -> Bool

    /// What one of the results of a row is called in the folder.
    ///
    /// - Parameters:
    ///   - stem: The row's, see ``stem(of:at:)``.
    ///   - variant: The variant's name; nil where there are no variants.
    ///   - ending: What says the format.
    func file(_ stem: String, _ variant: String?, ending: String) -> String

    /// Makes ready for a run that begins anew.
    ///
    /// - Parameter replaces: Whether what earlier runs left may be removed.
    func begin(replacing replaces: Bool) throws(DevelopmentError)

    /// Which of the rows have all their results there that a journal marks as written: says so for a row and its results' names.
    /// Changes nothing.
    ///
    /// - Throws: Also where that cannot be known of one of them.
    func presence(by journal: Journal) throws(DevelopmentError) -> (_ row: Int, _ names: [String]) -> Bool

    /// Makes ready for a run that goes on: what is not marked is removed where it would be in the way, and rows are no longer marked
    /// whose results are gone where others come in their place.
    func goOn(with journal: Journal) throws(DevelopmentError)

    /// Takes a result in, which has no name yet.
    func stage(_ result: FinishedResult) throws(FileError) -> StagedPicture

    /// Takes the results of a row that was committed for another row, too.
    ///
    /// - Parameters:
    ///   - leader: The row that has them.
    ///   - sources: What they are called.
    ///   - names: What they are called for the other row.
    ///   - address: The address that answered for the other row; nil where that was the first one's.
    /// - Throws: `ENOENT` where one of them is not there any more, or why the other ones cannot be written.
    func copy(
        of leader: Int, named sources: [String], as names: [String], from address: String?
    ) throws(FileError) -> StagedResult

    /// Makes the results of a batch durable; from one thread at a time.
    ///
    /// - Parameters:
    ///   - entries: The rows of the batch.
    ///   - journal: What was committed before.
    /// - Returns: What the journal has to know beside the rows.
    func commit(_ entries: [JournalWriter.Entry], _ journal: Journal) throws(PhotoError) -> CommittedSamples

    /// Writes what belongs beside the results, at the end of a run.
    func finish() throws(DevelopmentError)
}

/// A result with what is told about it.
struct FinishedResult: Sendable {
    /// The name of its variant; nil where there are none.
    var variant: String?
    let bytes: Data
    /// The ending of its name, which says its format.
    let ending: String
    /// The address that answered, after all redirects; nil for one that came from elsewhere.
    let address: String?
    /// How large the picture was.
    let publishedSize: PixelSize
    /// How large the result is.
    let size: PixelSize
    /// Its fields of EXIF, an object of JSON; nil where nobody asks.
    var exif: String?
}

/// A result on its way into the output, which nobody finds there yet.
enum StagedPicture {
    /// A file that is to get one of the names that the row has.
    case file(TemporaryFile)
    /// What is to be appended to a shard.
    case bytes(FinishedResult)
}

/// What a row has for the output.
enum StagedResult {
    /// Nothing.
    case none
    /// All of its results, in the order of the variants.
    case pictures([StagedPicture])
    /// Files that have the names that the row has, and may not be on the disk yet.
    case named
    /// What another row has in a shard, to be appended for this one, too, as from an address; nil for the other row's.
    case copy(of: Int, from: String?)

    /// The bytes that it holds in memory.
    var byteCount: Int {
        pictures.reduce(0) { sum, picture in
            if case .bytes(let result) = picture { sum + result.bytes.count } else { sum }
        }
    }

    /// The files that it holds open.
    var fileCount: Int {
        pictures.count { if case .file = $0 { true } else { false } }
    }

    private var pictures: [StagedPicture] {
        if case .pictures(let pictures) = self { pictures } else { [] }
    }
}
