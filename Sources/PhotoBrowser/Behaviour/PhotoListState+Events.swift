import PhotoPipeline
import Transfers

/// What a list knows of a picture.
protocol ListImage: Sendable {
    /// The bytes that it takes.
    var byteCount: Int { get }
    /// Whether the data that it was made of is damaged.
    var isDamaged: Bool { get }
    /// The bytes that a list takes for a photo beside its pictures.
    static var bytesBesides: Int { get }
}

extension ScaledImage: ListImage {
    var isDamaged: Bool { damage != nil }
    /// A record in a table that may be half empty, and the allocator's share, by the system's count.
    static var bytesBesides: Int { 2_500 }
}

/// One attempt at a photo; a photo has at most one at a time.
struct Run: Hashable, Sendable {
    let photo: Photo.ID
    /// Tells the attempts at a photo apart.
    let number: Int
    /// Where it failed before its server is asked, whatever a cache has kept of that; where it failed by the bytes that came, no
    /// cache is to bring the same ones.
    var cachePolicy = CachePolicy.standard
}

extension PhotoListState {
    /// What a list is told.
    enum Event: Sendable {
        /// These photos are on screen, in the order of their rows; the ones nearby are likely to follow, in this order.
        case visible([Photo.ID], nearby: [Photo.ID] = [])
        /// The user began or stopped to scroll.
        case scrolling(Bool)
        /// The user paused or resumed.
        case paused(Bool)
        /// Another look was chosen, for all photos or for some.
        case looksChanged(PhotoLooks)
        /// Another strategy was chosen.
        case strategyChanged(LoadingStrategy)
        /// The user wants to have this photo tried again, which has failed or is damaged.
        case retry(Photo.ID)
        /// The user wants to have all failed photos tried again.
        case retryAllFailed
        /// A run reached a state, with the picture that came of it.
        case updated(Run, Photo.State, Image?)
        /// The filtered picture of a photo was found in memory, maybe with the published one.
        case recalled(Photo.ID, Image, original: Image? = nil)
        /// The published picture of a photo whose filtered one is shown was fetched.
        case originalArrived(Photo.ID, Image)
        /// A run is over: nothing comes from it any more.
        case ended(Run)
        /// Pictures that are not on screen are to go.
        case memoryIsShort
        /// Nobody looks at the list any more.
        case closed
    }

    /// What a list wants to have done.
    enum Action: Sendable {
        /// Download, decode and filter a photo.
        case load(Run)
        /// Filter a picture that is there already.
        case filter(Run, Image)
        /// Stop a run. Its end is still reported.
        case cancel(Run)
        /// The row of this photo looks different now.
        case changed(Photo.ID)
    }

    /// What is known of a photo that something has been done for.
    struct Record: Sendable {
        var state = Photo.State.new
        /// Whether its bytes are there, while it waits for them to be decoded.
        var isFetched = false
        /// The picture as it was published, kept so that another filter needs no other download.
        var original: Image?
        var filtered: Image?
        /// The look that `filtered` was made for.
        var filteredLook: PhotoLook?
        var run: ActiveRun?
        /// When it was last on screen, for the cache.
        var lastSeen = 0

        /// What a row shows.
        var shown: Image? { filtered ?? original }
        /// The bytes of the pictures, with what is kept besides; none where there are no pictures.
        var byteCount: Int {
            shown == nil ? 0 : (original?.byteCount ?? 0) + (filtered?.byteCount ?? 0) + Image.bytesBesides
        }
    }

    /// A run that has not ended.
    struct ActiveRun: Sendable {
        let run: Run
        /// The look that it filters for.
        let look: PhotoLook
        /// Whether it filters a picture that is there already, and does nothing else.
        let isFilterAlone: Bool
        var isCancelled = false
        /// Whether it has brought a picture, or why there is none.
        var isAnswered = false
    }
}
