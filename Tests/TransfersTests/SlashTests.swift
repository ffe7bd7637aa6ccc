import Testing
import Transfers

@Suite struct SlashTests {
    @Test("A slash is one whatever follows it")
    func slashes() throws {
        for mark in ["", "\u{301}", "\u{FE0F}", "\u{200D}"] {
            let path = "/one//\(mark)two/\(mark)three"
            let last = try #require(path.lastSlash)
            #expect(path[..<last] == "/one//\(mark)two")
            #expect(path[path.utf8.index(after: last)...].utf8.elementsEqual("\(mark)three".utf8))
            #expect(path.firstSlash == path.startIndex)
            #expect(path.pathParts.map(String.init) == ["one", "\(mark)two", "\(mark)three"])
        }
        #expect("".lastSlash == nil && "a".firstSlash == nil && "//".pathParts.isEmpty)
    }
}
