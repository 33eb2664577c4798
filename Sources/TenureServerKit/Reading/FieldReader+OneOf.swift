import TenureHTTP

/// A member of the body that can be given in two ways.
package struct Alternative<Value: Sendable>: Sendable {
    let name: String
    let shape: Shape<Value>
    let sentence: String

    /// Names a member, what it must be, and what tools are told of it.
    package init(_ name: String, _ shape: Shape<Value>, _ sentence: String) {
        self.name = name
        self.shape = shape
        self.sentence = sentence
    }
}

/// Which of two members was given.
package enum OneOf<First: Sendable, Second: Sendable>: Sendable {
    case first(First)
    case second(Second)
}

extension FieldReader {
    /// Exactly one of two members of the body. A request that gives both is refused, and one that gives neither.
    /// - Parameter must: What is missing where neither is given, after the words "must be".
    package mutating func one<First, Second>(
        of first: Alternative<First>, or second: Alternative<Second>, must: String
    ) throws(Failure) -> OneOf<First, Second> {
        let one = try optional(first.name, first.shape, first.sentence)
        let other = try optional(second.name, second.shape, second.sentence)
        switch (one, other) {
        case (let value?, nil): return .first(value)
        case (nil, let value?): return .second(value)
        case (.some, .some):
            throw Failure(FieldFault(first.name, .other("give \(first.name) or \(second.name), not both")))
        case (nil, nil):
            guard isDeclaring else { throw Failure(FieldFault(first.name, .missing(must: must))) }
            demandOne(of: first.name, second.name)
            return .first(first.shape.sample())
        }
    }
}
