import Catalogs
import Foundation
import ImageCodecs
import PhotoPipeline
import Pixels
import TestServers
import XCTest

@testable import PhotoBrowser

/// Photos whose pictures came damaged, and are wanted whole.
final class DamagedRowTests: XCTestCase {
    func testADamagedPhotoComesAnewWhereItIsTriedAgain() {
        var world = ListWorld()
        let (whole, cut) = (Photo.ID(0), Photo.ID(1))
        world.damaged = [cut]
        world.send(.visible([whole, cut]))
        world.settle()
        // It has not failed, and a whole one has nothing to try.
        world.send(.retryAllFailed)
        world.send(.retry(whole))
        XCTAssertEqual(world.started.count, 2)
        world.damaged = []
        world.send(.paused(true))
        world.send(.retry(cut))
        XCTAssertNil(world.state.records[cut])
        XCTAssertFalse(world.state.lacksImage(cut), "memory has the damaged one")
        world.send(.paused(false))
        XCTAssertEqual(world.started.dropFirst(2), [Run(photo: cut, number: 3, cachePolicy: .reload)])
        world.settle()
        world.checkAtRest()
        XCTAssertEqual(world.state.records[cut]?.shown?.isDamaged, false)
        XCTAssertEqual(world.downloads, [whole: 1, cut: 2])
        XCTAssertEqual(world.violations, [])
    }

    func testNoMemoryHasTheDamagedPictureComeBack() throws {
        try PhotoListTests.withServer { server in
            var configuration = PhotoPipeline.Configuration()
            configuration.toleratesDamage = true
            let pipeline = PhotoPipeline(configuration: configuration)
            let list = try PhotoListTests.makeList(server, [server.url("/cut")], pipeline: pipeline)
            let file = try ImageEncoder(format: .jpeg).encode(Self.image)
            server.serve(file.dropLast(file.count / 2) + [0xFF, 0xD9], at: "/cut")
            list.visibleRowsChanged(0..<1)
            waitUntil("its beginning") { list[Photo.ID(0)].state == .filtered && list.pendingCount == 0 }
            XCTAssertNotNil(list[Photo.ID(0)].damage)
            XCTAssertEqual(list.failedCount, 0)
            server.serve(file, at: "/cut")
            list.retry(Photo.ID(0))
            waitUntil("all of it") { list[Photo.ID(0)].state == .filtered && list.pendingCount == 0 }
            XCTAssertNil(list[Photo.ID(0)].damage)
            XCTAssertEqual(server.requestCount("/cut"), 2)
            // What is whole is not tried again.
            list.retry(Photo.ID(0))
            XCTAssertEqual(list.pendingCount, 0)
        }
    }

    /// Of which half of a file is not enough.
    private static let image = PixelBuffer(uninitialized: PixelSize(width: 100, height: 80), isOpaque: true) { bytes in
        for index in bytes.indices { bytes[index] = index % 4 == 3 ? 255 : UInt8(index * 31 % 256) }
    }
}
