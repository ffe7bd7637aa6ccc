import Foundation
import ImageCodecs
import PhotoPipeline
import TestServers
import Transfers
import XCTest

@testable import classicphotos

/// The command line speaks the languages that it is translated into.
final class LanguageTests: DevelopTestCase {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The program finds translations in the folder of the sources.
    override class func setUp() {
        super.setUp()
        let compiler = Process()
        compiler.executableURL = root.appending(path: "Scripts/translations")
        compiler.arguments = [root.appending(path: "build/locale").path, "classicphotos-cli"]
        do {
            try compiler.run()
            compiler.waitUntilExit()
            XCTAssertEqual(compiler.terminationStatus, 0, "Scripts/translations")
        } catch {
            XCTFail("Scripts/translations: \(error)")
        }
    }

    func testHelpIsTranslated() throws {
        for (language, texts) in [
            "vi": ["Tải, lọc và ghi mọi ảnh của một danh mục.", "Hiện phần trợ giúp này", "Ví dụ:", "Mã kết thúc:"],
            "ko": ["카탈로그의 모든 사진을 다운로드하고 필터를 적용해 저장합니다.", "이 도움말 표시", "예:", "종료 상태:"],
        ] {
            let run = try ProgramRun(["develop", "--help"], language: language)
            XCTAssertEqual(run.wait(), 0)
            for text in texts { XCTAssert(run.output.contains(text), run.output) }
            // What is typed is the same everywhere.
            for text in ["classicphotos develop photos.csv --output pictures", "--retries=N"] {
                XCTAssert(run.output.contains(text), run.output)
            }
            XCTAssertEqual(
                run.output.split(separator: "\n")[1], "  classicphotos develop [OPTION…] CATALOG",
                "what stands for words to type is the same everywhere, whatever translations GLib has")
            let whole = try ProgramRun(["--help"], language: language)
            XCTAssertEqual(whole.wait(), 0)
            XCTAssertFalse(whole.output.contains("develop all photos"), whole.output)
        }
    }

    func testHelpIsNotWiderThanItsColumns() throws {
        for language in ["C", "vi", "ko"] {
            for command in [""] + Program.commands.map(\.name) {
                let run = try ProgramRun(["help"] + command.split(separator: " ").map(String.init), language: language)
                XCTAssertEqual(run.wait(), 0, run.error)
                for line in run.output.split(separator: "\n").map(String.init) where line.columns > 120 {
                    XCTFail("\(line.columns) columns in the help of \(command), \(language): \(line)")
                }
            }
        }
    }

    func testWhatIsWrongWithAFileIsSaidInOneLanguage() throws {
        let names = ["text.jpg", "short.jpg", "empty.jpg"]
        let picture = try Self.image(.jpeg)
        for (name, bytes) in zip(names, [Data("hello".utf8), picture.prefix(picture.count / 2), Data()]) {
            try bytes.write(to: folder.appending(path: name))
        }
        let good = folder.appending(path: "good.jpg").path
        try picture.write(to: URL(filePath: good))
        let path = folder.path
        let socket = try makeSocket()
        for (language, sentences, missing, isFolder, device, cutOff, diskIsFull) in [
            (
                "vi", ["Đây không phải là ảnh.", "Ảnh bị hư: tệp bị cụt.", "Tệp trống."],
                "Không có tệp \(path)/none.jpg.", "\(path) là một thư mục.",
                "không ghi được \(socket): đó là thiết bị, pipe hoặc socket.", "vẫn được giữ: tệp bị cụt.\n",
                "không ghi được ra đầu ra chuẩn: đĩa đã đầy\n"
            ),
            (
                "ko", ["사진이 아닙니다.", "사진이 손상되었습니다: 파일이 중간에 끊겼습니다.", "빈 파일입니다."],
                "\(path)/none.jpg 파일이 없습니다.", "\(path)은(는) 폴더입니다.",
                "\(socket)을(를) 쓸 수 없습니다: 장치, 파이프 또는 소켓입니다.", "그대로 씁니다: 파일이 중간에 끊김.\n",
                "표준 출력에 쓸 수 없습니다: 디스크가 가득 찼습니다\n"
            ),
        ] {
            func filter(_ words: [String], _ status: Int32) throws -> String {
                let run = try ProgramRun(["filter"] + words, language: language)
                XCTAssertEqual(run.wait(), status, run.error)
                return run.error
            }
            let out = folder.appending(path: "out.jpg").path
            for (name, sentence) in zip(names, sentences) {
                let file = folder.appending(path: name).path
                XCTAssertEqual(try filter([file, out], 1), "classicphotos: \(file): \(sentence)\n")
            }
            XCTAssertEqual(try filter([path + "/none.jpg", out], 1), "classicphotos: \(missing)\n")
            let error = try filter([path, out], 1)
            XCTAssert(error.hasPrefix("classicphotos: \(isFolder)\n"), error)
            XCTAssertEqual(try filter([good, socket, "--format", "jpeg"], 4), "classicphotos: \(device)\n")
            let kept = try filter([folder.appending(path: names[1]).path, out, "--keep-damaged"], 0)
            XCTAssert(kept.hasSuffix(cutOff), kept)
            let full = try ProgramRun(["filter", good, "-"], limits: "exec >/dev/full", language: language)
            XCTAssertEqual(full.wait(), 4)
            XCTAssert(full.error.hasSuffix(diskIsFull), full.error)
        }
    }

