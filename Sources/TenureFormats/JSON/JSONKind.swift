/// What a JSON value is (RFC 8259).
public enum JSONKind: String, Sendable, Hashable {
    /// `{...}`
    case object
    /// `[...]`
    case array
    /// `"..."`
    case string
    /// Any number.
    case number
    /// `true` or `false`.
    case boolean
    /// `null`
    case null
}
