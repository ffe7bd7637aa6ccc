import Foundation

/// A request at a ``FaultServer``.
struct FaultRequest {
    let path: String
    let query: String?
    let head: String

    init(target: String, head: String) {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        path = parts.first ?? "/"
        query = parts.count > 1 ? parts[1] : nil
        self.head = head
    }

    /// Answers; false if the connection is to be closed.
    func answer(on connection: FaultConnection, _ log: ServerLog) -> Bool {
        if isUpload { return take(from: connection, log) }
        if let fault = Fault(rawValue: path) { return perform(fault, on: connection, log) }
        if let served = log.update({ $0.bodies[path] }) {
            if let tag = served.headers["ETag"], "\(head)\r\n".contains("\r\nIf-None-Match: \(tag)\r\n") {
                log.update { $0.confirmed[path, default: 0] += 1 }
                var head = "HTTP/1.1 304 Not Modified\r\n"
                for (name, value) in served.headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
                connection.send(head + "\r\n")
                return true
            }
            let status = served.headers["Status"].map { "\($0) Status" } ?? "200 OK"
            connection.answer(status: status, headers: served.headers, body: Array(served.body))
            return true
        }
        let (script, number) = log.update { ($0.scripts[path], $0.heads[path, default: []].count) }
        if let script { return script.answer(number, head: head, on: connection) }
        let parts = path.split(separator: "/")
        switch (parts.first, parts.dropFirst().first.flatMap { Int($0) }) {
        case ("status", let status?):
            let headers = status == 503 ? ["Retry-After": "7"] : [:]
            connection.answer(status: "\(status) Status", headers: headers, body: Array("status \(status)".utf8))
        case ("redirect", let count?):
            redirect(connection, to: count > 1 ? "/redirect/\(count - 1)" : "/ok")
        case ("redirect-to", nil):
            redirect(connection, to: query ?? "/ok")
        case ("redirect-to-bytes", nil):
            let location = (query ?? "/ok").removingPercentEscapes
            connection.send(Array("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: ".utf8) + location)
            connection.send("\r\n\r\n")
        case ("head", nil):
            connection.answer(body: Array(head.utf8))
        default:
            connection.answer(status: "404 Not Found", body: [])
        }
        return true
    }

    var isUpload: Bool { head.hasPrefix("PUT ") }

