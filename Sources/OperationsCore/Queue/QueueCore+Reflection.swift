// `dump`, and a failed expectation of a test, read all that an object refers to, by its mirror. They take no locks: of a queue at work they
// read what its threads change at that moment, and the process ends.
extension QueueCore: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
