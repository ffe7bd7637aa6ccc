/// Numbers as people read them.
enum Figures {
    /// Two digits that matter below ten, whole numbers above: `0.25`, `3.1`, `42`.
    static func rate(_ value: Double) -> String {
        if value >= 10 { return "\(Int(value.rounded()))" }
        if value >= 1 { return "\((value * 10).rounded() / 10)" }
        return "\((value * 100).rounded() / 100)"
    }

    /// Minutes and seconds, with hours where there are some: `1:05`, `2:00:10`.
    static func time(_ seconds: Double) -> String {
        let whole = Int(min(seconds.rounded(.up), 359_999))
        let minutes = whole / 60 % 60
        let tail = "\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
        if whole < 3_600 { return "\(minutes):\(tail)" }
        return "\(whole / 3_600):\(minutes < 10 ? "0" : "")\(minutes):\(tail)"
    }
}