    func testAStatusOfAServerIsSaidOnce() throws {
        let list = try catalog([("first", server.url("/none.jpg").absoluteString)])
        for (language, sentence) in [
            "vi": "Trên máy chủ không có ảnh này (404)", "ko": "서버에 그런 사진이 없습니다(404)",
        ] {
            let run = try ProgramRun(
                ["develop", list, "-o", output.appending(path: language).path, "--allow-private"], language: language)
            XCTAssertEqual(run.wait(), 1, run.error)
            XCTAssert(run.output.contains("  first: \(sentence)\n"), run.output)
        }
    }

    /// Libraries may change their sentences, and these are found by their words.
    func testSentencesOfLibrariesAreTheirs() {
        let name = "{name}"
        let errors: [PhotoError] = [
            PhotoError(ImageCodecError.notAnImage), PhotoError(ImageCodecError.empty),
            PhotoError(ImageCodecError.damaged("the file is cut off")), PhotoError(ImageCodecError.timeout),
            PhotoError(TransferError.truncated), PhotoError(TransferError.invalidAddress),
            PhotoError(TransferError.disallowed(by: .robots)), PhotoError(ImageCodecError.tooManyFrames(limit: 7)),
            PhotoError(TransferError.tooLarge(limit: 7)), PhotoError(TransferError.tooManyRedirects(limit: 7)),
            .fileNameNotUTF8, PhotoError(.notFound, "There is no file \(name)."),
            PhotoError(.notFound, "\(name) is a folder."),
            PhotoError(.writeFailed, "Cannot write the journal \(name): the disk is full."),
            PhotoError(.writeFailed, "Cannot write \(name): the disk is full."),
            PhotoError(.writeFailed, "Cannot write \(name): the disk is full. TMPDIR names another folder."),
        ]
        XCTAssertEqual(
            Set(errors.map { $0.detail.replacing("7", with: name) }), Set(PhotoError.sentences))
    }

    func testARunIsTold() throws {
        let list = try catalog([
            ("first", server.url("/a.jpg").absoluteString), ("second", server.url("/b.png").absoluteString),
        ])
        for (language, text) in ["vi": "đã ghi 2 trong 2 ảnh vào", "ko": "사진 2장 중 2장을"] {
            let folder = output.appending(path: language).path
            let run = try ProgramRun(
                ["develop", list, "-o", folder, "--allow-private", "--size", "16"], language: language)
            XCTAssertEqual(run.wait(), 0, run.error)
            XCTAssert(run.output.hasPrefix(text), run.output)
        }
    }

