/// What a cache says and hears in a transfer, beside what everybody does.
///
/// A transfer without one sends no conditions, and takes an answer with status 304 for the error that it is then.
package struct CacheExchange: Hashable, Sendable {
    /// By what the server recognises the stored answer; nil to have the whole.
    let validators: Validators?

    /// Has the whole, and hears what the server says about storing it.
    package static let listening = CacheExchange(validators: nil)

    /// What came of it.
    package struct Answer: Hashable, Sendable {
        /// A redirect on the way.
        struct Redirect: Hashable, Sendable {
            let status: Int
            let fields: HeaderFields
        }

        /// The address that answered.
        var address = ""
        var fields = HeaderFields()
        var redirects: [Redirect] = []
        var places: [CacheRecord.Place] = []
        /// Whether user and password went along, so that the answer is for that person only.
        var isPrivate = false
    }
}

extension CacheExchange.Answer {
    /// Notes what the answer of one hop says.
    mutating func note(
        _ fields: HeaderFields, status: Int, _ verdict: ResponseIntake.Verdict?, from address: WebAddress,
        at remoteAddress: IPAddress?
    ) {
        self.address = address.text
        isPrivate = isPrivate || address.hasCredentials
        if let remoteAddress { places.append(.init(host: address.host, address: "\(remoteAddress)")) }
        switch verdict {
        case .redirect: redirects.append(.init(status: status, fields: fields))
        // The whole is what is kept: these two are about the part that completed it (RFC 9111, 3.4).
        case .part: self.fields = fields.without(["content-range", "content-length"])
        default: self.fields = fields
        }
    }

    /// Whether the answer, or a redirect that led there, is another one for who names himself differently.
    var dependsOnUserAgent: Bool {
        StorageRule.dependsOnUserAgent(fields) || redirects.contains { StorageRule.dependsOnUserAgent($0.fields) }
    }

    /// Whether a redirect on the way is to be followed anew each time, so that the answer is used for nobody whom the server has
    /// not led there again.
    var mustAskRedirects: Bool {
        redirects.contains { redirect in
            let control = CacheControl(redirect.fields)
            return control.noStore || control.noCache || control.mustRevalidate
                || !StorageRule.isForAllRequests(redirect.fields)
        }
    }

    /// For how many seconds the redirects hold: as long as the one that holds shortest; nil where there are none.
    ///
    /// A permanent one that says nothing about it is asked for again after a day; a temporary one is for once (RFC 9110,
    /// 15.4).
    func redirectLifetime(receivedAt: Int) -> Int? {
        redirects.map { redirect in
            let control = CacheControl(redirect.fields)
            if control.noStore || control.noCache || !StorageRule.isForAllRequests(redirect.fields) { return 0 }
            let says = control.maxAge != nil || redirect.fields.first("expires") != nil
            if says {
                let freshness = Freshness(redirect.fields, requestedAt: receivedAt, receivedAt: receivedAt)
                return max(0, freshness.lifetime - freshness.initialAge)
            }
            return redirect.status == 301 || redirect.status == 308 ? Freshness.longestGuess : 0
        }.min()
    }
}
