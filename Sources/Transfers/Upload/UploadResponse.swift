public import struct FoundationEssentials.URL

/// What a server answered to a successful upload.
public struct UploadResponse: Sendable {
    /// The address that answered, after all redirects, without user and password.
    public var address: ResourceAddress
    /// The HTTP status, 200...299; 201 usually means that there was nothing before.
    public var statusCode: Int
    /// The `ETag` of what is there now, if the server says.
    public var entityTag: String?
    /// The network address that answered, a proxy's if there is one between.
    public var remoteAddress: IPAddress?
    /// What it took.
    public var metrics: TransferMetrics

    /// ``address`` as Foundation has it.
    public var url: URL { address.url }
}
