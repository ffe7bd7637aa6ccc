import BenchServers
import BenchSupport
import CHeap
import Foundation
import PhotoBrowser
import PhotoPipeline
import Transfers

// Whether an hour of browsing takes no more memory than its first minutes: somebody at random scrolls, jumps, searches,
// changes looks and opens photos in a list of 100,000, served by nginx on loopback, as fast as the pictures come. Each
// second the resident memory, the descriptors and the threads of this process are noted. Fails if they grow.
//
//     bench-browse [--seconds N] [--photos N] [--seed N]

@main struct BenchBrowse {
    static func main() throws {
        cheap_limit_heaps(Int32(max(2, ProcessInfo.processInfo.activeProcessorCount)))
        // The main thread is the main actor's, and nothing has to be awaited.
        try MainActor.assumeIsolated { try run(Options(CommandLine.arguments)) }
    }

    @MainActor private static func run(_ options: Options) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-browse-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let names = try Photographs.write(to: folder.appending(path: "photos"))
        let server = try NginxServer(
            root: folder.appending(path: "photos"),
            settings: "location ~ \\.jpg$ { add_header Cache-Control max-age=600; }")
        defer { server.stop() }

        let catalog = try Photographs.catalog(of: options.photos, names, on: server)
        var configuration = PhotoPipeline.Configuration()
        configuration.cacheLimit = Options.cacheLimit
        configuration.diskCache = DiskCache(
            folder: folder.appending(path: "cache").path, limit: Options.diskCacheLimit)
        let list = PhotoList(
            catalog: catalog, pipeline: PhotoPipeline(configuration: configuration), longestSide: Options.longestSide,
            cacheLimit: Options.cacheLimit)
        print("seed \(options.seed), \(options.photos) photos, \(options.seconds) s")
        var visit = Visit(list, seed: options.seed)
        visit.browse(for: .seconds(options.seconds))

        let report = BrowseReport(options, visit.counts, visit.samples)
        let path = try writeReport(report, as: "browse")
        print(report.summary + "\n\(path) has a sample for each second")
        list.close()
        if !report.complaints.isEmpty {
            for complaint in report.complaints { print("bench-browse: \(complaint)") }
            exit(1)
        }
    }
}