    /// Takes an upload, or does not: `/put-307?ADDRESS` redirects, `/put-403` refuses, both before a body that the
    /// client asked about has come; `/put-cut` closes after some of the first request's body; `/put-stall` never reads;
    /// `/put-slow` takes at most 16 KB in 50 ms; `/put-endless` talks without end; `/put-unasked` refuses to be asked, and takes its time for the body.
    private func take(from connection: FaultConnection, _ log: ServerLog) -> Bool {
        let count = FaultScript.value(of: "Content-Length", in: head).flatMap { Int($0) } ?? 0
        let isAsked = FaultScript.value(of: "Expect", in: head) != nil
        let status = path.hasPrefix("/put-") ? Int(path.dropFirst(5)) : nil
        if let status {
            if !isAsked { _ = connection.readBody(count) }
            let headers = (300..<400).contains(status) ? ["Location": query ?? "/put"] : [:]
            connection.answer(status: "\(status) Status", headers: headers, body: [])
            return !isAsked
        }
        if path == "/put-stall" {
            connection.waitForCloseWithoutReading()
            return false
        }
        if path == "/put-unasked", isAsked {
            connection.answer(status: "417 Expectation Failed", body: Array("do not ask".utf8))
            return true
        }
        if isAsked { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
        if path == "/put-cut", log.update({ $0.heads[path, default: []].count }) == 1 {
            _ = connection.readBody(count / 2)
            connection.reset()
            return false
        }
        let body =
            path == "/put-slow"
            ? connection.readBodySlowly(count, pause: .milliseconds(50)) : connection.readBody(count)
        guard body.count == count else { return false }
        if path == "/put-unasked", !connection.pause(milliseconds: 1_200) { return false }
        log.update { $0.uploads[path] = Data(body) }
        if path == "/put-endless" {
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while connection.send([UInt8](repeating: 0x78, count: 65_536)) {}
            return false
        }
        connection.answer(status: "201 Created", headers: ["ETag": "\"put\""], body: Array("stored".utf8))
        return true
    }

    private func redirect(_ connection: FaultConnection, to location: String) {
        connection.answer(status: "302 Found", headers: ["Location": location], body: Array("moved".utf8))
    }

    private func perform(_ fault: Fault, on connection: FaultConnection, _ log: ServerLog) -> Bool {
        switch fault {
        case .stall, .stallAfterHead, .stallMidBody, .drip, .slowStart, .gate:
            return performSlow(fault, on: connection, log)
        case .endless, .endlessChunked, .endlessChunkExtension, .hugeLength, .endlessHeaders, .endlessHeaderLine,
            .gzipBomb, .endlessNotFound,
            .redirectWithEndlessBody:
            performTooMuch(fault, on: connection)
            return false
        case .halfBody, .halfChunked, .halfHead, .noAnswer, .reset, .resetMidBody:
            performTooLittle(fault, on: connection)
            return false
        case .empty: connection.answer(body: [])
        case .noContent: connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        case .sameLength:
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2, 2\r\n\r\nok")
        case .redirectCircle: redirect(connection, to: path)
        case .redirectToFile: redirect(connection, to: "file:///etc/hostname")
        case .redirectToFTP: redirect(connection, to: "ftp://127.0.0.1/file")
        case .excess: connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngoodHTTP/1.1 200 OK\r\n\r\nwrong")
        case .junkAfter:
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood")
            // Late enough not to be read together with the answer itself.
            let delay = query.flatMap { $0.hasPrefix("ms=") ? Int($0.dropFirst(3)) : nil } ?? 100
            if !connection.pause(milliseconds: delay) { return false }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong")
        case .leftover, .leftoverAfterChunks, .leftoverAfterNothing, .interruption, .wrongFirst:
            return performTooOften(fault, on: connection)
        case .notHTTP, .badStatusLine, .badHeader, .badLength, .negativeLength, .badChunk, .codedTransfer, .badGzip,
            .unaskedPart,
            .twoLengths, .lengthList, .lengthAndChunks, .redirectOfTwoLengths:
            performNotHTTP(fault, on: connection)
            return false
        }
        return true
    }

    private func performTooOften(_ fault: Fault, on connection: FaultConnection) -> Bool {
        let wrong = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong"
        switch fault {
        case .leftover:
            let body = [UInt8](repeating: UInt8(ascii: "g"), count: FaultServer.leftoverBodyCount)
            connection.send(
                Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body + Array(wrong.utf8))
        case .leftoverAfterChunks:
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ngood\r\n0\r\n\r\n" + wrong)
        case .leftoverAfterNothing:
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" + wrong)
        case .interruption:
            connection.answer(body: Array("good".utf8))
            guard connection.waitForMore() else { return false }
            connection.send(wrong)
        case .wrongFirst:
            connection.answer(body: Array("good".utf8))
            connection.prefix = Array(wrong.utf8)
        default: break
        }
        return true
    }

    private func performSlow(_ fault: Fault, on connection: FaultConnection, _ log: ServerLog) -> Bool {
        // What follows a `&` only makes addresses differ.
        let interval = query.flatMap { $0.hasPrefix("ms=") ? Int($0.dropFirst(3).prefix { $0 != "&" }) : nil }
        switch fault {
        case .stallAfterHead:
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        case .stallMidBody:
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + String(repeating: "x", count: 500))
        case .drip:
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            while connection.pause(milliseconds: interval ?? 1_000), connection.send("x") {}
        case .slowStart:
            guard connection.pause(milliseconds: interval ?? 300) else { return false }
            let served = log.update { $0.bodies[fault.rawValue]?.body } ?? FaultServer.okBody
            connection.answer(body: Array(served))
            return true
        case .gate:
            while !log.update({ $0.isGateOpen }) {
                guard connection.pause(milliseconds: 5) else { return false }
            }
            let served = log.update { $0.bodies[fault.rawValue]?.body } ?? FaultServer.okBody
            connection.answer(body: Array(served))
            return true
        default:
            break
        }
        connection.waitForClose()
        return false
    }

