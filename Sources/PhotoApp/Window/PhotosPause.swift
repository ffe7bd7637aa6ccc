/// The pause of a window's photos, which also holds up what is done with single ones of them.
struct PhotosPause {
    /// Whether somebody has paused.
    var isOn: () -> Bool
    /// Goes on.
    var end: () -> Void
}
