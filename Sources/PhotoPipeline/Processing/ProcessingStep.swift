public import Pixels

/// One step of what is done to a picture, see ``ProcessingChain``.
public enum ProcessingStep: Sendable {
    /// Functions of CSS.
    case filter(FilterChain)
    /// A processor of one's own.
    case processor(any ImageProcessing)
}

extension ProcessingStep: Hashable {
    /// Whether both are the same functions, or processors of one type with equal keys.
    public static func == (left: ProcessingStep, right: ProcessingStep) -> Bool {
        switch (left, right) {
        case (.filter(let left), .filter(let right)): left == right
        case (.processor(let left), .processor(let right)): KeyedProcessor(left) == KeyedProcessor(right)
        default: false
        }
    }

    /// Goes by what is compared.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .filter(let filter): hasher.combine(filter)
        case .processor(let processor): hasher.combine(KeyedProcessor(processor))
        }
    }
}

extension ProcessingStep: CustomStringConvertible {
    /// The functions as CSS text, or the processor's type with its key.
    public var description: String {
        switch self {
        case .filter(let filter): filter.description
        case .processor(let processor): KeyedProcessor(processor).description
        }
    }
}

/// A processor, and what it is told from others by. The key is read once, so that it cannot change in a table.
struct KeyedProcessor: Hashable, Sendable, CustomStringConvertible {
    let processor: any ImageProcessing
    private let type: ObjectIdentifier
    let key: String

    init(_ processor: any ImageProcessing) {
        self.processor = processor
        type = ObjectIdentifier(Swift.type(of: processor))
        key = processor.cacheKey
    }

    /// The type's name that no other type has, in no run of the program; nil where there is none.
    var typeName: String? { _mangledTypeName(Swift.type(of: processor)) }

    static func == (left: KeyedProcessor, right: KeyedProcessor) -> Bool {
        left.type == right.type && left.key == right.key
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(key)
    }

    var description: String { "\(Swift.type(of: processor))(\(key))" }
}
