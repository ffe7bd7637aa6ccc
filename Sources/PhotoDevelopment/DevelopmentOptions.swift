public import ImageCodecs
public import PhotoPipeline
public import Transfers

/// How a catalog is developed.
public struct DevelopmentOptions: Sendable {
    /// The folder that the pictures are written to; made if it is not there.
    public var output: String
    /// How the pictures lie in the folder. Default: a file for each photo.
    public var layout = Layout.files
    /// Whether results that are files lie in folders inside ``output``, `00000` and so on, of which each is for 10,000 rows of the
    /// catalog. Default: false.
    public var usesShardFolders = false
    /// How results are called, where each is a file. Default: by name and address.
    public var names = Names.unique
    /// Whether photos are written as they came, once decoding has proven that they are whole; then ``filter``, ``intensity``,
    /// ``resize``, ``encoder`` and ``keepsMetadata`` are of no account, and the ending of a name is that of the photo's own format. Default: false.
    public var keepsOriginals = false
    /// What is done to each picture. Default: the classic sepia.
    public var filter: FilterChain = .classic
    /// How much of the filter shows, from 0, the picture as it was, to 1, all of it; what is out of bounds is brought into them.
    /// Default: 1.
    public var intensity = 1.0
    /// Photos that have a filter of their own instead of ``filter`` and ``intensity``, by their places in the catalog. Two rows with one
    /// address may differ in it, where their names do. They are of no account with ``keepsOriginals`` and ``variants``. Default: none.
    public var ownFilters = PhotoValues<OwnFilter>()
    /// How large the pictures become; nil for as large as they are. Default: a longest side of 1024 pixels.
    public var resize: Resize? = .longestSide(1024)
    /// The format of the pictures, with its quality. Default: JPEG of quality 85.
    public var encoder = ImageEncoder(format: .jpeg)
    /// The pictures that are made of each photo, of one transfer, where that is more than one: then each has a filter, size and format
    /// of its own, and ``filter``, ``intensity``, ``resize`` and ``encoder`` are of no account. A photo is done when all of them are, and fails where one of
    /// them does. Names differ, also where capitals do not count, and there are no ``keepsOriginals`` beside them. Reports with one
    /// file for a photo, and the contact sheet, show the first. Default: none.
    public var variants: [Variant] = []
    /// Whether EXIF and XMP of the photos are written with the pictures. Default: they are left out.
    public var keepsMetadata = false
    /// Which fields of EXIF are told of each photo in a data set, see ``Layout/webDataset(rowsPerShard:)``; nil, the default, for none.
    public var exif: EXIFFields.Selection?
    /// Which pictures are left out, by their size as they were published. Default: none.
    public var bounds = ImageBounds()
    /// How many pictures are worked on at once, at least 1; less counts as 1. When four times as many have arrived and are not written yet, no
    /// more transfers begin. Default: the number of cores that the process may use.
    public var jobs = PhotoPipeline.Configuration().decodeWidth { didSet { jobs = Self.inBounds(jobs) } }
    /// How many transfers run at once, at least 1; less counts as 1. Default: 64.
    public var connections = PhotoPipeline.Configuration().downloadWidth {
        didSet { connections = Self.inBounds(connections) }
    }
    /// How many transfers run at once with one host (scheme, name and port), at least 1; less counts as 1. Default: 8.
    public var connectionsPerHost = PhotoPipeline.Configuration().downloadWidthPerHost {
        didSet { connectionsPerHost = Self.inBounds(connectionsPerHost) }
    }
    /// How many rows wait in the lines of their hosts before further rows of a host that has many there are kept back; about a hundred
    /// bytes each. Tests have fewer.
    var mostSetAside = 100_000
    /// The longest that a host is left alone that fails again and again, before it is given up, and the longest pause that is
    /// waited for if a host asks for it. Default: 60 s.
    public var hostPatience = PhotoPipeline.Configuration().hostPatience
    /// Whether the run waits while this machine has lost its network, and then goes on, instead of failing what is left; see
    /// ``/Transfers/TransferClient/Configuration/waitsForConnectivity``. Default: true.
    public var waitsForConnectivity = true
    /// Requests a second to one host, above 0, whatever they are for; nil, the default, for as many as it takes. See
    /// ``/Transfers/TransferClient/Configuration/requestsPerSecond``.
    public var requestsPerSecond: Double?
    /// Bytes of pictures a second that are taken in, in all, at least 1; nil, the default, for as many as come.
    public var bytesPerSecond: Int?
    /// What requests to an origin (scheme, name and port) that the catalog names are sent with, such as what lets somebody in;
    /// nil, the default, for nothing. It goes to no other origin after a redirect; see
    /// ``/Transfers/TransferClient/Configuration/requestHeaders``.
    public var requestHeaders: (@Sendable (_ origin: WebAddress.Origin) -> RequestHeaders)?
    /// Whether each host's robots.txt (RFC 9309) is asked for before its photos, and obeyed; see
    /// ``/Transfers/TransferClient/Configuration/obeysRobots``. Default: false.
    public var obeysRobots = false
    /// Directives in the `X-Robots-Tag` of answers, in small letters, whose photos fail, such as `noai`; see
    /// ``/Transfers/TransferClient/Configuration/respectedDirectives``. Default: none.
    public var respectedDirectives: Set<String> = []
    /// Sent as `User-Agent`; empty for none. Default: `ClassicPhotos`.
    public var userAgent = PhotoPipeline.Configuration().userAgent
    /// What all transfers go through, see ``/Transfers/TransferClient/Configuration/proxy``; nil, the default, for what the
    /// environment says.
    public var proxy: TransferProxy?
    /// Whether the environment is asked about proxies where there is no ``proxy``. Default: true.
    public var usesEnvironmentProxy = true
    /// The path of a PEM file with the authorities to trust instead of the system's; nil, the default, for the system's. See
    /// ``/Transfers/TransferClient/Configuration/check()``.
    public var certificateAuthorities: String?
    /// The limits of each transfer.
    public var transferLimits = PhotoPipeline.Configuration().transferLimits
    /// How often a transfer is tried again after a fault that may pass, at least 0. Default: 2.
    public var transferRetries = PhotoPipeline.Configuration().transferRetries
    /// Where bodies that were cut off are kept, so that the next run goes on with them; nil, the default, for nowhere.
    public var partialDownloads: PartialDownloads?
    /// Whether a catalog from the network may name private and other special addresses. Default: false.
    public var allowsPrivateAddresses = false
    /// The limits of decoding.
    public var decodeLimits = DecodeLimits()
    /// Whether a JPEG whose data is broken, or ends too early, is developed as far as that goes; reports then say in `detail` what is
    /// wrong with it. Otherwise it fails as a damaged picture. Default: false.
    public var keepsDamaged = false
    /// Where answers are kept on disk, so that a later run need not fetch them again; nil, the default, for nowhere.
    public var diskCache: DiskCache?
    /// What a run does where an earlier one has begun in the same folder. Default: it goes on.
    public var resumption = Resumption.goOn
    /// Whether a photo with the same bytes as another one's, from another address, shares that one's picture: it is fetched, and neither
    /// decoded nor filtered; photos with ``ownFilters`` share with nobody. It takes about fifty bytes of memory for each photo of the catalog. Default: false.
    public var comparesContents = false
    /// Whether photos whose file is there already are left alone, in a folder that no run has begun in, so that it has no
    /// journal, and when such a run goes on; a file that is empty or no picture of the format is not taken for a photo. Default: false.
    public var skipExisting = false
    /// Where the report, a CSV file, is written; nil for no report.
    public var report: String?
    /// Where a picture of the results beside their originals is written, a JPEG file; nil for none.
    public var contactSheet: String?
    /// Where the timeline of all operations is written, in the Trace Event Format (JSON) that Perfetto opens; nil for none.
    /// It is kept in memory until the end, about 500 bytes for each operation.
    public var trace: String?
    /// Where figures of the run are written for Prometheus, in its text format: at the start, each five seconds, and at the end; nil for
    /// none. The file is replaced whole each time.
    public var metrics: String?
    /// Told, at most once, that the metrics can no longer be written, while the run goes on; called on a thread of the engine.
    /// Default: nobody.
    public var whenMetricsFail: (@Sendable (DevelopmentError) -> Void)?
    /// Decoders of one's own, which are asked before those of the kinds that are known; see
    /// `PhotoPipeline.Configuration.decoders`. Default: none.
    public var decoders: [any ImageDecoding] = []

