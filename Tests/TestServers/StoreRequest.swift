import Foundation

/// A request at a ``StoreServer``.
struct StoreRequest {
    let method: String
    let line: String
    let head: String
    let body: Data
    let bucket: String
    let key: String
    let query: [String: String]

    init(_ head: String, _ body: Data) {
        (self.head, self.body) = (head, body)
        line = head.split(separator: "\r\n").first.map(String.init) ?? ""
        let words = line.split(separator: " ").map(String.init)
        method = words.first ?? ""
        let target = (words.count > 1 ? words[1] : "/").split(separator: "?", maxSplits: 1).map(String.init)
        let path = (target.first ?? "/").dropFirst().split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        bucket = path.first.map(String.init) ?? ""
        key = path.count > 1 ? String(path[1]).removingPercentEncoding ?? "" : ""
        var query: [String: String] = [:]
        for item in (target.count > 1 ? target[1] : "").split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1).map { String($0).removingPercentEncoding ?? "" }
            query[parts.first ?? ""] = parts.count > 1 ? parts[1] : ""
        }
        self.query = query
    }

    func header(_ name: String) -> String? { FaultScript.value(of: name, in: head) }
}

extension StoreServer.State {
    /// The bytes that answer a request, and whether the connection is closed after them; nil where nothing ever is.
    mutating func answer(_ request: StoreRequest) -> (bytes: [UInt8]?, isLast: Bool) {
        heads.append(request.head)
        let fault = faults.firstIndex {
            request.line.hasPrefix($0.line) && $0.times > 0
                && ($0.holding.isEmpty || request.head.contains($0.holding))
        }
        if let fault {
            faults[fault].times -= 1
            return answer(request, faults[fault])
        }
        guard request.bucket == StoreServer.bucket else { return (Self.error(404, "NoSuchBucket", request), false) }
        return (perform(request), false)
    }

    private mutating func answer(
        _ request: StoreRequest, _ fault: StoreServer.Fault
    ) -> (bytes: [UInt8]?, isLast: Bool) {
        if fault.isSilent { return (nil, true) }
        if fault.losesAnswer {
            _ = perform(request)
            return ([], true)
        }
        let own = fault.body.map { Self.answer(fault.status, fault.headers, Data($0.utf8)) }
        if let count = fault.cutAt {
            let bytes = own ?? perform(request)
            let end = Data(bytes).firstRange(of: Data("\r\n\r\n".utf8))?.upperBound ?? 0
            return (Array(bytes.prefix(end + count)), true)
        }
        return (own ?? Self.error(fault.status, fault.code, request, fault.headers), false)
    }

    private mutating func perform(_ request: StoreRequest) -> [UInt8] {
        switch (request.method, request.query["uploads"], request.query["uploadId"]) {
        case ("POST", _?, _): return begin(request)
        case ("PUT", _, let upload?): return part(request, upload)
        case ("POST", _, let upload?): return complete(request, upload)
        case ("DELETE", _, let upload?):
            guard uploads.removeValue(forKey: upload) != nil else { return Self.error(404, "NoSuchUpload", request) }
            return Self.answer(204)
        case ("GET", _?, _): return list(uploadsOf: request)
        case ("GET", _, _) where request.query["list-type"] != nil: return list(request)
        case ("GET", _, _), ("HEAD", _, _): return read(request)
        case ("PUT", _, _): return put(request)
        case ("DELETE", _, _):
            objects[request.key] = nil
            return Self.answer(204)
        default: return Self.error(405, "MethodNotAllowed", request)
        }
    }

    private func read(_ request: StoreRequest) -> [UInt8] {
        guard let object = objects[request.key] else { return Self.error(404, "NoSuchKey", request) }
        if let tag = request.header("If-Match"), tag != object.tag {
            return Self.error(412, "PreconditionFailed", request)
        }
        var headers = ["ETag": object.tag]
        headers["x-amz-meta-sha256"] = object.digest
        var (bytes, status) = (object.bytes, 200)
        if let range = request.header("Range"), let start = Int(range.dropFirst(6).prefix { $0.isNumber }) {
            guard start < bytes.count else { return Self.error(416, "InvalidRange", request) }
            headers["Content-Range"] = "bytes \(start)-\(bytes.count - 1)/\(bytes.count)"
            (bytes, status) = (bytes.dropFirst(start), 206)
        }
        if request.method == "HEAD" { headers["Content-Length"] = "\(bytes.count)" }
        return Self.answer(status, headers, request.method == "HEAD" ? nil : bytes)
    }

    private mutating func put(_ request: StoreRequest) -> [UInt8] {
        if request.header("If-None-Match") == "*", !ignoresConditions, objects[request.key] != nil {
            return Self.error(412, "PreconditionFailed", request)
        }
        if let source = request.header("x-amz-copy-source") {
            let key = String(source.dropFirst(StoreServer.bucket.count + 2)).removingPercentEncoding ?? ""
            guard let object = objects[key] else { return Self.error(404, "NoSuchKey", request) }
            objects[request.key] = object
            return Self.answer(200, [:], Data("<CopyObjectResult><ETag>x</ETag></CopyObjectResult>".utf8))
        }
        let object = StoreServer.Object(bytes: request.body, digest: request.header("x-amz-meta-sha256"))
        objects[request.key] = object
        return Self.answer(200, ["ETag": object.tag])
    }

