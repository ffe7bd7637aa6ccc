/// Values that some photos of a catalog have, such as a filter of their own; all others have none.
///
/// There may be many photos, and few different values: it takes four bytes for each photo up to the last one that has a value. To
/// ask for a photo's value takes the same time however many there are, and to set those of some photos takes time for these alone.
public struct PhotoValues<Value: Hashable & Sendable>: Sendable {
    /// All different values that there were, in the order in which they came.
    private var values: [Value] = []
    /// The place of each in `values`.
    private var places: [Value: Int] = [:]
    /// By photo: the place of its value, from 1; 0 for none.
    private var numbers: [UInt32] = []
    /// How many photos have a value.
    public private(set) var count = 0

    /// No photo has a value.
    public init() {}

    /// Whether no photo has a value.
    public var isEmpty: Bool { count == 0 }

    /// The value of a photo; nil where it has none.
    public subscript(photo: Photo.ID) -> Value? {
        guard let number = number(at: photo.index), number > 0 else { return nil }
        return values[Int(number) - 1]
    }

    /// Gives photos a value, or takes away the one that they have.
    ///
    /// - Parameters:
    ///   - value: The value; nil for none.
    ///   - photos: The photos.
    public mutating func set(_ value: Value?, for photos: some Sequence<Photo.ID>) {
        let new = value.map { number(of: $0) } ?? 0
        for photo in photos where photo.index >= 0 {
            if photo.index >= numbers.count {
                if new == 0 { continue }
                numbers.append(contentsOf: repeatElement(0, count: photo.index + 1 - numbers.count))
            }
            count += (new > 0 ? 1 : 0) - (numbers[photo.index] > 0 ? 1 : 0)
            numbers[photo.index] = new
        }
    }

    /// The photos that have a value, in the order of the catalog.
    public var photos: [Photo.ID] {
        guard count > 0 else { return [] }
        return numbers.indices.lazy.filter { numbers[$0] > 0 }.map { Photo.ID($0) }
    }

    /// The photos whose values differ from those of others, in the order of the catalog.
    public func photos(differingFrom other: PhotoValues) -> [Photo.ID] {
        // The numbers of one are not those of the other, where their values came in another order.
        let translated = other.values.map { places[$0].map { UInt32($0 + 1) } ?? .max }
        return (0..<max(numbers.count, other.numbers.count)).compactMap { index in
            let (own, their) = (number(at: index) ?? 0, other.number(at: index) ?? 0)
            return own == (their == 0 ? 0 : translated[Int(their) - 1]) ? nil : Photo.ID(index)
        }
    }

    /// The same photos with other values.
    ///
    /// - Parameter transform: Called once for each different value.
    public func mapValues<Other>(_ transform: (Value) -> Other) -> PhotoValues<Other> {
        var other = PhotoValues<Other>()
        let new = values.map { other.number(of: transform($0)) }
        other.numbers = numbers
        // Most often each has a number of its own, and nothing is done for each photo.
        if !new.indices.allSatisfy({ new[$0] == UInt32($0 + 1) }) {
            other.numbers = numbers.map { $0 == 0 ? 0 : new[Int($0) - 1] }
        }
        other.count = count
        return other
    }

    private func number(at index: Int) -> UInt32? { numbers.indices.contains(index) ? numbers[index] : nil }

    private mutating func number(of value: Value) -> UInt32 {
        if let place = places[value] { return UInt32(place + 1) }
        places[value] = values.count
        values.append(value)
        return UInt32(values.count)
    }
}
