import Glibc
package import OperationsCore

/// Where an object store is, and who asks there, as AWS tools are told it.
package struct StoreSettings: Sendable, CustomStringConvertible, CustomReflectable {
    /// Scheme, host and port without a slash at the end; nil for Amazon's own.
    package var endpoint: String?
    package var region: String
    package var credentials: StoreCredentials
    /// The file with the authorities to trust instead of the system's.
    package var certificateAuthorities: String?
    /// How often a request is tried in all.
    package var attempts = 8
    /// How long is waited between.
    package var backoff = Backoff(initial: .milliseconds(500))
    /// How long somebody who has given an upload up waits for its parts to be removed: batch systems end a task half a minute after
    /// they have asked it to end.
    var leave = Duration.seconds(5)
    /// From how many bytes on an object is put in parts, and how many a part has: at least 5 MiB, but for the last one.
    package var partSize = 16 << 20
    /// Reads the credentials again, as somebody may have renewed them; nil where they cannot change.
    var reload: (@Sendable () -> StoreCredentials?)?

    package init(endpoint: String?, region: String = "us-east-1", credentials: StoreCredentials) {
        (self.endpoint, self.region, self.credentials) = (endpoint, region, credentials)
    }

    package var description: String { endpoint ?? region }
    package var customMirror: Mirror { Mirror(self, unlabeledChildren: [description]) }

    /// Reads the settings of this process.
    package static func current() throws(StoreError) -> StoreSettings {
        try StoreSettings { name in getenv(name).map { String(cString: $0) } }
    }

    /// Reads settings: the variables of the environment first, and then the profile's in the shared files.
    ///
    /// - Parameter variable: The value of a variable; empty ones are as good as none.
    /// - Throws: `configuration`.
    package init(_ variable: @escaping @Sendable (String) -> String?) throws(StoreError) {
        @Sendable func first(_ names: String...) -> String? {
            names.lazy.compactMap(variable).first { !$0.isEmpty }
        }
        let home = first("HOME") ?? "/"
        let files = Files(
            credentials: Self.path(first("AWS_SHARED_CREDENTIALS_FILE") ?? "~/.aws/credentials", home),
            configuration: Self.path(first("AWS_CONFIG_FILE") ?? "~/.aws/config", home),
            profile: first("AWS_PROFILE", "AWS_DEFAULT_PROFILE"))
        let profile = files.profile ?? "default"
        let configuration = SharedSettings(path: files.configuration)
        if let access = first("AWS_ACCESS_KEY_ID"), let secret = first("AWS_SECRET_ACCESS_KEY") {
            credentials = StoreCredentials(
                accessKey: access, secretKey: secret, sessionToken: first("AWS_SESSION_TOKEN", "AWS_SECURITY_TOKEN"))
        } else {
            credentials = try files.read()
            reload = { try? files.read() }
        }
        try Self.check(credentials)
        region =
            first("AWS_REGION", "AWS_DEFAULT_REGION") ?? configuration.value("region", of: profile) ?? "us-east-1"
        guard region.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x2F }) else {
            throw StoreError(.configuration, "the region has a character that regions do not have; look at AWS_REGION")
        }
        certificateAuthorities = first("AWS_CA_BUNDLE") ?? configuration.value("ca_bundle", of: profile)
        if first("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")?.lowercased() != "true" {
            endpoint = try Self.endpoint(
                first("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") ?? configuration.value("endpoint_url", of: profile))
        }
        if let text = first("AWS_MAX_ATTEMPTS") ?? configuration.value("max_attempts", of: profile) {
            guard let number = Int(text), (1...100).contains(number) else {
                throw StoreError(.configuration, "AWS_MAX_ATTEMPTS is a number from 1 to 100")
            }
            attempts = number
        }
    }

    /// The files that AWS tools share, and the profile in them.
    private struct Files {
        let credentials: String
        let configuration: String
        /// Nil where none was named.
        let profile: String?

        func read() throws(StoreError) -> StoreCredentials {
            let name = profile ?? "default"
            let (keys, settings) = (SharedSettings(path: credentials), SharedSettings(path: configuration))
            for file in [keys, settings] {
                if let access = file.value("aws_access_key_id", of: name),
                    let secret = file.value("aws_secret_access_key", of: name)
                {
                    return StoreCredentials(
                        accessKey: access, secretKey: secret, sessionToken: file.value("aws_session_token", of: name))
                }
            }
            if let profile, !keys.has(profile), !settings.has(profile) {
                throw StoreError(.configuration, "there is no profile \(profile) in \(credentials) or \(configuration)")
            }
            throw StoreError(
                .configuration,
                "there are no credentials for object stores; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile with keys in "
                    + "\(credentials). Roles, sign-on and helpers are not asked: aws configure export-credentials --format env turns theirs into keys"
            )
        }
    }

    /// What would break a header is no key.
    private static func check(_ credentials: StoreCredentials) throws(StoreError) {
        let texts = [credentials.accessKey, credentials.secretKey, credentials.sessionToken ?? ""]
        guard texts.allSatisfy({ $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }) else {
            throw StoreError(
                .configuration,
                "the credentials for object stores have a space, a line break or another foreign character in them")
        }
    }

    private static func endpoint(_ text: String?) throws(StoreError) -> String? {
        guard var text else { return nil }
        while text.hasSuffix("/") { text.removeLast() }
        // Its text may have a password in it, and is not repeated.
        guard let origin = try? WebAddress(text).origin, let slashes = text.firstRange(of: "://"),
            !text[slashes.upperBound...].contains(where: { "/?#@".contains($0) })
        else {
            throw StoreError(
                .configuration,
                "AWS_ENDPOINT_URL is to be http://HOST:PORT or https://HOST, without a path, a user or a query")
        }
        let isUsual = origin.port == (origin.scheme == "https" ? 443 : 80)
        return "\(origin.scheme)://\(origin.host)\(isUsual ? "" : ":\(origin.port)")"
    }

    private static func path(_ text: String, _ home: String) -> String {
        text.hasPrefix("~/") ? home + text.dropFirst() : text
    }
}
