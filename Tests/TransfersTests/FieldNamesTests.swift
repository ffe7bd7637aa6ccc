import Testing

@testable import Transfers

@Suite struct FieldNamesTests {
    private func mayContain(_ names: FieldNames, _ name: StaticString) -> Bool {
        names.mayContain(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    @Test func whatCameIsFoundHoweverItIsWritten() {
        var names = FieldNames()
        let lines = ["HTTP/1.1 200 OK\r\n", "content-length: 3\r\n", "ETAG:\"a:b\"\r\n", "Age:\r\n", "\r\n"]
        for line in lines { Array(line.utf8).withUnsafeBytes { names.insert(line: $0) } }
        #expect(mayContain(names, "Content-Length") && mayContain(names, "ETag") && mayContain(names, "age"))
    }

    @Test func whatAnswersRarelyHaveIsToldFromWhatTheyHave() {
        var names = FieldNames()
        let lines = [
            "Server: a\r\n", "Date: b\r\n", "Content-Type: c\r\n", "Content-Length: 3\r\n", "Last-Modified: d\r\n",
            "Connection: keep-alive\r\n", "ETag: e\r\n", "Accept-Ranges: bytes\r\n",
        ]
        for line in lines { Array(line.utf8).withUnsafeBytes { names.insert(line: $0) } }
        #expect(!mayContain(names, "Content-Encoding") && !mayContain(names, "Transfer-Encoding"))
        #expect(!mayContain(names, "Location") && !mayContain(names, "Content-Range"))
    }
}
