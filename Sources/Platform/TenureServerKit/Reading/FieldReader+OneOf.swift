extension FieldReader {
    /// One of two body members, exactly one of which must be given.
    package struct Alternative<Value: Sendable>: Sendable {
        let name: String
        let fieldType: FieldType<Value>
        let sentence: String

        package init(_ name: String, _ fieldType: FieldType<Value>, _ sentence: String) {
            self.name = name
            self.fieldType = fieldType
            self.sentence = sentence
        }
    }

    /// The value of the member that was given.
    package enum OneOf<First: Sendable, Second: Sendable>: Sendable {
        case first(First)
        case second(Second)
    }

    /// Reads exactly one of two body members. Rejects a request with both or neither.
    ///
    /// - Parameter must: The requirement on the first member, for the error if neither is given. The text follows the
    ///   words "must be".
    package mutating func one<First, Second>(
        of first: FieldReader.Alternative<First>, or second: FieldReader.Alternative<Second>, must: String
    ) throws(Failure) -> FieldReader.OneOf<First, Second> {
        let one = try optional(first.name, first.fieldType, first.sentence)
        let other = try optional(second.name, second.fieldType, second.sentence)
        switch (one, other) {
        case (let value?, nil): return .first(value)
        case (nil, let value?): return .second(value)
        case (.some, .some):
            throw Failure(FieldFault(first.name, .other("send \(first.name) or \(second.name), not both")))
        case (nil, nil):
            guard isDeclaring else { throw Failure(FieldFault(first.name, .missing(must: must))) }
            demandOne(of: first.name, second.name)
            return .first(first.fieldType.sample())
        }
    }
}
