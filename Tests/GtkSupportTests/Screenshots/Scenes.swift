import CAtspi
import Foundation
import TestServers
import XCTest

/// What there is to see, and the way to it.
@MainActor struct Scenes {
    let photographer: Photographer
    private let photographs: URL

    init(_ photographer: Photographer, photographs: URL) {
        self.photographer = photographer
        self.photographs = photographs
    }

    func takeAll() throws {
        let parts = [
            takeEmpty, takeLoading, takeFailures, takePhotos, takeLooks, takeOwnLooks, takeLarge, takeGrid,
            takeFailedPhotos, takeReasons, takeSaveAll, takeOffline, takeMillion, takeOperations, takeStrategies,
            takeTour,
            takeRecording,
        ]
        for part in parts {
            // What could not be reached is told, and the other pictures are taken all the same.
            do { try part() } catch { XCTFail("\(photographer.language): \(error)") }
        }
    }

    func tr(_ text: String) -> String { photographer.tr(text) }

    // MARK: Without photos

    private func takeEmpty() throws {
        guard photographer.wants("empty", "recent", "address", "preferences", "shortcuts", "help", "about") else {
            return
        }
        try photographer.run([]) { person in
            try person.wait("the first page") { person.sees(tr("Open _Folder…")) }
            try photographer.take("empty")
            if photographer.wants("preferences") {
                try person.keys("ctrl+comma")
                try dialog(person, tr("Preferences"), "preferences")
            }
            if photographer.wants("shortcuts") {
                try person.keys("ctrl+question")
                try dialog(person, tr("Keyboard shortcuts"), "shortcuts")
            }
            if photographer.wants("help") {
                try person.keys("F1")
                try dialog(person, tr("Why Lists Stutter"), "help")
            }
            if photographer.wants("address") {
                try person.keys("ctrl+l")
                try dialog(person, tr("Open an Address"), "address")
            }
        }
        let recent = (0..<4).map { "recent-\($0)=\(Self.recent[$0])" }
        guard photographer.wants("recent") else { return }
        try photographer.run([], preferences: recent) { person in
            try person.wait("what was open before") { person.sees("holiday.plist") }
            try photographer.take("recent")
        }
    }

    private static let recent = [
        "/media/lan/Pictures/holiday.plist", "https://example.org/catalogs/2026/autumn/photos-of-the-week.json",
        "/media/lan/Pictures/Đà Lạt những ngày cuối năm",
        "/media/lan/Downloads/a-catalog-with-a-very-long-name-indeed.csv",
    ]

    /// A window of its own: in the middle, without the blinking of its text.
    func dialog(_ person: Person, _ what: String, _ scene: String) throws {
        try person.wait(what) { try Screen.windowCount() > 1 }
        try Screen.centreTopWindow(width: Photographer.size.width, height: Photographer.size.height)
        try photographer.take(scene)
        try Screen.key("Escape")
        try person.wait("end of \(what)") { try Screen.windowCount() == 1 }
        try person.focus(title: tr("Classic Photos"))
    }

    private func takeLoading() throws {
        guard photographer.wants("loading") else { return }
        let server = try FaultServer()
        defer { server.stop() }
        try photographer.run([server.url(.gate).absoluteString]) { person in
            try person.wait("the page") { person.sees(tr("Loading the Catalog")) }
            try photographer.take("loading", ofRest: false)
            server.openGate()
        }
    }

    private func takeFailures() throws {
        let server = try FaultServer()
        defer { server.stop() }
        server.serve(Data("<!doctype html><html><body>Hello</body></html>".utf8), at: "/page")
        let damaged = try photographer.write("{\"Aqua\": \"aqua.jpg\",\n \"Blinds\": \"blinds.jpg\"", to: "photos.json")
        let failures = [
            ("failure-damaged", damaged), ("failure-missing", "/media/lan/Pictures/holiday.plist"),
            ("failure-page", server.url("/page").absoluteString),
            ("failure-status", server.url("/nothing").absoluteString),
            ("failure-away", "http://127.0.0.1:9/photos.json"),
        ]
        for (scene, source) in failures where photographer.wants(scene) {
            try photographer.run([source]) { person in
                try person.wait("the page") { person.sees(tr("The Catalog Cannot Be Loaded")) }
                try photographer.take(scene)
            }
        }
    }

