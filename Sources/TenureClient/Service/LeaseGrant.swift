/// A yes to ``LicenseService/activate(key:name:freeTier:)`` or ``LicenseService/renew(_:notBefore:)``.
package struct LeaseGrant: Sendable, Hashable {
    /// What the lease says.
    package let facts: LeaseFacts
    /// The bytes that prove it, to keep.
    package let bytes: [UInt8]
    /// What the vendor allows people without a license, if that was told too.
    package let terms: ProductTerms?
    /// The server's time, signed: over Keylight, when the lease was signed.
    package let serverTime: Moment

    package init(facts: LeaseFacts, bytes: [UInt8], terms: ProductTerms? = nil, serverTime: Moment) {
        self.facts = facts
        self.bytes = bytes
        self.terms = terms
        self.serverTime = serverTime
    }
}
