import Foundation
import Testing

@testable import Transfers

/// The URL standard's own cases, where somebody has fetched them: `URL_TEST_DATA` names a folder with `urltestdata.json`,
/// `IdnaTestV2.json` and `toascii.json` of web-platform-tests.
///
/// Differences are printed; the tests fail where an address is read as another one than it is.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["URL_TEST_DATA"] != nil)) struct URLStandardTests {
    private func cases(_ file: String) throws -> [[String: Any]] {
        let folder = ProcessInfo.processInfo.environment["URL_TEST_DATA"] ?? ""
        let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
        // Half a surrogate pair cannot stand in a string of Swift. The standard reads it as U+FFFD before anything else.
        let whole = text.replacing(/(\\u[dD][89aAbB]..\\u[dD][c-fC-F]..)|\\u[dD][89a-fA-F]../) { match in
            match.output.1 ?? #"\ufffd"#
        }
        let cases = try JSONSerialization.jsonObject(with: Data(whole.utf8)) as? [Any] ?? []
        return cases.compactMap { $0 as? [String: Any] }
    }

    @Test func addresses() throws {
        var (same, stricter, laxer, spelt) = (0, 0, 0, 0)
        for test in try cases("urltestdata.json") {
            guard let input = test["input"] as? String else { continue }
            let base = (test["base"] as? String).flatMap { try? WebAddress($0) }
            if test["base"] is String, base == nil { continue }
            let isFailure = test["failure"] as? Bool == true
            let expected = (test["href"] as? String)?.split(separator: "#", omittingEmptySubsequences: false).first.map(
                String.init)
            let own = Result { () throws(WebAddress.ParsingError) in try WebAddress(input, relativeTo: base) }
            switch own {
            case .success(let address) where isFailure:
                laxer += 1
                print("laxer", input.debugDescription, address.text)
            case .success(let address):
                guard let expected, expected.hasPrefix("http") else { continue }
                if address.text == expected || address.text + "?" == expected { same += 1; continue }
                spelt += 1
                print("other", input.debugDescription, address.text, expected)
                #expect(test["hostname"] as? String == address.host || address.host.hasPrefix("["))
            case .failure(.scheme), .failure(.relative): continue
            case .failure(let error):
                if isFailure { same += 1; continue }
                guard let expected, expected.hasPrefix("http") else { continue }
                stricter += 1
                print("stricter", input.debugDescription, error, expected)
            }
        }
        print("urltestdata: \(same) same, \(stricter) stricter, \(laxer) laxer, \(spelt) spelt otherwise")
        #expect(laxer == 0)
    }

    @Test(arguments: ["IdnaTestV2.json", "toascii.json"])
    func hosts(file: String) throws {
        var (same, stricter, laxer, other) = (0, 0, 0, 0)
        for test in try cases(file) {
            guard let input = test["input"] as? String, !input.isEmpty else { continue }
            // The standard's own tests leave out what cannot stand in an address.
            let escaped = input.utf8.map { String(format: "%%%02X", $0) }.joined()
            let own = (try? WebAddress("https://\(escaped)/x"))?.host
            let expected = test["output"] as? String
            switch (own, expected) {
            case (nil, nil): same += 1
            case (let own?, let expected?) where own == expected: same += 1
            case (nil, let expected?):
                stricter += 1
                print("stricter", input.debugDescription, expected, test["comment"] ?? "")
            case (let own?, nil):
                laxer += 1
                print("laxer", input.debugDescription, own, test["comment"] ?? "")
            case (let own?, let expected?):
                other += 1
                print("other", input.debugDescription, own, expected, test["comment"] ?? "")
            }
        }
        print("\(file): \(same) same, \(stricter) stricter, \(laxer) laxer, \(other) another host")
        #expect(laxer == 0 && other == 0)
    }
}