    // MARK: With photos

    private func takePhotos() throws {
        guard
            photographer.wants(
                "list", "menu", "row-menu", "open-menu", "search", "no-match", "narrow", "narrow-operations")
        else { return }
        try withPhotos { catalog in
            try photographer.run([catalog]) { person in
                try waitForRows(person)
                try photographer.take("list")
                if photographer.wants("row-menu") {
                    try person.keys("Down", "Down", "shift+F10")
                    try person.wait("the menu") { person.sees(tr("Copy _Address"), inRow: "") }
                    try photographer.take("row-menu")
                    try person.keys("Escape")
                }
                if photographer.wants("menu") {
                    try person.press(tr("Menu")) { person.sees(tr("_Preferences")) }
                    try Screen.park()
                    try photographer.take("menu")
                    try person.keys("Escape")
                }
                guard photographer.wants("search", "no-match") else { return }
                try person.keys("ctrl+f")
                var looks = 0
                try person.wait("matches") {
                    // A letter that is on no key is lent one, of which a busy program may hear after the letter.
                    if looks % 100 == 0 {
                        try person.keys("ctrl+a")
                        try person.type(String(names[4].prefix(2)))
                    }
                    looks += 1
                    return person.rows.count < 8 && !person.rows.isEmpty
                }
                try waitForRows(person)
                try photographer.take("search")
                try person.type("zzz")
                try person.wait("the page") { person.sees(tr("No Match")) }
                try photographer.take("no-match")
            }
            guard photographer.wants("narrow", "narrow-operations") else { return }
            try photographer.run([catalog], size: (360, 640)) { person in
                try waitForRows(person)
                try photographer.take("narrow")
                try person.keys("F9")
                try person.wait("the panel") { person.sees(tr("Download queue")) }
                try photographer.take("narrow-operations", ofRest: false)
            }
        }
    }

    private func takeLooks() throws {
        guard photographer.wants("looks") else { return }
        try withPhotos { catalog in
            try photographer.run([catalog], layout: "grid") { person in
                try waitForRows(person)
                try person.press(tr("Look")) { person.sees(tr("Original")) }
                try Screen.park()
                try photographer.take("looks")
                try person.keys("Escape")
            }
        }
    }

    private func takeLarge() throws {
        guard photographer.wants("large", "compare", "large-failed") else { return }
        try withPhotos(missing: true) { catalog in
            try photographer.run([catalog]) { person in
                try waitForRows(person, failed: 1)
                let first = person.rows[0]
                try person.press(first) { person.sees(first, role: ATSPI_ROLE_IMAGE) }
                try Screen.park()
                try photographer.take("large")
                try person.keys("c")
                try person.wait("the divider") { person.sees(tr("Before")) }
                try photographer.take("compare")
                try person.keys("c", "Page_Down", "Page_Down")
                let failed = tr("There is no such picture on the server ({status})")
                    .replacingOccurrences(of: "{status}", with: "404")
                try person.wait("the failed one") { person.sees("\(names[2]), \(failed)", role: ATSPI_ROLE_IMAGE) }
                try photographer.take("large-failed")
                try person.keys("Escape")
            }
        }
    }

    private func takeGrid() throws {
        guard photographer.wants("grid") else { return }
        try withPhotos(missing: true) { catalog in
            try photographer.run([catalog], layout: "grid") { person in
                try waitForRows(person, failed: 1)
                try photographer.take("grid")
            }
        }
    }

