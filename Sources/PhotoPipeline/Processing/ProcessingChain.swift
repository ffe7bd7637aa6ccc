public import Pixels

/// What is done to a picture, step by step: functions of CSS and processors of one's own, in any order.
///
/// Functions of steps that stand next to each other are one filter, as they would be in one step. A step without functions is
/// none.
public struct ProcessingChain: Hashable, Sendable {
    /// A processor, and the functions between it and the next.
    private struct Link: Hashable, Sendable {
        let processor: KeyedProcessor
        var filter = FilterChain.none
    }

    /// The functions before the first processor.
    private var head: FilterChain
    private var tail: [Link] = []

    /// Steps in their order.
    public init(_ steps: [ProcessingStep]) {
        head = .none
        for step in steps {
            switch step {
            case .filter(let filter): append(filter)
            case .processor(let processor): tail.append(Link(processor: KeyedProcessor(processor)))
            }
        }
    }

    /// Functions of CSS alone.
    public init(_ filter: FilterChain) {
        head = filter
    }

    /// Nothing.
    public static let none = ProcessingChain(FilterChain.none)

    /// The steps, as few as there can be.
    public var steps: [ProcessingStep] {
        var steps: [ProcessingStep] = head.functions.isEmpty ? [] : [.filter(head)]
        for link in tail {
            steps.append(.processor(link.processor.processor))
            if !link.filter.functions.isEmpty { steps.append(.filter(link.filter)) }
        }
        return steps
    }

    /// All of it as functions of CSS; nil if a processor is among the steps.
    public var filter: FilterChain? { tail.isEmpty ? head : nil }

    /// Whether there is nothing to do.
    public var isEmpty: Bool { tail.isEmpty && head.functions.isEmpty }

    private mutating func append(_ filter: FilterChain) {
        if tail.isEmpty {
            head = head + filter
        } else {
            tail[tail.count - 1].filter = tail[tail.count - 1].filter + filter
        }
    }

    // MARK: Beginnings

    /// A beginning of a chain, and the step that leads to it from the beginning before.
    struct Beginning {
        let chain: ProcessingChain
        let step: ProcessingStep
    }

    /// The beginnings of the chain that are worth sharing with other chains, shortest first, and the chain itself.
    ///
    /// A processor takes and makes whole pictures, so that there is one before and behind each; see ``/Pixels/FilterChain`` for
    /// where functions are divided.
    var beginnings: [Beginning] {
        var beginnings: [Beginning] = []
        var done = ProcessingChain.none
        func add(_ filter: FilterChain) {
            let base = done
            var before = FilterChain.none
            for prefix in filter.prefixes {
                done = base
                done.append(prefix)
                beginnings.append(Beginning(chain: done, step: .filter(prefix.rest(after: before))))
                before = prefix
            }
        }
        if !head.functions.isEmpty || tail.isEmpty { add(head) }
        for link in tail {
            done.tail.append(Link(processor: link.processor))
            beginnings.append(Beginning(chain: done, step: .processor(link.processor.processor)))
            if !link.filter.functions.isEmpty { add(link.filter) }
        }
        return beginnings
    }
}

extension ProcessingChain: ExpressibleByArrayLiteral {
    /// Steps in their order.
    public init(arrayLiteral elements: ProcessingStep...) {
        self.init(elements)
    }
}

extension ProcessingChain: CustomStringConvertible {
    /// The steps in their order, `none` if there are none.
    public var description: String {
        isEmpty ? "none" : steps.map(\.description).joined(separator: " ")
    }
}

extension FilterChain {
    fileprivate static func + (left: FilterChain, right: FilterChain) -> FilterChain {
        if left.functions.isEmpty { return right }
        return right.functions.isEmpty ? left : FilterChain(left.functions + right.functions)
    }
}