    func testFailuresAreExplainedAndReportsStayEnglish() throws {
        let list = try catalog([
            ("first", server.url("/a.jpg").absoluteString), ("page", server.url("/page.jpg").absoluteString),
        ])
        var reports: Set<String> = []
        for (language, sentence, detail) in [
            ("vi", "Thứ nhận được không phải là ảnh", "Đây không phải là ảnh."),
            ("ko", "받은 것이 사진이 아닙니다", "사진이 아닙니다."), ("C", "", "This is not a picture."),
        ] {
            let folder = output.appending(path: language).path
            let run = try ProgramRun(
                ["develop", list, "-o", folder, "--allow-private", "--progress", "json"], language: language)
            XCTAssertEqual(run.wait(), 1, run.error)
            XCTAssert(
                run.output.contains("  1 not-an-image" + (sentence.isEmpty ? "\n" : ": \(sentence)\n")), run.output)
            XCTAssert(run.output.contains("  page: \(detail)\n"), run.output)
            XCTAssert(run.error.contains("\"filtered\": 1, "), run.error)
            let report = try ProgramRun(["report", folder], language: language)
            XCTAssertEqual(report.wait(), 0)
            reports.insert(report.output.replacing(/,[0-9]+\n/, with: "\n").replacing(folder, with: ""))
        }
        XCTAssertEqual(reports.count, 1, "programs read reports: \(reports)")
    }

    func testWrongCommandLinesAreExplained() throws {
        for (words, language, text) in [
            (["devlop"], "vi", "classicphotos: không có lệnh devlop; có phải ý bạn là develop?\nHãy thử: "),
            (["devlop"], "ko", "classicphotos: devlop(이)라는 명령은 없습니다; 혹시 develop입니까?\n도움말: "),
            (["develop", "a.csv"], "vi", "classicphotos develop: ghi vào đâu? --output"),
            (["develop", "a.csv", "-o", "x", "--jobs", "0"], "ko", "classicphotos develop: --jobs에는 1부터 256까지의 정수"),
            (
                ["filter", "a.jpg", "b.jpg", "-f", "sepai(1)"], "vi",
                "classicphotos filter: cột 1: Không có hàm lọc sepai"
            ),
        ] {
            let run = try ProgramRun(words, language: language)
            XCTAssertEqual(run.wait(), 2, run.error)
            XCTAssert(run.error.hasPrefix(text), run.error)
        }
    }

    func testCatalogsThatCannotBeReadAreExplained() throws {
        let file = folder.appending(path: "catalog.csv")
        try Data("name,address\nfirst,http://example.org/a.jpg\n".utf8).write(to: file)
        let run = try ProgramRun(["develop", file.path, "-o", output.path], language: "vi")
        XCTAssertEqual(run.wait(), 3, run.error)
        XCTAssert(
            run.error.contains("Bảng không có cột “url”. Ở dòng 1, bảng có “name”, “address”; --url-column cho biết"),
            run.error)
        XCTAssertFalse(run.error.contains("The table has no column"), run.error)
    }

    func testPlansOfCatalogsThatCannotBeReadAreExplained() throws {
        let table = "name,address\nfirst,http://example.org/a.jpg\n"
        try Data(table.utf8).write(to: folder.appending(path: "table.csv"))
        try Data("[1, }".utf8).write(to: folder.appending(path: "cut.json"))
        for (file, vietnamese, korean, english) in [
            (
                "table.csv",
                "Bảng không có cột “url”. Ở dòng 1, bảng có “name”, “address”; --url-column cho biết cột nào chứa địa chỉ.",
                "표에 “url” 열이 없습니다. 1번째 줄에 있는 이름은 “name”, “address”입니다. 주소가 있는 열은 --url-column으로 지정합니다.",
                "The table has no column “url”. At line 1 it names “name”, “address”; --url-column says which has the addresses."
            ),
            ("none.csv", "Không có danh mục ở none.csv.", "none.csv에 카탈로그가 없습니다.", "There is no catalog at none.csv."),
        ] {
            for (language, text) in ["vi": vietnamese, "ko": korean, "C": english] {
                let run = try ProgramRun(["plan", file, "-o", "plan"], in: folder, language: language)
                XCTAssertEqual(run.wait(), 3, run.error)
                XCTAssertEqual(
                    run.error, "classicphotos: \(file == "none.csv" ? "" : file + ": ")\(text)\n", "as develop says it")
            }
        }
        for language in ["vi", "ko"] {
            let run = try ProgramRun(["plan", "cut.json", "-o", "plan"], in: folder, language: language)
            XCTAssertEqual(run.wait(), 3, run.error)
            XCTAssertFalse(run.error.contains("damaged"), run.error)
        }
    }

