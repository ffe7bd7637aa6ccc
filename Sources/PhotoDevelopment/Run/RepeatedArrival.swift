/// What is remembered of a row that brought the photo of another one, in place of all that was made for it.
struct RepeatedArrival: Sendable {
    /// The row that brought the photo before.
    let leader: Int
    /// The address that answered; nil where none did.
    let address: String?
    /// What was received, and since when.
    let received: EarlierAttempts
}
