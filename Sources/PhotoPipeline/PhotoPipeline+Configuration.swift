public import Foundation
public import ImageCodecs
public import Operations
import Pixels
public import Transfers

extension PhotoPipeline {
    /// What a pipeline may use of the machine and the network.
    public struct Configuration: Sendable {
        /// How many transfers run at once, at least 1. Default: 64.
        public var downloadWidth = 64
        /// How many transfers run at once with one host (scheme, name and port), at least 1. Default: 8.
        public var downloadWidthPerHost = 8
        /// The longest that a host is left alone that fails again and again, and the longest pause that is waited for if a host
        /// asks for it; see ``/Transfers/TransferClient/Configuration/hostPatience``. Default: 60 s.
        public var hostPatience = Duration.seconds(60)
        /// Whether photos wait while this machine has lost its network, instead of failing; see
        /// ``/Transfers/TransferClient/Configuration/waitsForConnectivity``. Default: false.
        public var waitsForConnectivity = false
        /// Requests a second to one host, above 0, whatever they are for; nil, the default, for as many as it takes. See
        /// ``/Transfers/TransferClient/Configuration/requestsPerSecond``.
        public var requestsPerSecond: Double?
        /// Bytes of bodies a second that are taken in, in all, at least 1; nil, the default, for as many as come.
        public var bytesPerSecond: Int?
        /// How many pictures may be in work, from the arrival of their bodies to their last use, before no more transfers begin,
        /// at least 1. Those that are under way then arrive all the same. Default: nil, for four times ``decodeWidth``.
        public var imagesInWork: Int?
        /// How many pictures are decoded at once, at least 1. Default: the number of cores that the process may use, by its
        /// affinity and by the quota of its control group.
        public var decodeWidth = MachineProcessors.count
        /// How many pictures are filtered at once, at least 1. Default: as for ``decodeWidth``.
        public var filtrationWidth = MachineProcessors.count
        /// How many bytes of undecoded and decoded pictures may be on their way, with what filters take besides. Default: 256 MB. A
        /// single picture that needs more is still let through, alone.
        public var memoryLimit = 256_000_000
        /// What requests to an origin (scheme, name and port) are sent with, such as what lets somebody in; nil, the default, for
        /// nothing. It is asked whenever a photo is asked for or looked up in memory, on that thread, and has to be quick; see
        /// ``/Transfers/TransferClient/Configuration/requestHeaders``.
        public var requestHeaders: (@Sendable (_ origin: WebAddress.Origin) -> RequestHeaders)?
        /// Whether hosts are asked for their robots.txt first, see ``/Transfers/TransferClient/Configuration/obeysRobots``. Default:
        /// false.
        public var obeysRobots = false
        /// Directives in the `X-Robots-Tag` of answers that let photos fail, in small letters, see
        /// ``/Transfers/TransferClient/Configuration/respectedDirectives``. Default: none.
        public var respectedDirectives: Set<String> = []
        /// Sent as `User-Agent`; empty for none. Default: `ClassicPhotos`.
        public var userAgent = TransferClient.Configuration().userAgent
        /// What all transfers go through, see ``/Transfers/TransferClient/Configuration/proxy``; nil, the default, for what
        /// the environment says.
        public var proxy: TransferProxy?
        /// Whether the environment is asked about proxies where there is no ``proxy``. Default: true.
        public var usesEnvironmentProxy = true
        /// The path of a PEM file with the authorities to trust instead of the system's; nil, the default, for the system's.
        /// ``check()`` says whether it can be used.
        public var certificateAuthorities: String?
        /// The limits of each transfer.
        public var transferLimits = TransferLimits()
        /// How often a transfer is tried again after a fault that may pass, at least 0. Default: 2.
        public var transferRetries = 2
        /// Where bodies that were cut off are kept, so that they can be gone on with; nil, the default, for nowhere.
        public var partialDownloads: PartialDownloads?
        /// The limits of decoding.
        public var decodeLimits = DecodeLimits()
        /// Whether EXIF and XMP of a photo stay with its picture, to be written with it, see ``PhotoTask/takeImage()``. At most
        /// 128 kB a picture, which count for ``cacheLimit`` and not for ``memoryLimit``. Default: false.
        public var keepsMetadata = false
        /// Why a picture of a published size is refused; nil for one that is not. Default: none is.
        package var refusal: (@Sendable (PixelSize) -> PhotoError?)?
        /// Whether the bytes that a photo was decoded from stay with its picture, to be written as they came.
        package var keepsBodies = false
        /// Whether photos whose JPEG data is damaged are shown as far as it goes, with ``Photo/Update/damage`` saying what is wrong;
        /// otherwise they fail as `.damagedImage`. Default: false.
        public var toleratesDamage = false
        /// How many bytes of finished pictures are kept in memory; 0 for none. Default: ``ImageCache/defaultLimit``.
        ///
        /// A picture counts with what it takes besides its pixels: 2 kB, and the bytes of its address and of the headers that it was
        /// asked for with. So 512 MB have room for some 240,000 pictures, however small they are.
        ///
        /// A picture in memory is shown as it is, at once and whatever its file or its server says by now, for as long as it stays
        /// there; also one whose answer says `no-store`. That suits whoever looks at a list for a while, as browsers do within a page. A
        /// program that runs for days and has to follow HTTP's rules, as a server of thumbnails does, takes 0: with a ``diskCache``
        /// and an ``imageDiskCache`` a picture that is fresh, or that the server confirms, is then neither transferred nor decoded again.
        /// Where one request is to ask anew, its policy is ``/Transfers/CachePolicy/revalidated``.
        public var cacheLimit = ImageCache.defaultLimit
        /// Which of the photos of one priority comes first: the one that was asked for first, by default, or last, as suits a
        /// list that scrolls.
        public var executionOrder = ExecutionOrder.fifo
        /// How decoding and filtering compete for the processor. Default: as the program does. `.utility` suits a program with
        /// a window: pictures come later where the cores are busy, so that what draws the window need not wait for one.
        public var qualityOfService = QualityOfService.default
        /// Where answers are kept on disk; nil, the default, for nowhere.
        public var diskCache: DiskCache?
        /// Where finished pictures are kept on disk; nil, the default, for nowhere.
        ///
        /// It suits programs that are asked for the same pictures again and again, over more than one run: a server of thumbnails, a
        /// gallery. Each picture that is new costs some milliseconds of packing; who makes each picture once is better off without. Before
        /// such a program ends it awaits ``ImageDiskCache/flush()``, as pictures are stored in the background.
        public var imageDiskCache: ImageDiskCache?
        /// Told what happens: what was asked for and given up, failures, retries, hosts that are left alone, damage. Default: nil, for
        /// nobody.
        ///
        /// It is called on a thread of a dispatch queue that is there for this alone, for one entry after the other, and never
        /// under a lock. It may take its time: nothing waits for it. While 1,000 entries wait, further ones are left out; the next
        /// but those says how many.
        public var log: (@Sendable (PhotoLogEntry) -> Void)?
        /// What matters less is not logged. Default: info, which is without what happens to each photo that is well.
        public var logLevel = PhotoLogEntry.Level.info
        /// Decoders of your own, which are asked in this order whether a file is theirs, before those of the kinds that are known.
        /// What one of them takes has one frame. Default: none.
        public var decoders: [any ImageDecoding] = []
        /// Loaders of your own by the scheme of the addresses that they are for, in small letters and without the colon.
        /// `http`, `https` and `file` stay what they are. Whether an address may be asked for is up to you: neither
        /// ``ImageRequest/allowsLocalFiles`` nor ``ImageRequest/addressGuard`` knows the scheme. Catalogs refuse other schemes.
        /// Default: none.
        public var loaders: [String: any ImageLoading] = [:]

        /// The defaults.
        public init() {}
    }
}

extension PhotoPipeline.Configuration {
    /// Looks for what would make transfers fail one by one, see ``/Transfers/TransferClient/Configuration/check()``.
    /// - Throws: What cannot work.
    public func check() throws(TransferClient.ConfigurationError) { try transfers.check() }

    /// What concerns the client.
    var transfers: TransferClient.Configuration {
        var transfers = TransferClient.Configuration(
            transfersPerHost: downloadWidthPerHost, transfersInAll: downloadWidth, userAgent: userAgent,
            usesEnvironmentProxy: usesEnvironmentProxy, certificateAuthorities: certificateAuthorities)
        transfers.proxy = proxy
        transfers.partialDownloads = partialDownloads
        transfers.hostPatience = hostPatience
        transfers.waitsForConnectivity = waitsForConnectivity
        transfers.requestsPerSecond = requestsPerSecond
        transfers.bytesPerSecond = bytesPerSecond
        transfers.requestHeaders = requestHeaders
        transfers.obeysRobots = obeysRobots
        transfers.respectedDirectives = respectedDirectives
        transfers.startsLastFirst = executionOrder == .lifo
        return transfers
    }
}
