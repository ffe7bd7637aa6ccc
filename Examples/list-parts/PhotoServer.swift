import Foundation
public import Pixels
import Synchronization

/// The titles of the photos, in the order of the list.
public let photos = [
    "Beach", "Canyon", "Dune", "Forest", "Glacier", "Harbour", "Island", "Lake", "Meadow", "Ocean", "River", "Summit",
]

/// A photo's pixels, and which photo it is.
public struct Picture: Sendable {
    /// The photo's title.
    public let title: String
    /// 600 x 400 pixels.
    public var pixels: PixelBuffer
}

/// Stands for a server on the web: it answers each request after 40 ms, with a picture that it makes.
public final class PhotoServer: Sendable {
    private let count = Mutex(0)

    /// Creates a server that nobody has asked for anything.
    public init() {}

    /// How many requests it has answered.
    public var answerCount: Int { count.withLock { $0 } }

    /// Waits for the answer, and blocks the thread until it is there.
    public func picture(of title: String) -> Picture {
        Thread.sleep(forTimeInterval: 0.04)
        return answer(title)
    }

    /// Returns at once, and calls back on a thread of its own when the answer is there.
    public func requestPicture(of title: String, completion: @escaping @Sendable (Picture) -> Void) {
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.04) { completion(self.answer(title)) }
    }

    private func answer(_ title: String) -> Picture {
        count.withLock { $0 += 1 }
        var pixels = PixelBuffer(size: PixelSize(width: 600, height: 400))
        let shade = Int32((photos.firstIndex(of: title) ?? 0) * 20)
        pixels.withUnsafeMutableBytes { bytes in
            if let first = bytes.baseAddress { memset(first, shade, bytes.count) }
        }
        return Picture(title: title, pixels: pixels)
    }
}