    func testPlansAreCountedInEachLanguage() throws {
        let picture = folder.appending(path: "good.jpg").path
        try Self.image(.jpeg).write(to: URL(filePath: picture))
        let one = try catalog([("first", picture)])
        for (language, sentences) in [
            "vi": [
                "1 ảnh trong 1 tác vụ và 1 shard", "đã xác nhận 1 trong 1 shard, 0 do nơi khác",
                "1 ảnh đã ghi và 0 ảnh lỗi",
            ],
            "ko": ["사진 1장, 작업 1개, shard 1개", "shard 1개 중 1개 확정, 그중 0개는", "사진 1장 중 1장 씀"],
            "C": [
                "1 photo in 1 task and 1 shard", "1 of 1 shard committed, 0 by others", "1 photo written and 0 failed",
            ],
        ] {
            let (plan, made) = (folder.appending(path: "plan-\(language)").path, output.path + "-" + language)
            for (words, sentence) in zip(
                [
                    ["plan", one, "-o", plan, "--tasks", "1", "--size", "16"],
                    ["develop", "--plan", plan, "--task", "0", "-o", made], ["status", made],
                ], sentences)
            {
                let run = try ProgramRun(words, language: language)
                XCTAssertEqual(run.wait(), 0, run.error)
                XCTAssert(run.output.contains(sentence), run.output)
                XCTAssertFalse(run.output.contains("tasks have"), run.output)
            }
        }
    }

    func testAPlanIsNotTakenForWhatItsTasksHaveMade() throws {
        let picture = folder.appending(path: "good.jpg").path
        try Self.image(.jpeg).write(to: URL(filePath: picture))
        let (list, plan) = (
            try catalog([("first", picture), ("second", picture)]), folder.appending(path: "plan").path
        )
        XCTAssertEqual(try ProgramRun(["plan", list, "-o", plan, "--tasks", "1", "--size", "16"]).wait(), 0)
        for (language, text) in [
            "vi": "\(plan) là một kế hoạch gồm 2 ảnh trong 1 tác vụ và 1 shard, chưa có tác vụ nào ghi vào đó; ",
            "ko": "\(plan)은(는) 계획(사진 2장, 작업 1개, shard 1개)이고 아직 어떤 작업도 여기에 쓰지 않았습니다; ",
            "C": "\(plan) is a plan of 2 photos in 1 task and 1 shard, and no task has written to it; ",
        ] {
            for command in ["status", "merge", "verify"] {
                let run = try ProgramRun([command, plan], language: language)
                XCTAssertEqual(run.wait(), 3, run.error)
                XCTAssert(run.error.hasPrefix("classicphotos: " + text), run.error)
                XCTAssertEqual(run.output, "")
            }
        }
        // A task may write to it all the same.
        let left = try ProgramRun(["status", "--tasks-of", plan, plan])
        XCTAssertEqual(left.wait(), 1, left.error)
        XCTAssertEqual(left.output, "0\n")
        XCTAssertEqual(try ProgramRun(["develop", "--plan", plan, "--task", "0", "-o", plan]).wait(), 0)
        let status = try ProgramRun(["status", plan])
        XCTAssertEqual(status.wait(), 0, status.error)
        XCTAssert(status.output.hasPrefix("1 of 1 shard committed\n"), status.output)
    }

    func testPlansThatCannotBeHadAreExplained() throws {
        let (plan, made) = (folder.appending(path: "plan").path, output.path)
        let picture = folder.appending(path: "good.jpg").path
        try Self.image(.jpeg).write(to: URL(filePath: picture))
        let list = try catalog([("first", picture)])
        XCTAssertEqual(try ProgramRun(["plan", list, "-o", plan, "--tasks", "1", "--size", "16"]).wait(), 0)
        XCTAssertEqual(try ProgramRun(["develop", "--plan", plan, "--task", "0", "-o", made]).wait(), 0)
        let data = try FileManager.default.contentsOfDirectory(atPath: made + "/data").filter { $0.hasSuffix(".tar") }
        let tar = made + "/data/" + (data.first ?? "none")
        try Data("damaged".utf8).write(to: URL(filePath: tar))
        for (words, status, vietnamese, korean) in [
            (
                ["plan", "none.csv", "-o", "other"], 3, "Không có danh mục ở none.csv.", "none.csv에 카탈로그가 없습니다."
            ),
            (
                ["develop", "--plan", folder.path, "--task", "0", "-o", "x"], 3,
                "không dùng được kế hoạch \(folder.path): không có plan.json trong thư mục này",
                "계획 \(folder.path)을(를) 사용할 수 없습니다: 이 폴더에 plan.json이(가) 없습니다"
            ),
            (
                ["verify", made], 1, "shard 0: \(tar) không giống như lúc được xác nhận",
                "shard 0: \(tar)이(가) 확정된 내용과 다릅니다"
            ),
        ] {
            for (language, text) in ["vi": vietnamese, "ko": korean] {
                let run = try ProgramRun(words, in: folder, language: language)
                XCTAssertEqual(run.wait(), Int32(status), run.error)
                XCTAssert(run.error.hasPrefix("classicphotos: \(text)\n"), run.error)
            }
        }
    }

