import Dispatch
import FoundationEssentials
import Glibc
import PhotoPipeline

/// Makes pictures of the photos in a folder without end.
func makeImages(_ arguments: [String]) -> Never {
    guard arguments.count == 6, let limit = Int(arguments[2]), let count = Int(arguments[4]),
        var seed = UInt64(arguments[5])
    else { exit(2) }
    var configuration = PhotoPipeline.Configuration()
    configuration.cacheLimit = 0
    let cache = ImageDiskCache(folder: arguments[1], limit: limit)
    configuration.imageDiskCache = cache
    let pipeline = PhotoPipeline(configuration: configuration)
    while true {
        let batch = DispatchGroup()
        for _ in 0..<8 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let file = URL(filePath: "\(arguments[3])/\(Int(seed >> 33) % count).jpg")
            let request = ImageRequest(
                address: file, longestSide: [200, 100, 50][Int(seed >> 40) % 3],
                filter: (try? FilterChain(parsing: "sepia(0.5)")) ?? .none, allowsLocalFiles: true,
                cachePolicy: seed >> 50 % 3 == 0 ? .reload : .standard)
            batch.enter()
            pipeline.imageTask(for: request) { _ in batch.leave() }
        }
        batch.wait()
        if cache.statistics.stored > 0 { _ = write(1, "stored\n", 7) }
    }
}
