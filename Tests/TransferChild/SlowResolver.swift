import Glibc

/// The resolver that a test has loaded into this process.
enum SlowResolver {
    /// How many look-ups it is in the middle of.
    static var inside: Int { Int(number("look_ups_inside")()) }

    /// How many that were at most.
    static var most: Int { Int(number("look_ups_most")()) }

    /// How many that were in all.
    static var all: Int { Int(number("look_ups_all")()) }

    /// Lets it answer: all such names lead to this machine.
    static func answer() { _ = number("look_ups_answer")() }

    private static func number(_ name: String) -> @convention(c) () -> Int32 {
        guard let function = dlsym(nil, name) else {
            complain("there is no function \(name)")
            exit(2)
        }
        return unsafeBitCast(function, to: (@convention(c) () -> Int32).self)
    }
}
