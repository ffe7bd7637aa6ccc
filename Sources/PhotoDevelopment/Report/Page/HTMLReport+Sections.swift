import FoundationEssentials
import PhotoPipeline
import Transfers

/// What stands on the page, in the order of the file. Without scripting all of it is there but the table and the pictures.
extension HTMLReport {
    /// How many hosts each of the two lists has at most.
    private static let listedHosts = 100
    /// How many settings of the recipe are shown at once.
    private static let shownSettings = 8

    // MARK: - What the run was

    /// All that stands before the rows.
    var beginning: String {
        let title = PageText.html(Self.lastComponent(run.name))
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <meta name="generator" content="ClassicPhotos">
            <title>\(title) · ClassicPhotos report</title>
            <link rel="icon" href="data:,">
            <style>\(Self.style)</style>
            </head>
            <body>
            <a class="skip" href="#photos">To the photos</a>
            <header>
            <p class="brand">ClassicPhotos <span>report of a run</span></p>
            <h1>\(PageText.isolated(Self.lastComponent(run.name)))</h1>
            <p class="when">\(when)</p>
            </header>
            <main>
            \(totalsSection)
            \(recipeSection)

            """
    }

    private var when: String {
        var parts: [String] = []
        if run.name != Self.lastComponent(run.name) { parts.append(PageText.isolated(run.name)) }
        if let started = run.started { parts.append("started \(PageFigures.time(started))") }
        parts.append(run.ended.map { "ended \(PageFigures.time($0))" } ?? "running, or stopped before its end")
        return parts.map { "<span>\($0)</span>" }.joined(separator: " ")
    }

    private var totalsSection: String {
        let totals = run.totals
        let tiles = [
            ("filtered", "Done", totals.filtered), ("failed", "Failed", totals.failed),
            ("cancelled", "Not done", totals.cancelled),
        ]
        var section =
            "<section aria-labelledby=\"totals\">\n<h2 id=\"totals\" class=\"unseen\">Totals</h2>\n<ul class=\"tiles\">\n"
        section += """
            <li><a href="#outcome="><span class="label">Photos</span> \
            <b>\(PageFigures.count(totals.all))</b> <span class="share">in the catalog</span></a></li>

            """
        for (word, label, count) in tiles where count > 0 || word != "cancelled" {
            let damaged =
                word == "filtered" && totals.damaged > 0 ? ", \(PageFigures.count(totals.damaged)) damaged" : ""
            section += """
                <li class="\(word)"><a href="#outcome=\(word)"><span class="label">\(label)</span> \
                <b>\(PageFigures.count(count))</b> \
                <span class="share">\(PageFigures.share(count, of: totals.all))\(damaged)</span></a></li>

                """
        }
        return section + "</ul>\n" + totalsBar + "</section>"
    }

    private var totalsBar: String {
        let totals = run.totals
        guard totals.all > 0 else { return "" }
        var bar = "<svg class=\"whole\" aria-hidden=\"true\" viewBox=\"0 0 1000 8\" preserveAspectRatio=\"none\">"
        var left = 0.0
        for (word, count) in [
            ("filtered", totals.filtered), ("failed", totals.failed), ("cancelled", totals.cancelled),
        ]
        where count > 0 {
            // One that is there can be seen.
            let width = max(3, 1_000 * Double(count) / Double(totals.all))
            bar += "<rect class=\"\(word)\" x=\"\(Self.short(left))\" width=\"\(Self.short(width))\" height=\"8\"/>"
            left += width
        }
        return bar + "</svg>\n"
    }

    private var recipeSection: String {
        if run.recipe.isEmpty { return "" }
        let shown = Self.list(run.recipe.prefix(Self.shownSettings))
        let rest = run.recipe.dropFirst(Self.shownSettings)
        let more =
            rest.isEmpty
            ? "" : "<details><summary>\(rest.count) more settings</summary>\n\(Self.list(rest))\n</details>\n"
        return """
            <section class="recipe" aria-labelledby="recipe">
            <h2 id="recipe" class="unseen">Recipe</h2>
            \(shown)
            \(more)</section>
            """
    }

    private static func list(_ settings: some Sequence<Setting>) -> String {
        let items = settings.map {
            "<div><dt>\(PageText.isolated($0.name))</dt><dd>\(PageText.isolated($0.value))</dd></div>"
        }
        return "<dl>\n\(items.joined(separator: "\n"))\n</dl>"
    }

    // MARK: - What became of the rows

    /// The place of the pictures, which the script fills.
    func imagesSection(_ pairs: Int) -> String {
        if pairs == 0 { return "" }
        return """
            <section id="pictures" aria-labelledby="before" hidden>
            <h2 id="before">Before and after</h2>
            <ul class="gallery"></ul>
            <p><button type="button" class="more"></button></p>
            </section>

            """
    }

    func failuresSection(_ reasons: ReasonCounts) -> String {
        let sorted = reasons.sorted
        guard let most = sorted.first?.count else { return "" }
        let failed = sorted.reduce(0) { $0 + $1.count }
        var section = """
            <section aria-labelledby="failures">
            <h2 id="failures">Why photos failed</h2>
            <div class="box">
            <table class="reasons" aria-labelledby="failures">
            <thead><tr><th scope="col">Reason</th><th scope="col" class="number">Photos</th>\
            <th scope="col" class="number">Of failures</th><th class="bar"><span class="unseen">Bar</span></th></tr></thead>
            <tbody>

            """
        for (reason, count) in sorted {
            section += """
                <tr><th scope="row"><a href="#reason=\(reason.rawValue)">\(reason.rawValue)</a> \
                <span class="meaning">\(ReasonCounts.meaning(of: reason))\(statuses(of: reason, reasons))</span></th>\
                <td class="number">\(PageFigures.count(count))</td>\
                <td class="number">\(PageFigures.share(count, of: failed))</td><td class="bar">\(Self.bar(count, of: most))</td></tr>

                """
        }
        return section + "</tbody>\n</table>\n</div>\n</section>\n"
    }

    private func statuses(of reason: PhotoError.Reason, _ reasons: ReasonCounts) -> String {
        guard reason == .http else { return "" }
        return reasons.topStatuses(8).map { status, count in
            " <a href=\"#reason=http-\(Self.digits(status))\">\(Self.digits(status))</a>&nbsp;×&nbsp;\(PageFigures.count(count))"
        }.joined(separator: ",")
    }

    func hostsSection(_ hosts: HostCounts) -> String {
        let (worst, largest) = (hosts.worst(Self.listedHosts), hosts.largest(Self.listedHosts))
        if largest.isEmpty { return "" }
        var section = "<section aria-labelledby=\"hosts\">\n<h2 id=\"hosts\">Hosts</h2>\n"
        if hosts.missing > 0 {
            section += """
                <p class="note">There are more hosts than can be counted at a time: a host may have up to \
                \(PageFigures.count(hosts.missing)) more rows and failures than is said here.</p>

                """
        }
        section += "<div class=\"pair-of-lists\">\n"
        if !worst.isEmpty {
            section += hostList(worst, title: "Most failures", id: "worst", \.failed, head: "Failed")
        }
        section += hostList(largest, title: "Most photos", id: "largest", \.rows, head: "Photos")
        return section + "</div>\n</section>\n"
    }

    private func hostList(
        _ hosts: [HostCounts.Host], title: String, id: String, _ measure: KeyPath<HostCounts.Host, Int>, head: String
    ) -> String {
        let most = hosts.first?[keyPath: measure] ?? 0
        let rest = measure == \.failed ? "Of photos" : "Received"
        let bound = hosts.count == Self.listedHosts ? " <span class=\"share\">top \(Self.listedHosts)</span>" : ""
        var list = """
            <div>
            <h3 id="\(id)">\(title)\(bound)</h3>
            <div class="box scroll" role="region" aria-labelledby="\(id)" tabindex="0">
            <table class="hosts" aria-labelledby="\(id)">
            <thead><tr><th scope="col">Host</th><th scope="col" class="number">\(head)</th>\
            <th scope="col" class="number">\(rest)</th><th scope="col" class="number">Mean time</th></tr></thead>
            <tbody>

            """
        for host in hosts {
            let other =
                measure == \.failed ? PageFigures.share(host.failed, of: host.rows) : DecimalUnits.bytes(host.bytes)
            let link =
                "#host=\(PageText.percentEncoded(host.name))" + (measure == \.failed ? "&amp;outcome=failed" : "")
            let time = PageFigures.duration(Double(host.milliseconds) / 1_000 / Double(max(1, host.rows)))
            list += """
                <tr><th scope="row"><a href="\(link)">\(PageText.isolated(host.name))</a>\
                \(Self.bar(host[keyPath: measure], of: most))</th>\
                <td class="number">\(PageFigures.count(host[keyPath: measure]))</td>\
                <td class="number">\(other)</td><td class="number">\(time)</td></tr>

                """
        }
        return list + "</tbody>\n</table>\n</div>\n</div>\n"
    }

    // MARK: - The table

    func tableSection(_ table: PageRows, _ reasons: ReasonCounts, _ hosts: HostCounts) -> String {
        var words: [(word: String, label: String)] = []
        for (reason, count) in reasons.sorted {
            words.append((reason.rawValue, "\(reason.rawValue) (\(PageFigures.count(count)))"))
            guard reason == .http else { continue }
            for (status, count) in reasons.topStatuses(8) {
                words.append(
                    ("http-\(Self.digits(status))", "http \(Self.digits(status)) (\(PageFigures.count(count)))"))
            }
        }
        let names = Set((hosts.worst(Self.listedHosts) + hosts.largest(Self.listedHosts)).map(\.name)).sorted()
        return """
            <section id="photos" aria-labelledby="all" tabindex="-1">
            <h2 id="all">Photos</h2>
            \(leftOut(table))
            <noscript><p class="note">The list of photos needs scripting, which is off. \(wholeReport)</p></noscript>
            <div id="list" hidden>
            <div class="controls" role="search" aria-label="Photos">
            <label class="search"><span>Search <kbd aria-hidden="true">/</kbd></span>
            <input id="q" type="search" aria-keyshortcuts="/" autocomplete="off" spellcheck="false" placeholder="Name, address, file or error"></label>
            <label><span>Outcome</span>
            <select id="outcome"><option value="">All</option><option value="filtered">Done</option>\
            <option value="failed">Failed</option><option value="cancelled">Not done</option></select></label>
            <label><span>Reason</span>
            <select id="reason"><option value="">All</option>\(Self.options(words))</select></label>
            <label><span>Host</span>
            <select id="host"><option value="">All</option>\(Self.options(names.map { ($0, $0) }))</select></label>
            </div>
            <div class="found"><p id="status" role="status" aria-live="polite"></p>
            <button type="button" id="clear" hidden>Show all</button></div>
            <table class="photos" role="table" aria-labelledby="all" aria-describedby="status">
            <thead role="rowgroup"><tr role="row">
            \(Self.head("number", "No.", "number"))
            \(Self.head("name", "Photo", "photo"))
            \(Self.head("outcome", "Outcome", "outcome"))
            \(Self.head("bytes", "Received", "number"))
            \(Self.head("milliseconds", "Time", "number"))
            </tr></thead>
            <tbody role="rowgroup"></tbody>
            </table>
            <nav class="pages" aria-label="Pages of the list">
            <button type="button" id="first">First</button> <button type="button" id="previous">Previous</button>
            <span id="page"></span>
            <button type="button" id="next">Next</button> <button type="button" id="last">Last</button>
            </nav>
            </div>
            </section>

            """
    }

    /// What the table leaves out, and where it is.
    private func leftOut(_ table: PageRows) -> String {
        let (seen, shown) = (table.seen, table.shown)
        let unlisted = run.totals.cancelled - seen.cancelled
        let unfinished =
            unlisted > 0
            ? "<p class=\"note\">The list is without the \(PageFigures.count(unlisted)) photos that are not done.</p>"
            : ""
        guard shown.all < seen.all else { return unfinished }
        let kinds = [
            ("failed", shown.failed, seen.failed), ("done", shown.filtered, seen.filtered),
            ("not done", shown.cancelled, seen.cancelled),
        ]
        let parts = kinds.filter { $0.2 > 0 }.map { name, shown, seen in
            shown == seen
                ? "all \(PageFigures.count(seen)) \(name)"
                : "the first \(PageFigures.count(shown)) of \(PageFigures.count(seen)) \(name)"
        }
        return """
            <p class="note" id="left-out">The list holds \(PageFigures.count(shown.all)) of \(PageFigures.count(seen.all)) photos: \
            \(parts.joined(separator: ", ")). The figures above count all. \(wholeReport)</p>\(unfinished)
            """
    }

    private var wholeReport: String {
        "All rows, as CSV: <code>\(PageText.isolated(run.wholeReport))</code>"
    }

    /// What stands behind everything.
    var ending: String {
        var config: [UInt8] = []
        PageText.appendJSON(resultsPrefix, to: &config)
        config += ",\"outcomes\":[".utf8
        for (place, word) in PageRows.outcomes.enumerated() {
            if place > 0 { config.append(UInt8(ascii: ",")) }
            PageText.appendJSON(word, to: &config)
        }
        config += "],\"variants\":[".utf8
        for (place, name) in run.variants.enumerated() {
            if place > 0 { config.append(UInt8(ascii: ",")) }
            PageText.appendJSON(name, to: &config)
        }
        return """
            </main>
            <footer><p>Written by ClassicPhotos. This page is one file: it needs no server and loads nothing.</p></footer>
            <script type="application/json" id="config">{"results":\(String(decoding: config, as: UTF8.self))]}</script>
            <script>\(Self.script)</script>
            </body>
            </html>