    /// How pictures lie in the output folder.
    public enum Layout: Hashable, Sendable {
        /// A file for each photo, called by the photo's name.
        case files
        /// Tar files that the Python package `webdataset` and others read: `00000.tar` and so on, with `KEY.jpg` and `KEY.json` for each
        /// photo that was written. `KEY` is the row's number in the catalog, from 1. Beside them is `index.jsonl`, with a line for
        /// each photo that came to its end.
        ///
        /// `rowsPerShard` is the number of rows of the catalog that a file is for, at least 1.
        case webDataset(rowsPerShard: Int = 10_000)

        /// As the command line names it.
        public var name: String {
            switch self {
            case .files: "files"
            case .webDataset: "webdataset"
            }
        }

        var rowsPerShard: Int? {
            switch self {
            case .files: nil
            case .webDataset(let rows): max(rows, 1)
            }
        }
    }

    /// How files of results are called.
    public enum Names: String, CaseIterable, Hashable, Sendable {
        /// `NAME.jpg` for each row whose name is its own in the catalog, and as with ``unique`` for rows whose names repeat; of a name
        /// that ends as a picture's that ending is left out. Names count as equal where some file system takes them for one.
        ///
        /// Such names may be those of other files: a folder that has some, and no journal, is refused, and so is one that holds
        /// pictures of the catalog.
        case plain
        /// By name and address, `NAME-0123456789ABC.jpg`, with thirteen letters that tell the rows of any catalog apart.
        case unique
    }

