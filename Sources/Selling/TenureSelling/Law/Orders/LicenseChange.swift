package import TenureCore

/// The position of a license in its order: the number of the line and of the license within the line, both from 0.
package struct LicenseSlot: Sendable, Hashable, Comparable {
    /// The number of the line, from 0.
    package var line: Int
    /// The number of the license within its line, from 0.
    package var number: Int

    package init(line: Int, number: Int) {
        self.line = line
        self.number = number
    }

    /// Compares by line, then by number.
    package static func < (one: LicenseSlot, other: LicenseSlot) -> Bool {
        (one.line, one.number) < (other.line, other.number)
    }
}

/// A license of an order in its current state.
package struct PresentLicense: Sendable, Hashable {
    package var id: LicenseID
    /// The license's position in the order; `nil` if the license names the order but wasn't issued by it.
    package var slot: LicenseSlot?
    package var product: ProductID
    package var policy: PolicyID
    /// The license's stored state, such as suspended.
    package var state: LifecycleState
    /// The end of the term; `nil` if it never ends.
    package var end: Timestamp?
    package var issuedAt: Timestamp
    /// Whether this order caused the newest suspension of the license.
    package var isSuspendedByOrder: Bool
    /// The holder's address; `nil` if the license has no address.
    package var email: String?
    /// Whether the license was sold for a test payment.
    package var isTest: Bool

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

/// A change that an order makes to a license.
package enum LicenseChange: Sendable, Hashable {
    /// Issues a license with a derived id and key, and mails the key to its holder.
    case issue(NewLicense)
    /// Assigns a license that names the order to a position in the order.
    case adopt(LicenseID, slot: LicenseSlot)
    /// Moves the end of the license to a later time.
    case extend(LicenseID, until: Timestamp)
    /// Sets the end of the license, which may be earlier than before.
    case setEnd(LicenseID, until: Timestamp)
    /// Suspends the license; if it's suspended already, records another suspension.
    case suspend(LicenseID, cause: StopCause)
    /// Replaces the recorded cause of the order's suspension; the license stays suspended.
    case renameCause(LicenseID, to: StopCause)
    /// Ends the order's suspension, because no cause is left.
    case lift(LicenseID)
    /// Revokes the license for good.
    case revoke(LicenseID, cause: StopCause)
    /// Changes the policy; the key stays.
    case changePolicy(LicenseID, to: PolicyID)
    /// Changes the number of devices.
    case changeDevices(LicenseID, to: Int)
    /// Changes the holder's address; one-time links and sessions of the former address end.
    case changeEmail(LicenseID, to: String)
    /// Renews a license of another order: adds the policy's duration to the later of the license's end and now. The
    /// number of added seconds is stored with the order.
    case addTime(LicenseID, slot: LicenseSlot)
    /// Takes back the seconds that ``addTime(_:slot:)`` added.
    case takeTimeBack(LicenseID, slot: LicenseSlot)

    package var issues: Bool { if case .issue = self { true } else { false } }

    /// Whether the change ends a suspension.
    package var lifts: Bool { if case .lift = self { true } else { false } }
}

package struct NewLicense: Sendable, Hashable {
    /// The license's position in the order, from which its id and key are derived.
    package var slot: LicenseSlot
    package var product: ProductID
    package var policy: PolicyID
    /// The number of devices; `nil` for the policy's own number.
    package var devices: Int?
    package var end: End
    package var email: String
    /// The holder's name; `nil` if it's unknown.
    package var name: String?
    /// Whether the license was sold for a test payment.
    package var isTest: Bool

    /// The end of a new license.
    package enum End: Sendable, Hashable {
        /// The license ends after the policy's duration, but not after `atMost`; `nil` sets no such limit.
        case policy(atMost: Timestamp?)
        case at(Timestamp)
    }
}

/// Why an order suspends or revokes a license.
package enum StopCause: Sendable, Hashable, Comparable {
    /// The payment of this bill was refunded.
    case refund(of: ProviderID)
    /// This dispute is open.
    case dispute(ProviderID)
    /// This dispute was lost, so the payment was taken back.
    case lostDispute(ProviderID)
}
