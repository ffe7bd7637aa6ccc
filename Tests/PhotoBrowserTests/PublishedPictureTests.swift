import TestServers
import XCTest

@testable import PhotoBrowser
@testable import PhotoPipeline

/// Pictures as they were published, beside those with a look.
final class PublishedPictureTests: XCTestCase {
    func testThePublishedPictureComesFromMemoryTooOrIsFetched() throws {
        try PhotoListTests.withServer { server in
            let first = try PhotoListTests.makeList(server, [server.url("/picture")])
            first.visibleRowsChanged(0..<1)
            waitUntil("the picture") { first[Photo.ID(0)].state == .filtered && first.pendingCount == 0 }
            @MainActor func makeAnother(isScrolling: Bool = false) -> PhotoList {
                let list = PhotoList(catalog: first.catalog, pipeline: first.pipeline, resize: first.resize)
                list.looks = first.looks
                list.isScrolling = isScrolling
                list.visibleRowsChanged(0..<1)
                return list
            }
            for isScrolling in [false, true] {
                let list = makeAnother(isScrolling: isScrolling)
                XCTAssertEqual(list[Photo.ID(0)].state, .filtered, "at once")
                XCTAssertEqual(list[Photo.ID(0)].original, first[Photo.ID(0)].original)
                XCTAssertNotNil(list[Photo.ID(0)].original)
            }
            // Where memory has the filtered one alone, the published one comes when somebody wants it.
            let filtered = try XCTUnwrap(first.imagesInMemory(of: Photo.ID(0))).image
            let request = try first.listRequest(for: Photo.ID(0)).get()
            first.pipeline.cache.removeAll()
            first.pipeline.store(filtered, first.pipeline.key(request).processed(request.processing))
            let list = makeAnother()
            XCTAssertEqual(list[Photo.ID(0)].state, .filtered)
            XCTAssertNil(list[Photo.ID(0)].original)
            var changes = 0
            list.onChange = { _ in changes += 1 }
            list.loadOriginal(of: Photo.ID(0))
            list.loadOriginal(of: Photo.ID(0))
            waitUntil("the published one") { list[Photo.ID(0)].original != nil }
            XCTAssertEqual(list[Photo.ID(0)].original, first[Photo.ID(0)].original)
            XCTAssertEqual(list[Photo.ID(0)].state, .filtered)
            XCTAssertEqual(changes, 1)
            XCTAssertTrue(list.originals.isEmpty)
        }
    }

    func testAPhotoIsHadAtOtherSizesAndWithOtherLooks() throws {
        try PhotoListTests.withServer { server in
            let list = try PhotoListTests.makeList(server, [server.url("/picture")])
            XCTAssertNil(list[Photo.ID(0)].publishedSize)
            list.visibleRowsChanged(0..<1)
            waitUntil("the picture") { list[Photo.ID(0)].state == .filtered && list.pendingCount == 0 }
            let size = try XCTUnwrap(list[Photo.ID(0)].publishedSize)
            XCTAssertGreaterThan(size.width, try XCTUnwrap(list[Photo.ID(0)].image).size.width)
            var pictures: [PixelBuffer] = []
            Task {
                pictures.append(try await list.image(of: Photo.ID(0), longestSide: nil))
                pictures.append(try await list.image(of: Photo.ID(0), with: PhotoLook.none, longestSide: nil))
                let weak = PhotoLook(list.look.filter, intensity: 0.5)
                pictures.append(try await list.image(of: Photo.ID(0), with: weak, longestSide: nil))
            }
            waitUntil("the others") { pictures.count == 3 }
            XCTAssertEqual(pictures.map(\.size), [size, size, size])
            XCTAssertEqual(PhotoLook(list.look.filter).applied(to: pictures[1]), pictures[0])
            XCTAssertEqual(PhotoLook(list.look.filter, intensity: 0.5).applied(to: pictures[1]), pictures[2])
        }
    }

    /// A fetch that was cancelled says nothing about the picture, and after the end of the list nobody is told of it.
    func testACancelledFetchIsNoLostPicture() throws {
        try PhotoListTests.withServer { server in
            let list = try PhotoListTests.makeList(server, [server.url("/picture")])
            let photo = Photo.ID(0)
            let request = try list.listRequest(for: photo).get()
            let pipeline = list.pipeline
            let picture = ScaledImage(pixels: PixelBuffer(size: PixelSize(width: 32, height: 24)), scale: 0.5)
            pipeline.store(picture, pipeline.key(request).processed(request.processing))
            list.visibleRowsChanged(0..<1)
            XCTAssertEqual(list[photo].state, .filtered)
            XCTAssertNil(list[photo].original)
            var changes = 0
            list.onChange = { _ in changes += 1 }
            pipeline.pending.isSuspended = true
            XCTAssertTrue(list.loadOriginal(of: photo))
            pipeline.pending.cancelAll()
            pipeline.pending.isSuspended = false
            waitUntil("the end of the fetch") { list.originals.isEmpty }
            XCTAssertEqual(changes, 1, "who waits for it need not go on")
            XCTAssertTrue(list.lostOriginals.isEmpty)
            pipeline.pending.isSuspended = true
            XCTAssertTrue(list.loadOriginal(of: photo), "it may be asked for again")
            list.close()
            let changesAtTheEnd = changes
            pipeline.pending.isSuspended = false
            waitUntil("the end of the second") { list.originals.isEmpty && pipeline.pending.count == 0 }
            XCTAssertEqual(changes, changesAtTheEnd)
            XCTAssertTrue(list.lostOriginals.isEmpty)
        }
    }

    func testAPictureThatIsMadeSmallerKnowsIt() {
        let image = ScaledImage(pixels: PixelBuffer(size: PixelSize(width: 400, height: 300)), scale: 0.5)
        let small = image.reduced(to: 100)
        XCTAssertEqual(small.pixels.size, PixelSize(width: 100, height: 75))
        XCTAssertEqual(small.scale, 0.125)
        XCTAssertEqual(image.reduced(to: 1000).scale, 0.5)
    }
}
