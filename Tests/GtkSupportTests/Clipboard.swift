import CGtk
import Foundation
import GtkSupport
import Pixels
import XCTest

/// The clipboard, as another program has it.
@MainActor enum Clipboard {
    private final class Answer {
        var isThere = false
        var read: (UnsafePointer<GValue>) -> Void = { _ in }
    }

    static func read<Content>(_ type: GType, _ body: @escaping (UnsafePointer<GValue>) -> Content) throws -> Content {
        let clipboard = gdk_display_get_clipboard(gdk_display_get_default())
        let answer = Answer()
        var content: Content?
        answer.read = { content = body($0) }
        gdk_clipboard_read_value_async(
            clipboard, type, 0, nil,
            { clipboard, result, data in
                guard let data else { return }
                let answer = Unmanaged<Answer>.fromOpaque(data).takeRetainedValue()
                let clipboard = clipboard.map { OpaquePointer($0) }
                if let value = gdk_clipboard_read_value_finish(clipboard, result, nil) { answer.read(value) }
                answer.isThere = true
            }, Unmanaged.passRetained(answer).toOpaque())
        GtkTestCase.wait("answer of the clipboard") { answer.isThere }
        return try XCTUnwrap(content)
    }

    /// How large the picture is that programs for pictures would take.
    static func pictureSize() throws -> PixelSize {
        try read(gdk_texture_get_type()) { value in
            let texture = g_value_get_object(value).map { OpaquePointer($0) }
            return PixelSize(width: Int(gdk_texture_get_width(texture)), height: Int(gdk_texture_get_height(texture)))
        }
    }
}
