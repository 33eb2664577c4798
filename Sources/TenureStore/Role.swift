/// What must be done by one server alone, however many share a store.
///
/// The numbers name it among servers of several versions: none is ever used for something else. An open set: a store may
/// tell of roles that this version does not know.
public struct Role: RawRepresentable, Sendable, Hashable {
    /// The number; from 16 on, for those below name locks of other kinds.
    public let rawValue: Int32

    /// Names a role by its number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Writes down which licenses time has expired.
    public static let expirySweep = Role(rawValue: 16)
}
