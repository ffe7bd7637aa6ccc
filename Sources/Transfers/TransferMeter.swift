import Operations

package import struct FoundationEssentials.Data

/// Knows how far a download is, for whoever looks from time to time.
public final class TransferMeter: Sendable {
    private struct State {
        var received = 0
        var expected: Int?
    }

    private let state = Lock(State())

    /// Nothing has come yet.
    public init() {}

    /// How much of the body has come, from 0 to 1; nil before it begins, and where the server does not say how long it is going to be,
    /// as with a compressed body.
    public var fraction: Double? {
        let (received, expected) = state.withLock { ($0.received, $0.expected) }
        guard let expected, expected > 0 else { return nil }
        return min(1, Double(received) / Double(expected))
    }
}

extension TransferMeter: BodyObserver {
    package func bodyBegan(with bytes: Data, expected: Int?) {
        state.withLock { $0 = State(received: bytes.count, expected: expected) }
    }

    package func bodyContinued(_ piece: UnsafeRawBufferPointer, at offset: Int, expected: Int?) {
        state.withLock { $0 = State(received: offset + piece.count, expected: expected) }
    }
}