            """
    }

    /// What stands before a result's file in its link. It cannot name a scheme or a host.
    var resultsPrefix: String {
        let components = run.results.pathParts.filter { $0 != "." }
        let start = run.results.hasPrefix("/") ? "/" : "./"
        return start + components.map { PageText.percentEncoded(String($0)) + "/" }.joined()
    }

    // MARK: - Pieces

    /// Lets the page's own script and style do their work, and data addresses show pictures; and nothing else.
    private static var policy: String {
        let rules = [
            "default-src 'none'", "script-src 'sha256-\(digest(script))'", "style-src 'sha256-\(digest(style))'",
            "img-src data:", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        ]
        return rules.joined(separator: "; ")
    }

    /// The SHA-256 of a text, in base64.
    private static func digest(_ text: String) -> String {
        Data(SHA256.digest(of: Array(text.utf8))).base64EncodedString()
    }

    private static func lastComponent(_ path: String) -> String {
        path.pathParts.last.map(String.init) ?? path
    }

    private static func digits(_ status: Int) -> String {
        String(String(status + 1_000).dropFirst())
    }

    private static func head(_ key: String, _ label: String, _ kind: String) -> String {
        """
        <th scope="col" role="columnheader" class="\(kind)" aria-sort="none">\
        <button type="button" data-sort="\(key)">\(label)</button></th>
        """
    }

    private static func options(_ options: [(word: String, label: String)]) -> String {
        options.map { "<option value=\"\(PageText.html($0.word))\">\(PageText.html($0.label))</option>" }.joined()
    }

    private static func bar(_ part: Int, of whole: Int) -> String {
        let width = max(0.5, 100 * Double(part) / Double(max(1, whole)))
        return """
            <svg class="share-bar" aria-hidden="true" viewBox="0 0 100 4" preserveAspectRatio="none">\
            <rect width="\(short(width))" height="4"/></svg>
            """
    }

    /// Two digits behind the point are finer than a screen.
    private static func short(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }
}
