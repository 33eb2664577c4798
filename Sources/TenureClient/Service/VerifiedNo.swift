/// A no that may change a state: signed, or what design §5 counts as one over Keylight.
package struct VerifiedNo: Sendable, Hashable, Codable {
    /// Why, most specific first; never empty. Codes are Tenure's.
    package let reasons: [ToldReason]
    /// The lease that came with it: an `expired` or `fallback` one.
    package let lease: Lease?
    /// The server's time, if it was signed.
    package let serverTime: Moment?

    /// A lease that came with a no.
    package struct Lease: Sendable, Hashable, Codable {
        package let facts: LeaseFacts
        package let bytes: [UInt8]

        package init(facts: LeaseFacts, bytes: [UInt8]) {
            self.facts = facts
            self.bytes = bytes
        }
    }

    package init(reasons: [ToldReason], lease: Lease? = nil, serverTime: Moment? = nil) {
        self.reasons = reasons
        self.lease = lease
        self.serverTime = serverTime
    }
}
