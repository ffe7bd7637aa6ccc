/// What a ``FaultServer`` does with a request; the raw value is the path that asks for it.
public enum Fault: String, CaseIterable, Sendable {
    // MARK: Silence and slowness
    /// Takes the request and sends nothing.
    case stall = "/stall"
    /// Sends a head, then nothing.
    case stallAfterHead = "/stall-after-head"
    /// Sends half of the announced body, then nothing.
    case stallMidBody = "/stall-mid-body"
    /// Sends one byte a second, or every `?ms=` milliseconds.
    case drip = "/drip"
    /// Answers properly after 300 or `?ms=` milliseconds, with what is served at this path if something is.
    case slowStart = "/slow-start"
    /// Answers properly once ``FaultServer/openGate()`` was called, with what is served at this path if something is.
    case gate = "/gate"

    // MARK: Too much
    /// A body without announced length that never ends.
    case endless = "/endless"
    /// A chunked body that never ends.
    case endlessChunked = "/endless-chunked"
    /// A chunk whose extension has no end.
    case endlessChunkExtension = "/endless-chunk-extension"
    /// A body that announces a petabyte and begins to send it.
    case hugeLength = "/huge-length"
    /// Header lines without end.
    case endlessHeaders = "/endless-headers"
    /// One header line without end.
    case endlessHeaderLine = "/endless-header-line"
    /// A small gzip body that becomes 256 MB.
    case gzipBomb = "/gzip-bomb"
    /// Status 404 with a body that never ends.
    case endlessNotFound = "/endless-not-found"

    // MARK: Too little
    /// Closes after half of the announced body.
    case halfBody = "/half-body"
    /// Closes between two chunks.
    case halfChunked = "/half-chunked"
    /// Closes in the middle of the head.
    case halfHead = "/half-head"
    /// Closes without an answer.
    case noAnswer = "/no-answer"
    /// Resets the connection without an answer.
    case reset = "/reset"
    /// Resets the connection in the middle of the body.
    case resetMidBody = "/reset-mid-body"
    /// Status 200 with a body of no bytes.
    case empty = "/empty"
    /// Status 204.
    case noContent = "/no-content"

    // MARK: Redirects
    /// Redirects to itself.
    case redirectCircle = "/redirect-circle"
    /// Redirects to a local file.
    case redirectToFile = "/redirect-to-file"
    /// Redirects to an FTP address.
    case redirectToFTP = "/redirect-to-ftp"
    /// Redirects with a body that never ends to `/ok`.
    case redirectWithEndlessBody = "/redirect-with-endless-body"

    // MARK: Not proper HTTP
    /// Sends more than it announced, with the same write.
    case excess = "/excess"
    /// Answers properly, then leaves a whole wrong answer on the kept connection, after 100 or `?ms=` milliseconds.
    case junkAfter = "/junk-after"
    /// A body that takes more than one read, with a whole wrong answer behind it in the same write.
    case leftover = "/leftover"
    /// A chunked body with a whole wrong answer behind it in the same write.
    case leftoverAfterChunks = "/leftover-after-chunks"
    /// An answer without a body, with a whole wrong answer behind it in the same write.
    case leftoverAfterNothing = "/leftover-after-nothing"
    /// Answers properly, and sends a wrong answer as soon as the next request begins to come, before it is read.
    case interruption = "/interruption"
    /// Answers properly, and the next request on the same connection twice, first wrongly.
    case wrongFirst = "/wrong-first"
    /// Speaks another protocol.
    case notHTTP = "/not-http"
    /// A status line that is none.
    case badStatusLine = "/bad-status-line"
    /// A header line without colon.
    case badHeader = "/bad-header"
    /// A length that is no number.
    case badLength = "/bad-length"
    /// A negative length.
    case negativeLength = "/negative-length"
    /// Two lengths, of which the second is right.
    case twoLengths = "/two-lengths"
    /// Two lengths in one field, of which the first is right.
    case lengthList = "/length-list"
    /// The right length twice, and a third time in a list.
    case sameLength = "/same-length"
    /// A length beside chunks.
    case lengthAndChunks = "/length-and-chunks"
    /// A redirect with two lengths.
    case redirectOfTwoLengths = "/redirect-of-two-lengths"
    /// A chunk whose length is no number.
    case badChunk = "/bad-chunk"
    /// Gzip as the coding of the transfer, which is cut off.
    case codedTransfer = "/coded-transfer"
    /// A body that is not the gzip it says it is.
    case badGzip = "/bad-gzip"
    /// Half of a file as status 206, which was not asked for.
    case unaskedPart = "/unasked-part"
}
