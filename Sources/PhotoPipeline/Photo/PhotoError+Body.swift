extension PhotoError {
    /// Whether the photo failed by the bytes that came: the same bytes fail again, and other ones may not.
    ///
    /// A photo that was refused by a limit is none of these: its bytes are good.
    package var isAboutBody: Bool {
        [.empty, .notAnImage, .damagedImage, .unsupportedFormat].contains(reason)
    }
}