    private func performTooMuch(_ fault: Fault, on connection: FaultConnection) {
        let block = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)
        switch fault {
        case .endless:
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while connection.send(block) {}
        case .endlessChunked:
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = Array("10000\r\n".utf8) + block + Array("\r\n".utf8)
            while connection.send(chunk) {}
        case .endlessChunkExtension:
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;")
            while connection.send(block) {}
        case .hugeLength:
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000000\r\n\r\n")
            while connection.send(block) {}
        case .endlessHeaders:
            connection.send("HTTP/1.1 200 OK\r\n")
            var number = 0
            while connection.send("X-Header-\(number): \(String(repeating: "x", count: 1_000))\r\n") { number += 1 }
        case .endlessHeaderLine:
            connection.send("HTTP/1.1 200 OK\r\nX-Header: ")
            while connection.send(block) {}
        case .gzipBomb:
            let body = GzipBomb.bytes(inflatedTo: 256_000_000)
            connection.answer(headers: ["Content-Encoding": "gzip"], body: body)
        case .endlessNotFound:
            connection.send("HTTP/1.1 404 Not Found\r\n\r\n")
            while connection.send(block) {}
        case .redirectWithEndlessBody:
            connection.send("HTTP/1.1 302 Found\r\nLocation: /ok\r\n\r\n")
            while connection.send(block) {}
        default:
            break
        }
    }

    private func performTooLittle(_ fault: Fault, on connection: FaultConnection) {
        switch fault {
        case .halfBody:
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + String(repeating: "x", count: 500))
        case .halfChunked:
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        case .halfHead:
            connection.send("HTTP/1.1 200 OK\r\nContent-Le")
        case .reset:
            connection.reset()
        case .resetMidBody:
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + String(repeating: "x", count: 500))
            // A reset overtakes what was not read yet, and the head is to arrive.
            if connection.pause(milliseconds: 100) { connection.reset() }
        default:
            break
        }
    }

    private func performNotHTTP(_ fault: Fault, on connection: FaultConnection) {
        switch fault {
        case .notHTTP: connection.send("SSH-2.0-OpenSSH_9.2p1\r\n")
        case .badStatusLine: connection.send("HTTP/1.1 abc OK\r\nContent-Length: 2\r\n\r\nok")
        case .badHeader: connection.send("HTTP/1.1 200 OK\r\nno colon here\r\nContent-Length: 2\r\n\r\nok")
        case .badLength: connection.send("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nok")
        case .negativeLength: connection.send("HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok")
        case .twoLengths:
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 2\r\n\r\nok")
        case .lengthList: connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2, 3\r\n\r\nok")
        case .lengthAndChunks:
            connection.send(
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n")
        case .redirectOfTwoLengths:
            connection.send(
                "HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n")
        case .badChunk: connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n")
        case .codedTransfer:
            // Ten bytes of a header, and nothing in it.
            connection.send(
                [UInt8]("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nConnection: close\r\n\r\n".utf8)
                    + [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
        case .badGzip: connection.answer(headers: ["Content-Encoding": "gzip"], body: Array("this is no gzip".utf8))
        case .unaskedPart:
            connection.answer(
                status: "206 Partial Content", headers: ["Content-Range": "bytes 0-3/8"], body: Array("half".utf8))
        default: break
        }
    }
}

extension String {
    /// The bytes that it stands for, `%E9` for the one of that number.
    fileprivate var removingPercentEscapes: [UInt8] {
        let parts = split(separator: "%", omittingEmptySubsequences: false)
        return Array((parts.first ?? "").utf8)
            + parts.dropFirst().flatMap { [UInt8($0.prefix(2), radix: 16) ?? 0] + Array($0.dropFirst(2).utf8) }
    }
}
