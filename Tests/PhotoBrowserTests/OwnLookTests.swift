import Foundation
import ImageCodecs
import Operations
import PhotoPipeline
import TestServers
import XCTest

@testable import PhotoBrowser

/// Photos that have a look of their own, on the real pipeline.
final class OwnLookTests: XCTestCase {
    private static let grey = PhotoLook(FilterChain([.grayscale(1)]))
    private static let faint = PhotoLook(FilterChain([.invert(1)]), intensity: 0.25)

    func testEachPhotoIsShownAndSavedWithItsLook() throws {
        try Self.withList(of: 4) { list, server in
            list.looks.own.set(Self.grey, for: [Photo.ID(1)])
            list.looks.own.set(Self.faint, for: [Photo.ID(2)])
            let looks = [PhotoLook.classic, Self.grey, Self.faint, .classic]
            list.visibleRowsChanged(0..<4)
            waitUntil("all filtered") { (0..<4).allSatisfy { list[Photo.ID($0)].state == .filtered } }
            let original = try ImageDecoder.decode(Self.image(), longestSide: 32)
            for (index, look) in looks.enumerated() {
                XCTAssertEqual(list[Photo.ID(index)].image, look.applied(to: original, scale: 0.5), "\(index)")
            }
            waitUntil("rest") { list.pendingCount == 0 }
            var told: Set<Photo.ID> = []
            list.onChange = { told.formUnion($0) }
            list.looks.own.set(nil, for: [Photo.ID(2)])
            waitUntil("the look of all") { list[Photo.ID(2)].image == list[Photo.ID(0)].image }
            XCTAssertEqual(told, [Photo.ID(2)])
            XCTAssertEqual(server.requestCount("/picture"), 4, "only the filter runs again")

            let file = FileManager.default.temporaryDirectory.appending(path: "classicphotos-own-\(UUID()).png")
            defer { try? FileManager.default.removeItem(at: file) }
            var isSaved = false
            list.save(Photo.ID(1), to: file.path, as: ImageEncoder(format: .png)) { isSaved = $0 == nil }
            waitUntil("the file") { isSaved }
            let whole = try ImageDecoder.decode(Self.image(), longestSide: nil)
            XCTAssertEqual(
                try ImageDecoder.decode(Data(contentsOf: file), longestSide: nil), Self.grey.applied(to: whole))
        }
    }

    func testWhatIsInMemoryIsRecalledWithThePhotosLook() throws {
        try Self.withList(of: 2) { first, server in
            first.looks.own.set(Self.grey, for: [Photo.ID(1)])
            first.visibleRowsChanged(0..<2)
            waitUntil("rest") { first.pendingCount == 0 && first[Photo.ID(1)].state == .filtered }
            let list = PhotoList(catalog: first.catalog, pipeline: first.pipeline, longestSide: 32)
            list.looks = first.looks
            list.isScrolling = true
            list.visibleRowsChanged(0..<2)
            for index in 0..<2 { XCTAssertEqual(list[Photo.ID(index)].image, first[Photo.ID(index)].image) }
            XCTAssertNotEqual(list[Photo.ID(0)].image, list[Photo.ID(1)].image)
            XCTAssertEqual(server.requestCount("/picture"), 2)
        }
    }

    func testSamplesAreMadeOfThePublishedPictureInTheirSize() throws {
        try Self.withList(of: 1) { list, server in
            list.visibleRowsChanged(0..<1)
            waitUntil("rest") { list.pendingCount == 0 && list[Photo.ID(0)].state == .filtered }
            let samples = LookSamples()
            var made: [Int: PixelBuffer] = [:]
            samples.onSample = { made[$0] = $1 }
            let blur = PhotoLook(FilterChain([.blur(deviation: 8)]))
            samples.make([.none, Self.grey, blur], of: Photo.ID(0), in: list, longestSide: 16)
            waitUntil("the samples") { made.count == 3 }
            let original = try ImageDecoder.decode(Self.image(), longestSide: 32)
            let small = original.scaled(longestSide: 16)
            XCTAssertEqual(made[0], small)
            XCTAssertEqual(made[1], Self.grey.applied(to: small))
            XCTAssertEqual(made[2], blur.applied(to: small, scale: 0.25), "lengths shrink with it")
            // Of a list that has not got the picture.
            let other = PhotoList(catalog: list.catalog, pipeline: PhotoPipeline(), longestSide: 32)
            made = [:]
            samples.make([.none, Self.grey], of: Photo.ID(0), in: other, longestSide: 16)
            waitUntil("the samples") { made.count == 2 }
            XCTAssertEqual(server.requestCount("/picture"), 2)
            XCTAssertEqual(made[0]?.size, PixelSize(width: 16, height: 12))
        }
    }

    func testWhatIsGivenUpIsToldToNobody() throws {
        try Self.withList(of: 1) { list, _ in
            list.visibleRowsChanged(0..<1)
            waitUntil("rest") { list.pendingCount == 0 && list[Photo.ID(0)].state == .filtered }
            let samples = LookSamples()
            samples.queue.isSuspended = true
            var made: [Int] = []
            samples.onSample = { place, _ in made.append(place) }
            samples.make(Array(repeating: Self.grey, count: 9), of: Photo.ID(0), in: list, longestSide: 16)
            samples.cancel()
            samples.make([.none], of: Photo.ID(0), in: list, longestSide: 16)
            samples.queue.isSuspended = false
            waitUntil("the end") { samples.queue.operationCount == 0 && !made.isEmpty }
            XCTAssertEqual(made, [0])
        }
    }

    func testAllSamplesTogetherKeepToTheirMemory() {
        for (side, count) in [(300, 22), (4_000, 22), (900, 2_000), (10, 1)] {
            let made = LookSamples.side(side, for: count)
            XCTAssertLessThanOrEqual(made * made * 4 * count, LookSamples.mostBytes)
            XCTAssertLessThanOrEqual(made, side)
            if side * side * 4 * count <= LookSamples.mostBytes { XCTAssertEqual(made, side) }
        }
    }

    // MARK: Helpers

    private static func withList(of count: Int, _ body: @MainActor (PhotoList, FaultServer) throws -> Void) throws {
        let server = try FaultServer()
        defer { server.stop() }
        server.serve(try image(), at: "/picture")
        let lines = (0..<count).map { "\($0),\(server.url("/picture?\($0)"))\n" }.joined()
        let catalog = try Catalog(parsing: Data(("name,url\n" + lines).utf8), origin: .file(path: "/catalog.csv"))
        try MainActor.assumeIsolated {
            try body(PhotoList(catalog: catalog, pipeline: PhotoPipeline(), longestSide: 32), server)
        }
    }

    private static func image() throws -> Data {
        var buffer = PixelBuffer(size: PixelSize(width: 64, height: 48))
        buffer.withUnsafeMutableBytes { bytes in
            for index in bytes.indices { bytes[index] = index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: index / 7) }
        }
        return try ImageEncoder(format: .png).encode(buffer)
    }
}
