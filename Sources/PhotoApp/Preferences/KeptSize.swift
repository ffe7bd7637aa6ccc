/// How much may be kept of what was downloaded, in bytes.
enum KeptSize {
    /// What somebody has who has not chosen.
    static let usual = 512_000_000
    private static let choices = [
        100_000_000, 250_000_000, usual, 1_000_000_000, 2_000_000_000, 5_000_000_000, 10_000_000_000, 20_000_000_000,
    ]

    /// What can be chosen, in order, and with it what was written into the file by hand.
    static func choices(with size: Int) -> [Int] { (choices.filter { $0 != size } + [size]).sorted() }

    /// The nearest size that makes sense.
    static func bounded(_ size: Int) -> Int { min(max(size, choices[0]), choices[choices.count - 1]) }
}
