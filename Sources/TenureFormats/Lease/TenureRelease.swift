/// An activation's place is free again: `typ` `tenure-release+jwt`.
public struct TenureRelease: TenureStatement {
    /// The header's `typ`.
    public static let type = "tenure-release+jwt"

    /// Key hash, device and activation are those of the request.
    public let envelope: StatementEnvelope

    /// Says that the place is free.
    public init(_ envelope: StatementEnvelope) { self.envelope = envelope }

    /// Reads what stands beside the envelope: nothing.
    public init(_ envelope: StatementEnvelope, _ members: FlatObject) throws(FormatError) {
        self.init(envelope)
    }

    /// Writes what stands beside the envelope: nothing.
    public func write(into object: inout JSONObjectWriter) {}
}
