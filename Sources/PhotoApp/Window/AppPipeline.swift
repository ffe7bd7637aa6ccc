import Foundation
import PhotoPipeline
import Transfers

/// How the program works on photos.
enum AppPipeline {
    /// What pipelines are like that keep nothing on disk.
    static var configuration: PhotoPipeline.Configuration {
        var configuration = PhotoPipeline.Configuration()
        configuration.qualityOfService = .utility
        // What there is of a photo is worth more than none of it; the row says that it is damaged.
        configuration.toleratesDamage = true
        return configuration
    }

    /// The pipeline of a window.
    ///
    /// - Parameter diskCache: Keeps what was downloaded: then it is there at once the next time, and without a network; nil to
    ///   keep nothing.
    static func make(keepingIn diskCache: DiskCache?) -> PhotoPipeline {
        var configuration = configuration
        configuration.diskCache = diskCache
        return PhotoPipeline(configuration: configuration)
    }
}
