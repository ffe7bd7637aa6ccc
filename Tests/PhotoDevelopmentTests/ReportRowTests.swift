import PhotoPipeline
import Testing

@testable import PhotoDevelopment

@Suite struct ReportRowTests {
    @Test("A filtered photo")
    func filtered() {
        let row = ReportRow(
            name: "Sunset", address: "http://a/b.jpg", outcome: .filtered(files: ["Sunset-1.jpg"]), bytes: 12,
            milliseconds: 34)
        #expect(row.csv() == "Sunset,http://a/b.jpg,filtered,,,Sunset-1.jpg,12,34\n")
    }

    @Test(
        "With variants there is a column for each, and a key in JSON; the file of the first stands where it always does"
    )
    func variants() {
        let row = ReportRow(
            name: "x", address: "y", outcome: .filtered(files: ["a/x.jpg", "b/x.webp"]), bytes: 1, milliseconds: 2)
        #expect(ReportRow.header(variants: ["a", "b"]).hasSuffix(",bytes,milliseconds,file_a,file_b\n"))
        #expect(row.csv(variants: ["a", "b"]) == "x,y,filtered,,,a/x.jpg,1,2,a/x.jpg,b/x.webp\n")
        #expect(row.json(variants: ["a", "b"]).hasSuffix(#","files":{"a":"a/x.jpg","b":"b/x.webp"}}"# + "\n"))
        let failed = ReportRow(name: "x", address: "y", outcome: .failed(PhotoError(.http, "404: Gone")))
        #expect(failed.csv(variants: ["a", "b"]) == "x,y,failed,http,404: Gone,,0,0,,\n")
        #expect(failed.json(variants: ["a", "b"]).hasSuffix(#","files":null}"# + "\n"))
    }

    @Test("A damaged photo that was kept says what is wrong, and has no error")
    func kept() {
        let row = ReportRow(name: "x", address: "y", outcome: .filtered(files: ["x.jpg"], damage: "it is cut off"))
        #expect(row.csv() == "x,y,filtered,,it is cut off,x.jpg,0,0\n")
        #expect(row.json(variants: []).contains(#""error":null,"detail":"it is cut off","file":"x.jpg""#))
    }

    @Test("A failed photo carries the word and the sentence")
    func failed() {
        let row = ReportRow(name: "x", address: "y", outcome: .failed(PhotoError(.http, "404: Not, there.")))
        #expect(row.csv() == "x,y,failed,http,\"404: Not, there.\",,0,0\n")
    }

    @Test("A cancelled photo has no error")
    func cancelled() {
        #expect(ReportRow(name: "x", address: "y", outcome: .cancelled).csv() == "x,y,cancelled,,,,0,0\n")
    }

    @Test("Quotes, commas and line ends are quoted as RFC 4180 says")
    func quoting() {
        let row = ReportRow(name: "a \"b\"", address: "c,\r\nd", outcome: .cancelled)
        #expect(row.csv() == "\"a \"\"b\"\"\",\"c,\r\nd\",cancelled,,,,0,0\n")
    }

    @Test("A spreadsheet takes nothing for a formula", arguments: ["=1+1", "+1", "-1", "@x", "=a,b"])
    func formula(name: String) {
        let csv = ReportRow(name: name, address: "", outcome: .cancelled).csv()
        #expect(csv.hasPrefix("'" + name) || csv.hasPrefix("\"'" + name))
    }
}
