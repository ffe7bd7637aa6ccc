import Testing

@testable import Transfers

/// Header fields that users give.
@Suite struct RequestHeadersTests {
    private func error(_ name: String, _ value: String) -> RequestHeaders.FieldError? {
        var headers = RequestHeaders()
        do throws(RequestHeaders.FieldError) { try headers.set(name, to: value) } catch { return error }
        return nil
    }

    @Test(arguments: [
        "", " ", "A B", "A:", "A\r", "A\n", "\u{0}", "Ä", "(a)", "a,b", "a/b", "a;b", "<", "{", "\u{7F}", ":authority",
    ])
    func namesThatAreNone(name: String) { #expect(error(name, "1") == .name) }

    @Test(arguments: ["a\r\nB: c", "a\nB: c", "a\r", "a\u{0}", "a\u{1}b", "a\u{7F}"])
    func valuesThatWouldEndTheField(value: String) {
        #expect(error("A", value) == .value(name: "A"))
        #expect(throws: RequestHeaders.FieldError.self) { try RequestHeaders(line: "A: \(value)B") }
    }

    @Test(arguments: [
        "Host", "host", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "TE", "Trailer", "Upgrade",
        "Expect", "Range", "If-Range", "If-None-Match", "If-Match", "If-Modified-Since", "If-Unmodified-Since",
        "Accept-Encoding", "Cache-Control", "Pragma", "User-Agent", "Proxy-Authorization", "Proxy-Connection",
        "HTTP2-Settings", "A-IM",
    ])
    func whatTheClientSetsItself(name: String) { #expect(error(name, "1") == .reserved(name: name)) }

    @Test func whatIsSent() throws {
        var headers = try RequestHeaders(["X-Key": " 1\t", "Accept": "image/webp", "x-key": "2", "X-Empty": ""])
        #expect(headers.lines() == ["Accept: image/webp", "X-Empty;", "x-key: 2"])
        try headers.set("x!#$%&'*+-.^_`|~09", to: "ü")
        #expect(headers.names.count == 4)
        #expect(try RequestHeaders(line: "A:b:c").lines() == ["A: b:c"])
        #expect(throws: RequestHeaders.FieldError.noColon) { try RequestHeaders(line: "Bearer abc") }
        #expect(throws: RequestHeaders.FieldError.name) { try RequestHeaders(line: " A: b") }
        let all = try RequestHeaders(["A": "1", "B": "2"]).merging(RequestHeaders(["b": "3", "C": "4"]))
        #expect(all.lines() == ["A: 1", "b: 3", "C: 4"])
        #expect(all.value(of: "a") == "1")
        #expect(all.lines(without: ["b"]) == ["A: 1", "C: 4"])
    }

    @Test func whatIsTheSame() throws {
        let one = try RequestHeaders(["A": "1", "B": "2"])
        #expect(try one == RequestHeaders(["b": "2", "a": "1"]))
        #expect(try one.hashValue == RequestHeaders(["b": "2", "a": "1"]).hashValue)
        #expect(try one != RequestHeaders(["A": "1", "B": "3"]))
        #expect(try one != RequestHeaders(["A": "1"]))
        #expect(try one.text == RequestHeaders(["b": "2", "a": "1"]).text)
    }

    @Test func authorization() throws {
        #expect(try RequestHeaders.authorization(bearer: "a.b-c").lines() == ["Authorization: Bearer a.b-c"])
        let user = try RequestHeaders.authorization(user: "jörg", password: "a:b")
        #expect(user.lines() == ["Authorization: Basic asO2cmc6YTpi"])
        #expect(user.hasPassword)
        #expect(try RequestHeaders(["authorization": "BASIC\tx"]).hasPassword)
        #expect(try !RequestHeaders.authorization(bearer: "Basic").hasPassword)
        for token in ["", "a b", "a\r\nb", "a\u{0}"] {
            #expect(throws: RequestHeaders.FieldError.credentials) { try RequestHeaders.authorization(bearer: token) }
        }
        for (user, password) in [("a:b", "c"), ("a\n", "b"), ("a", "b\u{0}")] {
            #expect(throws: RequestHeaders.FieldError.credentials) {
                try RequestHeaders.authorization(user: user, password: password)
            }
        }
    }

    @Test func valuesAreNotShown() throws {
        let headers = try RequestHeaders.authorization(bearer: "5ecre7")
        var request = DownloadRequest(address: .web(try WebAddress("http://host/")))
        request.headers = headers
        var texts = ["\(headers)", String(reflecting: headers), "\(request)", String(reflecting: request)]
        var dumped = ""
        dump(request, to: &dumped)
        texts.append(dumped)
        for error in [error("A", "5ecre7\n"), error("5ecre7 5ecre7", "")] { texts.append("\(error!)\(error!.self)") }
        #expect(!texts.contains { $0.contains("5ecre7") })
        #expect(texts[0] == "Authorization")
    }

    /// Scheme, name and port make an origin, as in browsers.
    @Test(arguments: [
        ("https://a.example/1", "/2", true), ("https://a.example/1", "https://a.example:443/2", true),
        ("https://a.example/1", "HTTPS://A.EXAMPLE/2", true), ("https://a.example/1", "//a.example/2", true),
        ("https://a.example/1", "http://a.example/2", false), ("http://a.example/1", "https://a.example/2", false),
        ("https://a.example/1", "http://a.example:443/2", false),
        ("https://a.example/1", "https://a.example:444/2", false),
        ("https://a.example/1", "https://b.example/2", false), ("https://a.example/1", "https://a.example./2", false),
        ("https://a.example/1", "https://www.a.example/2", false),
        ("https://a.example/1", "\\\\b.example/2", false),
        ("https://a.example/1", "https://a.example@b.example/2", false),
        ("https://a.example/1", "https://a.example\\@b.example/2", true),
    ])
    func whereRedirectsTakeThem(from: String, to location: String, stay: Bool) throws {
        var plan = TransferPlan(
            address: try WebAddress(from), limits: TransferLimits(), addressGuard: .open, longestRetryAfter: .zero
        ) { _ in }
        plan.ownHeaders = ["Authorization: Bearer 5ecre7"]
        plan.headers = ["Cache-Control: no-cache"]
        var route = TransferRoute(plan)
        #expect(route.permitted(plan.headers, own: plan.ownHeaders) == plan.headers + plan.ownHeaders)
        try route.follow(Array(location.utf8), isProxied: false)
        #expect(
            route.permitted(plan.headers, own: plan.ownHeaders)
                == (stay ? plan.headers + plan.ownHeaders : plan.headers))
        // They do not come back either.
        try route.follow(Array(from.utf8), isProxied: false)
        #expect(
            route.permitted(plan.headers, own: plan.ownHeaders)
                == (stay ? plan.headers + plan.ownHeaders : plan.headers))
    }
}
