internal import CDecodeHelper
internal import Pixels

/// How a resize goes through the socket.
extension Resize {
    var wanted: chelper_resize {
        chelper_resize(
            width: Int64(box.width), height: Int64(box.height),
            mode: UInt32(Mode.allCases.firstIndex(of: mode) ?? 0),
            gravity: UInt32(Gravity.allCases.firstIndex(of: gravity) ?? 0), enlarges: enlarges ? 1 : 0, unused: 0)
    }

    /// The resize that a message stands for, nil for the full size.
    init?(_ message: chelper_resize) {
        guard message.width > 0, Mode.allCases.indices.contains(Int(message.mode)),
            Gravity.allCases.indices.contains(Int(message.gravity))
        else { return nil }
        self.init(
            Mode.allCases[Int(message.mode)], width: Int(message.width), height: Int(message.height),
            gravity: Gravity.allCases[Int(message.gravity)], enlarges: message.enlarges != 0)
    }

    /// Whether a picture of this size can be what was decoded; one that is to be cut by attention covers its box.
    func canGive(_ size: PixelSize) -> Bool {
        mode == .fill || gravity == .attention || (size.width <= box.width && size.height <= box.height)
    }
}
