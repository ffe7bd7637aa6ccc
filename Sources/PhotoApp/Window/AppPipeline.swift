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
    /// - Parameter keepsImages: Whether what was downloaded is kept: then it is there at once the next time, and without a
    ///   network.
    static func make(keepsImages: Bool) -> PhotoPipeline {
        var configuration = configuration
        if keepsImages, let folder = DiskCache.standardFolder {
            configuration.diskCache = DiskCache(folder: folder)
        }
        return PhotoPipeline(configuration: configuration)
    }
}