    /// What a run does where an earlier one has begun in the same folder.
    public enum Resumption: Hashable, Sendable {
        /// It takes the photos that have not come to their end; what failed stays so.
        case goOn
        /// It begins anew, with a journal of its own. Files stay until it replaces them.
        case fresh
        /// It takes the photos with these failures, and no others.
        case onlyFailed(FailureSelection)

        /// The failures whose photos are taken; nil where that is not what decides.
        var retried: FailureSelection? {
            if case .onlyFailed(let failures) = self { failures } else { nil }
        }
    }

    /// The defaults, into a folder.
    public init(output: String) {
        self.output = output
    }

    /// No run has so many at once, and some times as many can be counted.
    private static func inBounds(_ count: Int) -> Int { min(max(1, count), Int(Int32.max)) }

    /// What the catalog itself is fetched by: as the photos, without their headers.
    package var catalogClient: TransferClient.Configuration {
        var client = TransferClient.Configuration(
            userAgent: userAgent, usesEnvironmentProxy: usesEnvironmentProxy,
            certificateAuthorities: certificateAuthorities)
        client.proxy = proxy
        return client
    }

    var pipelineConfiguration: PhotoPipeline.Configuration {
        var configuration = PhotoPipeline.Configuration()
        configuration.downloadWidth = connections
        configuration.downloadWidthPerHost = connectionsPerHost
        configuration.hostPatience = hostPatience
        configuration.waitsForConnectivity = waitsForConnectivity
        configuration.requestsPerSecond = requestsPerSecond
        configuration.bytesPerSecond = bytesPerSecond
        configuration.imagesInWork = 4 * jobs
        configuration.decodeWidth = jobs
        configuration.filtrationWidth = jobs
        configuration.requestHeaders = requestHeaders
        configuration.obeysRobots = obeysRobots
        configuration.respectedDirectives = respectedDirectives
        configuration.userAgent = userAgent
        configuration.proxy = proxy
        configuration.usesEnvironmentProxy = usesEnvironmentProxy
        configuration.certificateAuthorities = certificateAuthorities
        configuration.transferLimits = transferLimits
        configuration.partialDownloads = partialDownloads
        configuration.transferRetries = transferRetries
        configuration.decodeLimits = decodeLimits
        configuration.toleratesDamage = keepsDamaged
        configuration.keepsMetadata = keepsMetadata || exif != nil
        configuration.keepsBodies = keepsOriginals
        if bounds != ImageBounds() { configuration.refusal = { [bounds] in bounds.refusal(of: $0) } }
        configuration.diskCache = diskCache
        // Each picture is written once: keeping it would be of no use.
        configuration.cacheLimit = 0
        configuration.decoders = decoders
        return configuration
    }
}
