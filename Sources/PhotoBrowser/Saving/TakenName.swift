/// What becomes of a photo when another file has the name of its file by the time at which it is written.
public enum TakenName: Sendable {
    /// The photo takes the place of the other file.
    case replace
    /// The other file stays, and the photo is not written.
    case refuse
    /// The other file stays, and the photo gets the first free name with a number, as `name (2).jpg`.
    case number
}
