import PhotoPipeline
import Testing

@testable import PhotoDevelopment

/// How many shards of a task are open, and how it ends.
@Suite struct OpenShardsTests {
    @Test func manyShardsAndManyRowsAreNotOpenTogether() {
        #expect(OpenShards.hasRoom(for: 10, beside: Array(repeating: 10, count: 63)))
        #expect(!OpenShards.hasRoom(for: 10, beside: Array(repeating: 10, count: 64)))
        #expect(OpenShards.hasRoom(for: 10_000, beside: Array(repeating: 10_000, count: 9)))
        #expect(!OpenShards.hasRoom(for: 10_001, beside: Array(repeating: 10_000, count: 9)))
    }

    @Test func theFirstReasonIsHowATaskEnds() throws {
        var outcome = TaskOutcome()
        #expect(!outcome.isKnown)
        #expect(try outcome.end == nil)
        // Those that were given up because of it may come first.
        outcome.note(.success(.cancelled))
        outcome.note(.success(.outputFailed(PhotoError(.writeFailed, "The disk is full."))))
        outcome.note(.failure(.shardsDamaged(output: "out", shards: [1])))
        outcome.note(.success(.cancelled))
        #expect(outcome.isKnown)
        guard case .outputFailed = try outcome.end else {
            Issue.record("it ends otherwise")
            return
        }
    }
}
