package import TenureCore

/// The place of a license in its order: the number of the line and of the license within the line, both from 0.
package struct LicenseSlot: Sendable, Hashable, Comparable {
    /// The number of the line, from 0.
    package var line: Int
    /// The number of the license within its line, from 0.
    package var number: Int

    /// Creates a slot.
    package init(line: Int, number: Int) {
        self.line = line
        self.number = number
    }

    /// Compares by line, then by number.
    package static func < (one: LicenseSlot, other: LicenseSlot) -> Bool {
        (one.line, one.number) < (other.line, other.number)
    }
}

/// A license of an order as it is now.
package struct PresentLicense: Sendable, Hashable {
    /// The license's id.
    package var id: LicenseID
    /// Its place in the order; `nil` if it names the order but wasn't issued by it.
    package var slot: LicenseSlot?
    /// The product.
    package var product: ProductID
    /// The policy.
    package var policy: PolicyID
    /// The state as recorded.
    package var state: LifecycleState
    /// The end of the term; `nil` if it never ends.
    package var end: Timestamp?
    /// When the license was issued.
    package var issuedAt: Timestamp
    /// Whether the newest suspension of the license is this order's.
    package var isSuspendedByOrder: Bool
    /// The holder's address; `nil` if it has none.
    package var email: String?
    /// Whether the license was sold for a test payment.
    package var isTest: Bool

    /// Creates a present value.
    package init(
        id: LicenseID, slot: LicenseSlot?, product: ProductID, policy: PolicyID, state: LifecycleState,
        end: Timestamp?, issuedAt: Timestamp, isSuspendedByOrder: Bool = false, email: String?, isTest: Bool = false
    ) {
        self.id = id
        self.slot = slot
        self.product = product
        self.policy = policy
        self.state = state
        self.end = end
        self.issuedAt = issuedAt
        self.isSuspendedByOrder = isSuspendedByOrder
        self.email = email
        self.isTest = isTest
    }
}

/// What an order does to a license.
package enum LicenseChange: Sendable, Hashable {
    /// Issues a license with a derived id and key, and mails the key to its holder.
    case issue(NewLicense)
    /// Makes a license that names the order already one of its own.
    case adopt(LicenseID, slot: LicenseSlot)
    /// Moves the end later.
    case extend(LicenseID, until: Timestamp)
    /// Sets the end, earlier too.
    case setEnd(LicenseID, until: Timestamp)
    /// Suspends the license, or records the suspension of a suspended license again.
    case suspend(LicenseID, cause: StopCause)
    /// Records that the cause of the order's suspension has become this one; the license stays suspended.
    case renameCause(LicenseID, to: StopCause)
    /// Ends the order's suspension, whose last cause is gone.
    case lift(LicenseID)
    /// Revokes the license for good.
    case revoke(LicenseID, cause: StopCause)
    /// Changes the policy; the key stays.
    case changePolicy(LicenseID, to: PolicyID)
    /// Changes the number of devices.
    case changeDevices(LicenseID, to: Int)
    /// Changes the holder's address; links and sessions of the former address end.
    case changeEmail(LicenseID, to: String)
    /// Renews a license of another order: adds its policy's duration to the later of its end and now. The order remembers
    /// the seconds that it added at the slot.
    case addTime(LicenseID, slot: LicenseSlot)
    /// Takes back the seconds that the order added at the slot.
    case takeTimeBack(LicenseID, slot: LicenseSlot)

    /// Whether the change issues a license.
    package var issues: Bool { if case .issue = self { true } else { false } }

    /// Whether the change ends a suspension.
    package var lifts: Bool { if case .lift = self { true } else { false } }
}

/// A license to issue.
package struct NewLicense: Sendable, Hashable {
    /// Its place in the order, from which its id and key are derived.
    package var slot: LicenseSlot
    /// The product.
    package var product: ProductID
    /// The policy.
    package var policy: PolicyID
    /// The number of devices; `nil` for the policy's own number.
    package var devices: Int?
    /// When the license ends.
    package var end: End
    /// The holder's address.
    package var email: String
    /// The holder's name; `nil` if it's unknown.
    package var name: String?
    /// Whether the license was sold for a test payment.
    package var isTest: Bool

    /// When a new license ends.
    package enum End: Sendable, Hashable {
        /// After the policy's duration, but at this time at the latest if there is one.
        case policy(atMost: Timestamp?)
        /// At this time.
        case at(Timestamp)
    }
}

/// Why an order stops a license.
package enum StopCause: Sendable, Hashable, Comparable {
    /// The payment of this bill was refunded.
    case refund(of: ProviderID)
    /// This dispute is open.
    case dispute(ProviderID)
    /// This dispute was lost, so the payment was taken back.
    case lostDispute(ProviderID)
}
