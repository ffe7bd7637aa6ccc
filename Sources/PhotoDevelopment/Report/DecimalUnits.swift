/// Amounts in the decimal units that disks and networks are sold in.
package enum DecimalUnits {
    /// `812 B`, `1.2 MB`, `34 GB`
    package static func bytes(_ count: Int) -> String {
        var value = Double(count)
        for unit in ["B", "kB", "MB", "GB"] {
            if value < 999.5 {
                let isShort = unit != "B" && value < 9.95
                return isShort ? "\((value * 10).rounded() / 10) \(unit)" : "\(Int(value.rounded())) \(unit)"
            }
            value /= 1_000
        }
        return "\((value * 10).rounded() / 10) TB"
    }
}
