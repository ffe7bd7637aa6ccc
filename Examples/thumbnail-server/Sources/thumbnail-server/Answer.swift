import CMicroHTTPD
import Foundation
import ImageCodecs
import PhotoPipeline
import Pixels

/// An answer to a query.
struct Answer {
    let status: Int
    let contentType: String
    let cacheControl: String
    let body: Data

    static func image(_ image: PixelBuffer) throws -> Answer {
        Answer(
            status: 200, contentType: "image/jpeg", cacheControl: "public, max-age=3600",
            body: try ImageEncoder(format: .jpeg).encode(image))
    }

    static func failure(_ status: Int, _ reason: String) -> Answer {
        Answer(
            status: status, contentType: "text/plain; charset=utf-8", cacheControl: "no-store",
            body: Data((reason + "\n").utf8))
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
        return failure(status, "\(error)")
    }

    func send(over connection: OpaquePointer?) -> MHD_Result {
        // libmicrohttpd copies the bytes.
        var body = body
        let response = body.withUnsafeMutableBytes { bytes in
            MHD_create_response_from_buffer(bytes.count, bytes.baseAddress, .RESPMEM_MUST_COPY)
        }
        defer { MHD_destroy_response(response) }
        for (name, value) in [
            ("Content-Type", contentType), ("Cache-Control", cacheControl), ("X-Content-Type-Options", "nosniff"),
        ] {
            MHD_add_response_header(response, name, value)
        }
        return MHD_queue_response(connection, UInt32(status), response)
    }
}
