/// What an object holds under a name.
public enum JSONMember<Value> {
    /// There is no member of that name.
    case absent
    /// It is `null`.
    case null
    /// It is something else than was asked for, and what.
    case wrongType(JSONKind)
    /// It is what was asked for.
    case value(Value)

    /// The value, or nil when there is none of the right type.
    public var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }
}

extension JSONMember: Sendable where Value: Sendable {}
extension JSONMember: Equatable where Value: Equatable {}
