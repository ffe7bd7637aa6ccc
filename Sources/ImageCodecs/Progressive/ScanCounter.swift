/// Counts the scans of a JPEG that have arrived completely, without decoding: each marker of a further scan, and that of
/// the end, ends one. In a scan's data 0xFF is always followed by zero or a restart marker.
struct ScanCounter {
    private(set) var wholeScans = 0
    private var isAfterFF = false
    private var hasEnded = false

    mutating func count(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes where !hasEnded {
            if isAfterFF, byte == 0xDA || byte == 0xD9 {
                wholeScans += 1
                hasEnded = byte == 0xD9
            }
            isAfterFF = byte == 0xFF
        }
    }
}
