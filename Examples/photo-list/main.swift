// The classic photo list: rows are downloaded, then filtered; what scrolls away is cancelled.
//     swift run photo-list [FOLDER]

import Foundation
import ImageCodecs
import Operations
import Pixels
import Transfers

/// Decodes what was downloaded and gives it the classic sepia.
final class ImageFiltration: Operation, @unchecked Sendable {
    let download: DownloadOperation
    /// Written by `main()` only, and read after the finish only.
    private(set) var images: (original: PixelBuffer, filtered: PixelBuffer)?

    init(_ download: DownloadOperation) {
        self.download = download
        super.init()
        addDependency(download)
    }

    override func main() {
        guard !isCancelled, let result = download.result else { return }
        do {
            let original = try ImageDecoder.decode(result.get().body, longestSide: 320)
            // Decoding took a while; the row may be gone by now.
            guard !isCancelled else { return }
            var filtered = original
            FilterChain.classic.apply(to: &filtered)
            images = (original, filtered)
        } catch {
            fail(error)
        }
    }
}

let folder = CommandLine.arguments.dropFirst().first ?? "/usr/share/backgrounds/mate/nature"
let photos =
    (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted().filter { $0.hasSuffix(".jpg") } ?? []
guard !photos.isEmpty else {
    print("There are no .jpg files in \(folder). Name a folder with photographs: swift run photo-list ~/Pictures")
    exit(1)
}
let client = TransferClient()
let downloads = OperationQueue()
let filtrations = OperationQueue()
downloads.maxConcurrentOperationCount = 2
filtrations.maxConcurrentOperationCount = 1

/// What is on its way, by row.
var pending: [Int: ImageFiltration] = [:]

/// Works for the rows on screen and for no others.
@MainActor func show(rows: Range<Int>) {
    print("On screen: \(rows.clamped(to: photos.indices).map { photos[$0] }.joined(separator: ", "))")
    for (row, filtration) in pending where !rows.contains(row) && !filtration.isFinished {
        filtration.cancel()
        filtration.download.cancel()
        pending[row] = nil
        print("  \(photos[row]) scrolled away, cancelled")
    }
    for row in rows.clamped(to: photos.indices) where pending[row] == nil {
        var request = DownloadRequest(url: URL(filePath: folder).appending(path: photos[row]))
        request.allowsLocalFiles = true
        let filtration = ImageFiltration(DownloadOperation(request, client: client))
        downloads.addOperation(filtration.download)
        filtrations.addOperation(filtration)
        pending[row] = filtration
    }
}

show(rows: 0..<4)
await pending[0]?.untilFinished()
show(rows: 3..<7)
for row in pending.keys.sorted() {
    await pending[row]?.untilFinished()
    guard let images = pending[row]?.images else {
        if let error = pending[row]?.error { print("\n\(photos[row]): \(error)") }
        continue
    }
    print("\n\(photos[row]), \(row < 3 ? "off screen by now" : "on screen"), as it came and filtered")
    print(sideBySide(images.original, images.filtered))
}