    private func takeFailedPhotos() throws {
        if photographer.wants("one-failed") {
            try withPhotos(missing: true) { catalog in
                try photographer.run([catalog]) { person in
                    try waitForRows(person, failed: 1)
                    try photographer.take("one-failed")
                }
            }
        }
        if photographer.wants("server-away") {
            let catalog = try self.catalog(base: "http://127.0.0.1:9/", isMissing: false)
            try photographer.run([catalog]) { person in
                let away = tr("The server cannot be reached")
                try person.wait("failures") { person.rows.prefix(7).allSatisfy { $0.hasSuffix(away) } }
                try photographer.take("server-away")
            }
        }
    }

    private func takeOffline() throws {
        guard photographer.wants("offline") else { return }
        let cache = FileManager.default.temporaryDirectory.appending(path: "classicphotos-shots-cache-\(UUID())")
        defer { try? FileManager.default.removeItem(at: cache) }
        var kept = ""
        try withPhotos { catalog in
            kept = catalog
            try photographer.run([catalog], cache: cache) { try waitForRows($0) }
        }
        // The server is gone now.
        try photographer.run([kept], cache: cache) { person in
            try waitForRows(person)
            try photographer.take("offline")
        }
    }

    private func takeMillion() throws {
        guard photographer.wants("million") else { return }
        let server = try NginxServer(root: photographs)
        defer { server.stop() }
        let paths = Self.paths
        let word = ["vi": "Ảnh", "ko": "사진"][photographer.language] ?? "Photo"
        var text = "name,url\n"
        for number in 0..<1_000_000 {
            text += "\(word) \(number + 1),\(server.url(paths[number % paths.count]))\n"
        }
        let catalog = try photographer.write(text, to: "million.csv")
        try photographer.run([catalog]) { person in
            try waitForRows(person)
            try person.keys("End")
            try person.wait("the last rows") {
                let last = person.rows.suffix(5)
                return last.last?.contains("1000000") ?? false && last.allSatisfy { $0.hasSuffix(", " + tr("Done")) }
            }
            try photographer.take("million")
        }
    }

    private func takeOperations() throws {
        guard photographer.wants("operations") else { return }
        let lists = try FaultServer()
        defer { lists.stop() }
        try withPhotos(settings: "limit_rate 300k;") { catalog in
            lists.serve(try Data(contentsOf: URL(filePath: catalog)), at: "/photos.csv")
            try photographer.run([], layout: "grid") { person in
                // What is recorded begins with the panel, which leaves no room above it to open anything by the pointer.
                try person.keys("F9")
                try person.wait("the panel") { person.sees(tr("Download queue")) }
                try person.keys("ctrl+l")
                try person.wait("the dialog") { try Screen.windowCount() == 2 }
                try Screen.focusTopWindow()
                try person.type(lists.url("/photos.csv").absoluteString)
                try person.keys("Return")
                try person.wait("the photos") { try Screen.windowCount() == 1 && !person.rows.isEmpty }
                try person.wait("rows that are done") {
                    person.rows.filter { $0.hasSuffix(tr("Done")) }.count > 10
                }
                try photographer.take("operations", ofRest: false)
            }
        }
    }

    private func takeStrategies() throws {
        let sizes = [("strategies", Photographer.size), ("narrow-strategies", (width: 360, height: 640))]
        for (scene, size) in sizes where photographer.wants(scene, scene + "-running") {
            try withPhotos(settings: "limit_rate 600k;") { catalog in
                try photographer.run([catalog], size: size) { person in
                    try waitForRows(person)
                    try person.keys("F8")
                    let threads = tr("Threads")
                    try person.wait("the second one") {
                        person.name(beginningWith: "eager, \(threads): ")?.last?.isNumber ?? false
                    }
                    try photographer.take(scene + "-running", ofRest: false)
                    try person.wait("the end") {
                        person.name(
                            beginningWith: tr(
                                "With “visible” the main thread only draws, and work is done only for what is seen."))
                            != nil
                    }
                    try photographer.take(scene)
                }
            }
        }
    }

