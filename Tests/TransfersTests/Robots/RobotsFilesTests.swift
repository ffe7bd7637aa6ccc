import Foundation
import Testing

@testable import Transfers

/// What is known of hosts' files is bounded in time and in bytes.
@Suite struct RobotsFilesTests {
    private func origin(_ number: Int) throws -> WebAddress.Origin { try WebAddress("http://a\(number)/").origin }

    @Test(arguments: [
        (RobotsFiles.Answer.rules(RobotsRules()), 86_400), (.unreachable(.unreachable("it is not there")), 300),
    ])
    func answersHoldForAWhile(answer: RobotsFiles.Answer, seconds: Int) throws {
        var files = RobotsFiles()
        let origin = try origin(1)
        files.know(origin, answer, at: .seconds(7))
        #expect(files.answer(of: origin, at: .seconds(6 + seconds)) != nil)
        #expect(files.byteCount > 0)
        #expect(files.answer(of: origin, at: .seconds(7 + seconds)) == nil)
        #expect(files.byteCount == 0)
    }

    /// The oldest go; each file takes about as much as it had bytes.
    @Test func theyTakeABoundedNumberOfBytes() throws {
        let file = Data(("User-agent: *\n" + String(repeating: "Disallow: /a\n", count: 38_000)).utf8)
        let rules = RobotsRules(file, for: "")
        #expect((100_000...1_200_000).contains(rules.byteCount), "\(rules.byteCount)")
        var files = RobotsFiles()
        for number in 0..<200 {
            files.know(try origin(number), .rules(rules), at: .seconds(number))
            #expect(files.byteCount <= RobotsFiles.mostBytes)
            #expect(files.answer(of: try origin(number), at: .seconds(number)) != nil)
        }
        #expect(files.answer(of: try origin(0), at: .seconds(200)) == nil)
        #expect(files.answer(of: try origin(198), at: .seconds(200)) != nil)
        // What is known anew counts once.
        let before = files.byteCount
        files.know(try origin(199), .rules(rules), at: .seconds(201))
        #expect(files.byteCount == before)
    }
}
