import CMicroHTTPD
import Foundation
import ImageCodecs
import PhotoPipeline
import Pixels

/// An answer to a query.
struct Answer {
    let status: Int
    let fields: [(name: String, value: String)]
    let body: Data

    /// A picture as a JPEG, or that the one which the client has is the same.
    ///
    /// How long it may be kept is up to the server that it comes from, which is asked again each time. So is whoever keeps it to ask
    /// here again.
    /// - Parameters:
    ///   - isPrivate: Whether only the client itself may keep it.
    ///   - condition: The `If-None-Match` of the request; nil for none.
    static func image(_ image: PixelBuffer, isPrivate: Bool, ifNoneMatch condition: String?) throws -> Answer {
        let body = try ImageEncoder(format: .jpeg).encode(image)
        let tag = EntityTag(of: body)
        let fields = [("Cache-Control", isPrivate ? "private, no-cache" : "no-cache"), ("ETag", tag.text)]
        if let condition, tag.isNamed(by: condition) { return Answer(status: 304, fields: fields, body: Data()) }
        return Answer(status: 200, fields: fields + [("Content-Type", "image/jpeg")], body: body)
    }

    static func failure(
        _ status: Int, _ reason: String, _ fields: [(name: String, value: String)] = []
    ) -> Answer {
        let all = [("Cache-Control", "no-store"), ("Content-Type", "text/plain; charset=utf-8")] + fields
        return Answer(status: status, fields: all, body: Data((reason + "\n").utf8))
    }

    /// Why there is no picture, in the words of HTTP.
    static func failure(_ error: PhotoError) -> Answer {
        let status =
            switch error.reason {
            case .invalidAddress: 400
            case .forbiddenAddress: 403
            case .timeout: 504
            case .tooLarge, .tooManyPixels, .tooManyFrames: 413
            case .notAnImage, .unsupportedFormat, .damagedImage, .empty: 415
            default: 502
            }
        // Whoever has waited for so long has held the place of others long enough.
        return failure(status, "\(error)", status == 504 ? [("Connection", "close")] : [])
    }

    func send(over connection: OpaquePointer?) -> MHD_Result {
        // libmicrohttpd copies the bytes.
        var body = body
        let response = body.withUnsafeMutableBytes { bytes in
            MHD_create_response_from_buffer(bytes.count, bytes.baseAddress, .RESPMEM_MUST_COPY)
        }
        defer { MHD_destroy_response(response) }
        for (name, value) in fields + [("X-Content-Type-Options", "nosniff")] {
            MHD_add_response_header(response, name, value)
        }
        return MHD_queue_response(connection, UInt32(status), response)
    }
}
