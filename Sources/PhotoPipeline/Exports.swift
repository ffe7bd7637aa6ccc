// What the pipeline's own interface consists of, so that a client needs no import but the pipeline's: to ask for pictures, to
// configure the pipeline, and to save what it makes.
@_exported public import Catalogs
@_exported public import Pixels

@_exported public import enum ImageCodecs.DecodeIsolation
@_exported public import struct ImageCodecs.DecodeLimits
@_exported public import struct ImageCodecs.DecodeOptions
@_exported public import struct ImageCodecs.DecodedImage
@_exported public import enum ImageCodecs.ImageCodecError
@_exported public import struct ImageCodecs.ImageEncoder
@_exported public import enum ImageCodecs.ImageFormat
@_exported public import struct ImageCodecs.ImageInfo
@_exported public import struct ImageCodecs.ImageMetadata
@_exported public import struct Transfers.RequestHeaders
@_exported public import enum Transfers.ResourceAddress
@_exported public import enum Transfers.TransferError
@_exported public import struct Transfers.TransferMetrics
@_exported public import struct Transfers.TransferProxy
@_exported public import struct Transfers.WebAddress
