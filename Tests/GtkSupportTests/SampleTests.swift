import Foundation
import XCTest

/// The files of the sample that comes with the program.
final class SampleTests: XCTestCase {
    func testTheSampleNamesNothingOutsideOfTheProgram() throws {
        let data = Translations.root.appending(path: "data")
        let lines = try String(contentsOf: data.appending(path: "sample.csv"), encoding: .utf8).split(separator: "\n")
        let files = lines.dropFirst().compactMap { $0.split(separator: ",").last.map(String.init) }
        XCTAssertEqual(files.count, 24)
        for file in files {
            let isThere = FileManager.default.fileExists(atPath: data.appending(path: file).path)
            XCTAssertTrue(file.hasPrefix("sample/") && isThere, file)
        }
    }
}
