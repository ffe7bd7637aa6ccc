import Foundation
import Glibc
import OperationsCore
import Testing

@testable import Transfers

@Suite final class PartialDownloadsTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)/a/b").path
    private let validator = StrongValidator(kept: "\"v\"")

    deinit {
        let root = URL(filePath: folder).deletingLastPathComponent().deletingLastPathComponent()
        try? FileManager.default.removeItem(at: root)
    }

    private func store(_ maxBytes: Int = 10_000_000) -> PartialDownloads {
        PartialDownloads(folder: folder, maxBytes: maxBytes)
    }

    private func append(_ count: Int, to file: BodyFile, byte: UInt8 = 7) throws {
        try [UInt8](repeating: byte, count: count).withUnsafeBytes { try file.append($0) }
    }

    private func keep(_ address: String, bytes: Int, in store: PartialDownloads, age: Int = 0) throws {
        let file = try #require(store.make(address, validator: validator, total: nil))
        try append(bytes, to: file)
        guard age > 0 else { return }
        for name in names() {
            let path = "\(folder)/\(name)"
            let text = try Data(contentsOf: URL(filePath: path))
            guard text.range(of: Data(address.utf8)) != nil else { continue }
            var times = [timeval(tv_sec: time(nil) - age, tv_usec: 0), timeval(tv_sec: time(nil) - age, tv_usec: 0)]
            #expect(utimes(path, &times) == 0)
        }
    }

    private func names() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    @Test func whatIsKeptIsFoundWithAllThatBelongsToIt() throws {
        do {
            let file = try #require(store().make("http://a/1", validator: validator, total: 500))
            try append(300, to: file)
        }
        var partial = try #require(store().take("http://a/1"))
        #expect(partial.validator == validator && partial.total == 500 && partial.body.count == 300)
        #expect(store().take("http://a/2") == nil)
        #expect(try partial.body.take() == Data(repeating: 7, count: 300))
        #expect(names().isEmpty)
        var status = stat()
        #expect(stat(folder, &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    @Test func aFileBelongsToOneAtATime() throws {
        let store = store()
        do {
            let file = try #require(store.make("http://a/1", validator: validator, total: nil))
            try append(10, to: file)
            #expect(self.store().take("http://a/1") == nil)
            #expect(self.store().make("http://a/1", validator: validator, total: nil) == nil)
            try append(10, to: file)
        }
        #expect(self.store().take("http://a/1")?.body.count == 20)
    }

    /// Two programs fetch one address, and the one that got less of it ends last.
    @Test func whatIsCutOffEarlierDoesNotReplaceWhatCameFurther() throws {
        func cutOff(at count: Int, _ validator: StrongValidator) throws {
            var body = BodyStore()
            try Data(repeating: 8, count: count).withUnsafeBytes { try body.append($0) }
            store().keep(PartialBody(address: "http://a/1", validator: validator, total: nil, body: body))
        }
        try keep("http://a/1", bytes: 300_000, in: store())
        try cutOff(at: 100_000, validator)
        #expect(store().take("http://a/1")?.body.count == 300_000)
        try cutOff(at: 400_000, validator)
        #expect(store().take("http://a/1")?.body.count == 400_000)
        // Of another body that is at the address by now, less is worth more.
        try cutOff(at: 100_000, StrongValidator(kept: "\"w\""))
        #expect(store().take("http://a/1")?.body.count == 100_000)
    }

    /// Such as a power failure leaves that took the head, which no disk is waited for: empty, cut short, or of zeros.
    @Test func damagedWholeAndForeignFilesAreNotTaken() throws {
        let store = store()
        try keep("http://a/1", bytes: 100, in: store)
        let path = "\(folder)/\(try #require(names().first))"
        let good = try Data(contentsOf: URL(filePath: path))
        let other = Data(String(decoding: good, as: UTF8.self).replacing("http://a/1", with: "http://a/9").utf8)
        let whole = Data(String(decoding: good, as: UTF8.self).replacing("\n-\n", with: "\n100\n").utf8)
        for bytes in [
            Data(), good.prefix(20), good.dropLast(100), Data(count: 5_000),
            Data(count: good.count - 100) + good.suffix(100), other, whole,
        ] {
            try bytes.write(to: URL(filePath: path))
            #expect(store.take("http://a/1") == nil)
            #expect(names().isEmpty, "it is of no use to anybody")
        }
        try good.write(to: URL(filePath: path))
        #expect(store.take("http://a/1")?.body.count == 100)
    }

    @Test func theOldestGoWhenThereIsNoRoom() throws {
        let store = store(9_000_000)
        try keep("http://a/old", bytes: 3_000_000, in: store, age: 1_000)
        try keep("http://a/new", bytes: 3_000_000, in: store, age: 10)
        try keep("http://a/now", bytes: 3_500_000, in: store)
        #expect(store.take("http://a/old") == nil)
        #expect(store.take("http://a/new") != nil && store.take("http://a/now") != nil)
    }

    @Test func theLimitHoldsWhileAFileGrowsAndTheBodyLivesOnWithoutAName() throws {
        let store = store(6_000_000)
        let file = try #require(store.make("http://a/1", validator: validator, total: nil))
        var largest = 0
        for _ in 0..<10 {
            try append(1_000_000, to: file)
            let sizes = try names().map { try Data(contentsOf: URL(filePath: "\(folder)/\($0)")).count }
            largest = max(largest, sizes.reduce(0, +))
        }
        #expect(largest <= 6_000_000 && largest >= 5_000_000)
        #expect(names().isEmpty)
        #expect(try file.contents() == Data(repeating: 7, count: 10_000_000))
    }

    @Test func whatIsInUseIsNotRemovedAndOtherPeoplesFilesNeither() throws {
        let store = store(1_000_000)
        let used = try #require(store.make("http://a/used", validator: validator, total: nil))
        try append(600_000, to: used)
        let others = ["beach.partial", "cafe.partial", "notes.txt"]
        for name in others { try Data(count: 3_000_000).write(to: URL(filePath: "\(folder)/\(name)")) }
        #expect(store.make("http://a/2", validator: validator, total: 900_000) == nil)
        try append(1, to: used)
        store.removeAll()
        #expect(names().count == 4)
        used.discard()
        #expect(names().sorted() == others)
    }

    @Test func whatIsTooOldIsRemovedUnlessSomebodyWorksOnIt() throws {
        let first = store()
        try keep("http://a/old", bytes: 100, in: first, age: 8 * 86_400)
        try keep("http://a/older", bytes: 100, in: first, age: 30 * 86_400)
        try keep("http://a/new", bytes: 100, in: first, age: 6 * 86_400)
        // The one that is asked for, and the others.
        #expect(first.take("http://a/old") == nil)
        #expect(names().count == 2)
        let used = try #require(first.take("http://a/new"))
        let second = PartialDownloads(folder: folder, maxAge: .seconds(86_400))
        #expect(second.take("http://a/none") == nil)
        #expect(names().count == 1, "somebody works on it")
        #expect(used.body.count == 100)
    }

    /// As in an app that is open for weeks.
    @Test func whatBecomesTooOldIsRemovedWithinADay() throws {
        let passed = Lock(Duration.zero)
        let clock = WallClock(
            { time(nil) + Int(passed.withLock { $0 }.components.seconds) }, steady: { passed.withLock { $0 } })
        let store = PartialDownloads(folder: folder, clock: clock)
        try keep("http://a/1", bytes: 100, in: store)
        passed.withLock { $0 = .seconds(7 * 86_400 - 3_600) }
        #expect(store.take("http://a/none") == nil)
        #expect(names().count == 1)
        // Not with each one that is looked for.
        passed.withLock { $0 += .seconds(7_200) }
        #expect(store.take("http://a/none") == nil)
        #expect(names().count == 1)
        passed.withLock { $0 += .seconds(86_400) }
        #expect(store.take("http://a/none") == nil)
        #expect(names().isEmpty)
    }

    @Test func theFolderIsClosedToOthers() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(chmod(folder, 0o755) == 0)
        try keep("http://a/1", bytes: 100, in: store())
        var status = stat()
        #expect(stat(folder, &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    @Test func whatAnEarlierVersionKeptOfASecretAddressIsRemoved() throws {
        try keep("https://a/1?X-Amz-Signature=abc", bytes: 100, in: store())
        try keep("https://a/1?size=3", bytes: 100, in: store())
        #expect(store().take("http://a/none") == nil)
        #expect(names().count == 1)
    }

    @Test(arguments: [
        ("https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4&X-Amz-Signature=ab", true),
        ("https://a/p?sv=1&sig=ab", true),
        ("https://a/p?Token=ab", true), ("https://a/p?access_token=ab", true),
        ("https://a/p?a=1;X-Goog-Signature=b", true),
        ("https://user:pw@a/p", true), ("https://a/p?Expires=1&Signature=x&Key-Pair-Id=y", true),
        ("https://a/p?access_key=a", true), ("https://a/p?AWSAccessKeyId=a&Expires=1", true),
        ("https://a/p?accessKey=a", true), ("https://a/p?Policy=a&Key-Pair-Id=b", true),
        ("https://a/p?auth_key=1-2-3-a", true),
        ("https://a/p?ex=1&is=2&hm=3", true), ("https://a/p?md5=a&expires=1", true),
        ("https://a/p?subscription-key=a", true),
        ("https://a/p?verify=1-a", true), ("https://a/p?access=1&keys=2&verified=3", false),
        ("https://a/p?size=100&sort=token", false), ("https://a/sig=ab/token", false), ("https://a/p", false),
        ("https://a/p?signal=1&design=2&keyword=3", false),
    ])
    func secretAddresses(text: String, isSecret: Bool) throws {
        #expect(try WebAddress(text).isSecret == isSecret)
    }

    @Test func aFolderThatCannotBeMadeKeepsNothing() {
        let store = PartialDownloads(folder: "/proc/none/of/that")
        #expect(store.make("http://a/1", validator: validator, total: nil) == nil)
        #expect(store.take("http://a/1") == nil)
        store.removeAll()
    }

    @Test func aFullDiskIsAnError() throws {
        let file = BodyFile(descriptor: open("/dev/full", O_RDWR | O_CLOEXEC))
        let error = #expect(throws: TransferError.self) { try append(10, to: file) }
        guard case .writeFailed(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains(String(cString: strerror(ENOSPC))))
    }
}
