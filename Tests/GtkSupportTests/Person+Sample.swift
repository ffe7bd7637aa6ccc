import Foundation

extension Person {
    /// Somebody who has opened the sample, and sees its first photo.
    static func atTheSample() throws -> Person {
        let sample = Translations.root.appending(path: "data/sample.csv")
        let person = Person(
            reader: try Reader(program: "classicphotos-app"), app: try AppRun([sample.path], isReadable: true))
        try person.waitForRow("Morning Mist, Done")
        try person.focus()
        return person
    }
}
