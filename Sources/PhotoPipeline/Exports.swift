// What the pipeline's own interface consists of, so that a client needs no import but the pipeline's.
@_exported public import Catalogs
@_exported public import Pixels

@_exported public import enum Transfers.ResourceAddress
@_exported public import struct Transfers.WebAddress
