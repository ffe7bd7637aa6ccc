import FoundationEssentials
import Glibc
import Operations
import PhotoPipeline
import Transfers

// A process that downloads into a disk cache without end, or makes pictures of photos with one for finished pictures, to be killed
// by a test at any moment, or to share the cache with another one. It prints a line when it has stored something.
//
//     cache-child FOLDER LIMIT ADDRESS COUNT SEED
//     cache-child images FOLDER LIMIT PHOTOS COUNT SEED
var arguments = CommandLine.arguments
if arguments.count > 1, arguments[1] == "images" {
    arguments.remove(at: 1)
    makeImages(arguments)
}
guard arguments.count == 6, let limit = Int(arguments[2]), let count = Int(arguments[4]),
    var seed = UInt64(arguments[5])
else { exit(2) }
let cache = DiskCache(folder: arguments[1], limit: limit)
let client = TransferClient(TransferClient.Configuration(usesEnvironmentProxy: false))
let queue = OperationQueue()
queue.maxConcurrentOperationCount = 4
while true {
    var batch: [CachedDownloadOperation] = []
    for _ in 0..<8 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let path = "\(arguments[3])/\(Int(seed >> 33) % count)"
        guard let url = URL(string: path) else { exit(2) }
        let policy: CachePolicy = seed >> 40 % 3 == 0 ? .standard : .reload
        batch.append(CachedDownloadOperation(DownloadRequest(url: url), client: client, cache: cache, policy: policy))
    }
    queue.addOperations(batch, waitUntilFinished: true)
    if cache.statistics.stored > 0 {
        _ = write(1, "stored\n", 7)
    }
}
