import TenureCore

/// The label under which the id and the key of an order's license are derived from the tenant's root.
///
/// The same order always has the same licenses. So neither a repeated message nor a restored backup leads to a second
/// license or another key.
package struct OrderLicenseLabel: Sendable, Hashable {
    package var source: SourceID
    /// The provider's id of the order.
    package var reference: ProviderID
    /// The license's position in the order.
    package var slot: LicenseSlot
    /// The number of the key among the license's derived keys, from 1.
    package var generation: Int

    package init(source: SourceID, reference: ProviderID, slot: LicenseSlot, generation: Int) {
        self.source = source
        self.reference = reference
        self.slot = slot
        self.generation = generation
    }

    /// The label's bytes, at most 400: a purpose for HKDF.
    ///
    /// The length precedes each part, so no two labels have the same bytes.
    ///
    /// - Parameter use: The name of the derived value, such as `id` or `key`.
    package func bytes(for use: String) -> [UInt8] {
        let parts = [
            "tenure order license", use, source.text, reference.text, "\(slot.line)", "\(slot.number)", "\(generation)",
        ]
        return parts.flatMap { part in
            let bytes = Array(part.utf8)
            return [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
        }
    }
}
