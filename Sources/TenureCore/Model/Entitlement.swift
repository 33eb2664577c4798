/// A named capability that a policy gives.
///
/// The name is 1 to 128 bytes of printable ASCII without space, `|` and `,`: those two separate the fields of a signed
/// lease, and one name must never read as two (`spec/keylight.md` §1.6, weak point 3).
public struct Entitlement: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The name.
    public let name: String

    /// Refuses a name of another shape.
    public init?(_ name: some StringProtocol) {
        let bytes = name.utf8
        let allowed = bytes.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x7C && $0 != 0x2C }
        guard (1...128).contains(bytes.count), allowed else { return nil }
        self.name = String(name)
    }

    /// The name.
    public var description: String { name }

    /// Orders names by their bytes, the order of a signed lease.
    public static func < (one: Entitlement, other: Entitlement) -> Bool {
        one.name.utf8.lexicographicallyPrecedes(other.name.utf8)
    }
}
