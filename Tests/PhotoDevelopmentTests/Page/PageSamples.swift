import Foundation
import PhotoPipeline

@testable import PhotoDevelopment

/// Runs to make pages of.
enum PageSamples {
    static func run(_ totals: HTMLReport.Totals, name: String = "lists/photos.csv") -> HTMLReport.Run {
        HTMLReport.Run(
            name: name, started: Date(timeIntervalSince1970: 1_700_000_000),
            ended: Date(timeIntervalSince1970: 1_700_004_321),
            recipe: [
                HTMLReport.Setting(name: "Filter", value: "sepia(0.8) contrast(1.1)"),
                HTMLReport.Setting(name: "Size", value: "1024 pixels"),
                HTMLReport.Setting(name: "Format", value: "JPEG, quality 85"),
                HTMLReport.Setting(name: "Metadata", value: "dropped"),
            ], totals: totals, results: "", wholeReport: "classicphotos report pictures --format csv")
    }

    static func totals(of rows: some Sequence<ReportRow>) -> HTMLReport.Totals {
        var totals = HTMLReport.Totals()
        for row in rows {
            switch row.outcome {
            case .filtered: totals.filtered += 1
            case .failed: totals.failed += 1
            case .cancelled: totals.cancelled += 1
            }
        }
        return totals
    }

    /// A whole page.
    static func page(
        of rows: [ReportRow], run: HTMLReport.Run? = nil, limit: Int = HTMLReport.usualRowLimit,
        images: (Int) -> ReportImages.Pair? = { _ in nil }
    ) -> String {
        var report = HTMLReport(run: run ?? Self.run(totals(of: rows)))
        report.rowLimit = limit
        var page = Data()
        report.write(numbered(rows), images: images) { page.append($0) }
        return String(decoding: page, as: UTF8.self)
    }

    /// Rows with their numbers in the catalog, where none is missing.
    static func numbered(_ rows: some Sequence<ReportRow>) -> some Sequence<(number: Int, row: ReportRow)> {
        rows.enumerated().lazy.map { (number: $0.offset, row: $0.element) }
    }

    /// The rows that the page's script will find, field by field.
    static func rows(in page: String) throws -> [[Any]] {
        try page.components(separatedBy: "<script type=\"application/json\" class=\"rows\">").dropFirst().flatMap {
            block in
            let text = block.components(separatedBy: "</script>")[0]
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            let texts = object?["texts"] as? [String] ?? []
            return (object?["rows"] as? [[Any]] ?? []).map { row in
                var row = row
                row[3] = texts[row[3] as? Int ?? 0]
                if let outcome = row[4] as? Int {
                    if outcome > 1 { row[5] = texts[row[5] as? Int ?? 0] }
                    row[4] = PageRows.outcomes[outcome]
                }
                return row
            }
        }
    }

    private static let names = [
        "Sunset over the bay", "Hoàng hôn trên vịnh Hạ Long", "강릉 경포대의 아침 바다", "Crème brûlée", "夜の東京駅",
        "Ruộng bậc thang Mù Cang Chải vào mùa lúa chín, nhìn từ đèo Khau Phạ lúc sáng sớm khi mây còn phủ kín thung lũng",
        "설악산국립공원 울산바위에서 내려다본 동해와 속초시의 가을 단풍 전경 사진, 두 번째 방문 때 찍은 것",
        "IMG_20190817_183522_HDR", "lighthouse", "שקיעה בתל אביב", "Old town, rain",
    ]
    private static let failures: [(reason: PhotoError.Reason, detail: String, weight: Int)] = [
        (.http, "404: The server has no such file.", 40), (.http, "403: The server refuses to hand it out.", 15),
        (.http, "503: The server is overloaded.", 4), (.unreachable, "The host's name is not known.", 25),
        (.timeout, "Nothing came for 30 s.", 12), (.notAnImage, "What came is a page of HTML.", 9),
        (.damagedImage, "The JPEG data end in the middle of the picture.", 3),
        (.hostResting, "The host failed 8 times in a row.", 14),
    ]

    /// The row at a place of a run of any length: some hosts with most of the photos, one row in seven failed.
    static func row(_ index: Int) -> ReportRow {
        var state = UInt64(index &+ 1) &* 0x9E37_79B9_7F4A_7C15
        func random(_ bound: Int) -> Int {
            state ^= state >> 31
            state = state &* 0xBF58_476D_1CE4_E5B9
            state ^= state >> 27
            return Int(state >> 33) % bound
        }
        let exponent = random(8)
        let host =
            "photos\(random(1 << exponent)).\(["example.org", "beispiel.example", "museum.example"][exponent % 3])"
        let name = names[random(names.count)]
        let address = "https://\(host)/archive/2019/\(random(12) + 1)/\(index)-\(random(1_000_000)).jpg"
        guard random(7) == 0 else {
            return ReportRow(
                name: name, address: address,
                outcome: .filtered(files: [OutputName(name: name, address: address, fileExtension: "jpg").file]),
                bytes: 20_000 + random(3_000_000), milliseconds: Int64(40 + random(900)))
        }
        var place = random(failures.reduce(0) { $0 + $1.weight })
        let failure = failures.first { failure in
            place -= failure.weight
            return place < 0
        }
        let error = failure.map { PhotoError($0.reason, $0.detail) } ?? PhotoError(.timeout, "Nothing came for 30 s.")
        return ReportRow(
            name: name, address: address, outcome: .failed(error), bytes: random(2) * random(9_000),
            milliseconds: Int64(random(30_000)))
    }
}
