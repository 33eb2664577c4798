package import TenureFormats

/// What came back from a license server, before its dialect is looked at.
package enum Reply: Sendable {
    /// A JSON object, with a status that may mean something: 200...299, or 400...499 but for 408 and 429.
    case said(status: Int, FlatObject)
    /// Nothing that may change a state.
    case nothing(Unreached)
}
