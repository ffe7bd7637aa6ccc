import Foundation
import Testing

@testable import Transfers

@Suite struct LocalPathTests {
    @Test("A path is taken as the system takes it, also one that begins with a tilde")
    func paths() {
        let here = FileManager.default.currentDirectoryPath
        #expect(URL(localPath: "~/a.jpg").path == here + "/~/a.jpg")
        #expect(URL(localPath: "~root").path == here + "/~root")
        #expect(URL(localPath: "a b%20c.jpg").path == here + "/a b%20c.jpg")
        #expect(URL(localPath: "/~/a.jpg").path == "/~/a.jpg")
    }
}
