internal import CDecodeHelper
internal import Pixels

/// How options go through the socket.
extension DecodeOptions {
    var message: chelper_options {
        var message = chelper_options()
        message.tolerates_damage = toleratesDamage ? 1 : 0
        guard let resize else { return message }
        message.width = Int64(resize.box.width)
        message.height = Int64(resize.box.height)
        message.mode = UInt32(Resize.Mode.allCases.firstIndex(of: resize.mode) ?? 0)
        message.gravity = UInt32(Resize.Gravity.allCases.firstIndex(of: resize.gravity) ?? 0)
        message.enlarges = resize.enlarges ? 1 : 0
        return message
    }

    /// The options that a message stands for.
    init(_ message: chelper_options) {
        self.init(toleratesDamage: message.tolerates_damage != 0)
        guard message.width > 0, Resize.Mode.allCases.indices.contains(Int(message.mode)),
            Resize.Gravity.allCases.indices.contains(Int(message.gravity))
        else { return }
        resize = Resize(
            Resize.Mode.allCases[Int(message.mode)], width: Int(message.width), height: Int(message.height),
            gravity: Resize.Gravity.allCases[Int(message.gravity)], enlarges: message.enlarges != 0)
    }

    /// Whether a picture of this size can be what was decoded; one that is to be cut by attention covers its box.
    func canGive(_ size: PixelSize) -> Bool {
        guard let resize, resize.mode != .fill, resize.gravity == .centre else { return true }
        return size.width <= resize.box.width && size.height <= resize.box.height
    }
}