    // MARK: Parts

    private mutating func begin(_ request: StoreRequest) -> [UInt8] {
        lastUpload += 1
        uploads["upload-\(lastUpload)"] = (request.key, request.header("x-amz-meta-sha256"), Date(), [:])
        let text =
            "<InitiateMultipartUploadResult><UploadId>upload-\(lastUpload)</UploadId></InitiateMultipartUploadResult>"
        return Self.answer(200, [:], Data(text.utf8))
    }

    private mutating func part(_ request: StoreRequest, _ upload: String) -> [UInt8] {
        guard uploads[upload] != nil, let number = request.query["partNumber"].flatMap({ Int($0) }) else {
            return Self.error(404, "NoSuchUpload", request)
        }
        uploads[upload]?.parts[number] = request.body
        if request.header("x-amz-copy-source") != nil {
            return Self.answer(200, [:], Data("<CopyPartResult><ETag>part-\(number)</ETag></CopyPartResult>".utf8))
        }
        return Self.answer(200, ["ETag": "\"part-\(number)\""])
    }

    private mutating func complete(_ request: StoreRequest, _ upload: String) -> [UInt8] {
        guard let found = uploads.removeValue(forKey: upload) else { return Self.error(404, "NoSuchUpload", request) }
        let bytes = found.parts.sorted { $0.key < $1.key }.reduce(into: Data()) { $0 += $1.value }
        objects[found.key] = StoreServer.Object(bytes: bytes, digest: found.digest)
        return Self.answer(200, [:], Data("<CompleteMultipartUploadResult/>".utf8))
    }

    // MARK: Lists

    private func list(_ request: StoreRequest) -> [UInt8] {
        let prefix = request.query["prefix"] ?? ""
        var (contents, folders): ([String], [String]) = ([], [])
        for key in objects.keys.sorted() where key.hasPrefix(prefix) {
            let rest = key.dropFirst(prefix.count)
            if request.query["delimiter"] != nil, let slash = rest.firstIndex(of: "/") {
                let folder = prefix + rest[...slash]
                if folders.last != folder { folders.append(folder) }
            } else {
                contents.append(key)
            }
        }
        let start = request.query["continuation-token"].flatMap { Int($0) } ?? 0
        let page = contents.dropFirst(start).prefix(pageSize)
        let isCut = start + page.count < contents.count
        let text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
            + "<EncodingType>url</EncodingType><IsTruncated>\(isCut)</IsTruncated>"
            + (isCut ? "<NextContinuationToken>\(start + page.count)</NextContinuationToken>" : "")
            + page.map {
                "<Contents><Key>\(Self.escaped($0))</Key><Size>\(objects[$0]?.bytes.count ?? 0)</Size></Contents>"
            }.joined()
            + (start > 0 ? [] : folders).map { "<CommonPrefixes><Prefix>\(Self.escaped($0))</Prefix></CommonPrefixes>" }
            .joined()
            + "</ListBucketResult>"
        return Self.answer(200, [:], Data(text.utf8))
    }

    /// As Ceph's gateway does it, which does not say that keys are escaped.
    private func list(uploadsOf request: StoreRequest) -> [UInt8] {
        let prefix = request.query["prefix"] ?? ""
        let isEscaped = request.query["encoding-type"] == "url"
        let items = uploads.filter { $0.value.key.hasPrefix(prefix) }.map {
            let time = $0.value.begun.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true))
            return
                "<Upload><Key>\(isEscaped ? Self.escaped($0.value.key) : $0.value.key)</Key><UploadId>\($0.key)</UploadId>"
                + "<Initiated>\(time)Z</Initiated></Upload>"
        }
        return Self.answer(
            200, [:],
            Data(
                "<ListMultipartUploadsResult>\(items.joined())</ListMultipartUploadsResult>"
                    .utf8))
    }

    /// As Amazon's store does it, with a plus for a space.
    private static func escaped(_ key: String) -> String {
        (key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "").replacingOccurrences(
            of: "%20", with: "+")
    }

    // MARK: Answers

    private static func error(
        _ status: Int, _ code: String, _ request: StoreRequest, _ headers: [String: String] = [:]
    ) -> [UInt8] {
        // As real ones do, it says more than anybody is to see.
        let text =
            "<?xml version=\"1.0\"?><Error><Code>\(code)</Code><Message>secret words of the store</Message>"
            + "<AWSAccessKeyId>who</AWSAccessKeyId></Error>"
        return answer(status, headers, request.method == "HEAD" ? nil : Data(text.utf8))
    }

    private static func answer(_ status: Int, _ headers: [String: String] = [:], _ body: Data? = Data()) -> [UInt8] {
        var headers = headers
        if let body { headers["Content-Length"] = "\(body.count)" }
        if status == 204 { headers["Content-Length"] = nil }
        let lines = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
        return Array("HTTP/1.1 \(status) Status\r\n\(lines)\r\n".utf8) + (body ?? Data())
    }
}