    // MARK: Helpers

    func waitForRows(_ person: Person, failed: Int = 0) throws {
        // Those that are certainly on screen.
        try person.wait("rows that are done") {
            let rows = person.rows.prefix(6)
            let done = rows.filter { $0.hasSuffix(", " + tr("Done")) }.count
            return !rows.isEmpty && done + failed >= rows.count
        }
    }

    /// Serves the photographs while something is done with a catalog of them.
    func withPhotos(
        missing: Bool = false, settings: String = "", _ body: (_ catalog: String) throws -> Void
    ) throws {
        let server = try NginxServer(root: photographs, settings: settings)
        defer { server.stop() }
        try body(try catalog(base: server.url("/").absoluteString, isMissing: missing))
    }

    private func catalog(base: String, isMissing: Bool) throws -> String {
        var text = "name,url\n"
        for (index, path) in Self.paths.enumerated() {
            let file = isMissing && index == 2 ? "nature/no-such-photo.jpg" : path.dropFirst().description
            text += "\"\(names[index])\",\(base)\(file)\n"
        }
        return try photographer.write(text, to: "photos.csv")
    }

    private var names: [String] {
        let own = Self.names[photographer.language] ?? []
        return own
            + Self.paths.dropFirst(own.count).map { path in
                String(path.split(separator: "/").last?.split(separator: ".").first ?? "")
            }
    }

    private static let paths =
        [
            "Dune", "Aqua", "YellowFlower", "Garden", "LadyBird", "Storm", "Wood", "FreshFlower", "GreenMeadow",
            "RainDrops",
            "TwoWings", "Blinds",
        ].map { "/nature/\($0).jpg" }
        + [
            "Ubuntu-Mate-Cold-no-logo.png", "Ubuntu-Mate-Dark-no-logo.png", "Ubuntu-Mate-Radioactive-no-logo.png",
            "Ubuntu-Mate-Warm-no-logo.png", "Stripes.png", "GreenTraditional.jpg",
        ].map { "/desktop/\($0)" }

    /// Names as people give them, short and long.
    private static let names = [
        "en": [
            "Dune", "Aqua", "Yellow Flower", "Garden", "Ladybird", "Storm over the Harbour", "Wood", "Fresh Flower",
            "Green Meadow", "Rain Drops", "Two Wings", "Blinds", "Cold", "Dark", "Radioactive", "Warm", "Stripes",
            "Green, Traditional",
        ],
        "vi": [
            "Đồi cát Mũi Né lúc bình minh, nhìn từ con đường nhỏ dẫn ra biển vào một buổi sáng tháng Giêng rất lạnh",
            "Mặt nước", "Hoa vàng trên cỏ xanh", "Vườn nhà bà ngoại ở Thừa Thiên – Huế", "Bọ rùa",
            "Cơn giông chiều mùa hạ", "Gỗ", "Hoa tươi", "Đồng cỏ xanh", "Giọt mưa", "Đôi cánh", "Rèm cửa", "Lạnh",
            "Tối",
            "Phóng xạ", "Ấm", "Sọc", "Xanh truyền thống",
        ],
        "ko": [
            "해 뜰 무렵 바다로 이어지는 작은 길에서 바라본 모래 언덕, 아주 추웠던 일월의 어느 아침에 찍은 사진 가운데 가장 좋은 것",
            "물빛", "풀밭 위의 노란 꽃", "외할머니 댁 뒤뜰", "무당벌레", "항구에 다가오는 폭풍", "나무", "싱그러운 꽃", "푸른 들판",
            "빗방울", "두 날개", "블라인드", "차가움", "어둠", "방사성", "따뜻함", "줄무늬", "전통적인 초록",
        ],
    ]
}
