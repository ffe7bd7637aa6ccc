package import Wording

/// How much there is of what plans are about.
extension CountedMessage {
    package static func photos(_ count: Int) -> CountedMessage {
        CountedMessage(count, "\(count) photo", "\(count) photos")
    }
    package static func tasks(_ count: Int) -> CountedMessage {
        CountedMessage(count, "\(count) task", "\(count) tasks")
    }
    package static func shards(_ count: Int) -> CountedMessage {
        CountedMessage(count, "\(count) shard", "\(count) shards")
    }
}
