import Pixels

extension FilterChain {
    /// The beginnings of the chain that are worth sharing with other chains, shortest first, and the chain itself.
    ///
    /// A chain is divided only where pixels are rounded to 8 bits anyway, so that the parts, one after the other, make the same
    /// picture: between colour functions and those that look at neighbours. What spread beyond the picture's borders is
    /// lost there, so nothing is divided between two functions that spread.
    var prefixes: [FilterChain] {
        var prefixes: [FilterChain] = []
        for index in functions.indices.dropFirst() {
            let (before, after) = (functions[index - 1], functions[index])
            let isBoundary = before.spreads || after.spreads
            let isCoupled =
                functions[..<index].contains(where: \.spreads) && functions[index...].contains(where: \.spreads)
            if isBoundary && !isCoupled { prefixes.append(FilterChain(Array(functions[..<index]))) }
        }
        return prefixes + [self]
    }

    /// What is left to do after a beginning of the chain was done.
    func rest(after prefix: FilterChain) -> FilterChain {
        FilterChain(Array(functions.dropFirst(prefix.functions.count)))
    }
}

extension FilterFunction {
    /// Whether what becomes of a pixel depends on its neighbours.
    var spreads: Bool {
        switch self {
        case .blur(let deviation): deviation > 0
        case .dropShadow: true
        default: false
        }
    }
}
