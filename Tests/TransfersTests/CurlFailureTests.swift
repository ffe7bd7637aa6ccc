import CCurl
import Testing

@testable import Transfers

/// What libcurl's results mean where only its sentence, or how far the answer was, tells them apart.
@Suite struct CurlFailureTests {
    private func error(
        _ code: CURLcode, _ text: String, headEnded: Bool = false, answered: Bool = false
    ) -> TransferError {
        CurlFailure(code: code, text: text, headEnded: headEnded, answered: answered).error(limits: TransferLimits())
    }

    /// As a connection of HTTP/1 that is closed without an answer is.
    @Test(arguments: [
        (CURLE_HTTP2_STREAM, "HTTP/2 stream 7 was not closed cleanly: INTERNAL_ERROR (err 2)"),
        (CURLE_HTTP2_STREAM, "HTTP/2 stream 7 was not closed cleanly: CANCEL (err 8)"),
    ])
    func aStreamThatIsResetIsTriedAgain(code: CURLcode, text: String) {
        #expect(error(code, text) == .unreachable(text))
        #expect(error(code, text).isTransient)
        #expect(error(code, text, headEnded: true, answered: true) == .truncated)
    }

    /// Its host goes on, and does not rest.
    @Test func aConnectionThatEndsIsTriedAgain() {
        for headEnded in [false, true] {
            let error = error(CURLE_HTTP2, "Error in the HTTP2 framing layer", headEnded: headEnded)
            #expect(error == .truncated)
            #expect(error.isTransient)
            #expect(HostHealth.Sign(TransferOutcome(result: .failure(error))) == .none)
        }
    }

    @Test func whatIsNoHTTPIsNot() {
        let text = "HTTP/2 stream 1 was not closed cleanly: PROTOCOL_ERROR (err 1)"
        #expect(error(CURLE_HTTP2_STREAM, text) == .protocolViolation(text))
        #expect(error(CURLE_RECV_ERROR, "Recv failure: Connection reset by peer", answered: true).isTransient == false)
    }
}