    func testCatalogsThatDoNotArriveAreExplained() throws {
        let address = server.url("/none.csv").absoluteString
        for (language, text) in [
            "vi": "Máy chủ trả về lỗi (404)", "ko": "서버가 오류로 응답했습니다(404)",
            "C": "The server answered with status 404.",
        ] {
            let run = try ProgramRun(
                ["develop", address, "-o", output.path, "--allow-private", "--retries", "0"], language: language)
            XCTAssertEqual(run.wait(), 3, run.error)
            XCTAssertEqual(run.error, "classicphotos: \(address): \(text)\n")
        }
    }

    func testTheCLocaleIsEnglish() throws {
        let run = try ProgramRun(["devlop"], limits: "export LC_ALL=C LANGUAGE=vi")
        XCTAssertEqual(run.wait(), 2)
        XCTAssertEqual(
            run.error,
            "classicphotos: there is no command devlop; did you mean develop?\nTry: classicphotos --help\n")
    }

    func testCompletionsAreTheSameInEveryLanguage() throws {
        let scripts = try ["C", "vi", "ko"].map { language in
            let run = try ProgramRun(["completion", "fish"], language: language)
            XCTAssertEqual(run.wait(), 0)
            return run.output
        }
        XCTAssertEqual(Set(scripts).count, 1)
    }

    /// Letters of Korean take two columns each.
    func testABarInKoreanStaysWithinItsTerminal() throws {
        for number in 1...40 { server.serve(try Self.image(.jpeg), at: "/\(number).jpg") }
        let list = try catalog((1...40).map { ("photo \($0)", server.url("/\($0).jpg").absoluteString) })
        // Among these are widths that the line has room in by its letters, and not by its columns.
        for width in stride(from: 18, through: 42, by: 4) {
            let lines = try bars(of: list, width: width)
            XCTAssert(lines.contains { $0.contains("남음") || $0.contains("초당") || $0.contains("/40") }, "\(lines)")
            for line in lines { XCTAssertLessThan(line.columns, width, line) }
        }
    }

    /// What a terminal of a width is shown while a catalog is developed.
    private func bars(of list: String, width: Int) throws -> [String] {
        let program = try ProgramRun.executable().path
        let screen = folder.appending(path: "screen-\(width)").path
        let command =
            "'\(program)' develop '\(list)' -o '\(output.path)-\(width)' --allow-private --rate 40 --per-host 2"
        let terminal = Process()
        terminal.executableURL = URL(filePath: "/usr/bin/env")
        terminal.arguments = ["script", "-qec", "stty cols \(width); exec \(command)", screen]
        terminal.environment = ProcessInfo.processInfo.environment.merging(
            ["LC_ALL": "C.UTF-8", "LANGUAGE": "ko", "TERM": "xterm"]) { $1 }
        terminal.standardInput = FileHandle.nullDevice
        terminal.standardOutput = FileHandle.nullDevice
        try terminal.run()
        terminal.waitUntilExit()
        XCTAssertEqual(terminal.terminationStatus, 0)
        return try String(contentsOfFile: screen, encoding: .utf8).components(separatedBy: "\r")
            .filter { $0.hasSuffix("\u{1B}[K") }.map { String($0.dropLast(3)) }
    }

    func testColumns() {
        XCTAssertEqual("Tải 3 ảnh".columns, 9)
        XCTAssertEqual("Tải".decomposedStringWithCanonicalMapping.columns, 3, "an accent stands on its letter")
        XCTAssertEqual("실패 3".columns, 6)
        XCTAssertEqual("실패 3".prefix(columns: 3), "실")
        XCTAssertEqual("실패 3".prefix(columns: 0), "")
    }
}
