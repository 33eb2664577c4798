import TenureSelling
import TenureServerKit
import TenureStore

/// Why a message from a payment provider was ignored or parked.
///
/// The reasons for ignoring a message are listed first.
package enum PaymentMessageReason: String, Sendable, CaseIterable, StorableCode {
    /// The message's type has no meaning for licenses.
    case typeUnused = "type_unused"
    /// The message is about a test payment and the source takes real ones, or the other way around.
    case wrongWorld = "wrong_world"
    /// The order already has a later fact with the same key.
    case superseded
    /// The source ignores all items of the message.
    case itemIgnored = "item_ignored"
    /// No sale with the message's payment arrived within 30 days.
    case withoutOrder = "without_order"
    /// The operator has dismissed the message.
    case dismissed

    /// A part of a payment was refunded, which changes no license.
    case partlyRefunded = "partly_refunded"
    /// Another message of the same second contradicts this one.
    case contradiction
    /// The catalog no longer has the message's source.
    case sourceRemoved = "source_removed"
    /// The source has no rule for one of the message's items, or an item's policy was removed.
    case itemUnmapped = "item_unmapped"
    /// The message lacks facts that neither another message nor the provider's API has provided.
    case factsMissing = "facts_missing"
    /// The message is about an order whose sale Tenure doesn't know, such as a subscription that began earlier.
    case orderUnknown = "order_unknown"
    /// The message is signed but can't be parsed.
    case bodyUnreadable = "body_unreadable"
    /// The provider's API doesn't report the transaction as paid.
    case paymentUnknown = "payment_unknown"
    /// The provider's API couldn't be reached, or rejected the request.
    case providerFailed = "provider_failed"
    /// The message's amounts contradict those of the order, for example in another currency.
    case amountsDiffer = "amounts_differ"
    /// The test source has reached its limit of live licenses.
    case testLimit = "test_limit"
    /// The message's order would have more than 1,000 licenses.
    case orderTooLarge = "order_too_large"
    /// The tenant has no key root, from which license keys are derived.
    case keyNotDerivable = "key_not_derivable"

    /// Whether to act on the message again when the catalog has changed.
    package var waitsForCatalog: Bool {
        switch self {
        case .sourceRemoved, .itemUnmapped, .factsMissing, .paymentUnknown, .providerFailed, .orderTooLarge,
            .keyNotDerivable:
            true
        case .typeUnused, .wrongWorld, .superseded, .itemIgnored, .withoutOrder, .dismissed, .partlyRefunded,
            .contradiction, .orderUnknown, .bodyUnreadable, .amountsDiffer, .testLimit:
            false
        }
    }

    /// Whether the message can't be acted on while the catalog lacks its source.
    package var needsSource: Bool { waitsForCatalog || self == .orderUnknown || self == .testLimit }

    /// Whether the reason may be temporary, so that the message is retried after growing pauses.
    package var passes: Bool {
        [.providerFailed, .paymentUnknown, .factsMissing, .keyNotDerivable].contains(self)
    }

    /// A remedy for the operator of a parked message; `nil` if no action can help.
    package var remedy: String? {
        switch self {
        case .typeUnused, .wrongWorld, .superseded, .itemIgnored, .withoutOrder, .dismissed: nil
        case .itemUnmapped:
            "Add the item to the source in the catalog, and run `tenure apply`, which acts on the message again."
        case .partlyRefunded:
            "Decide whether its licenses stay. Suspend one with `tenure license suspend`; then run `tenure intake retry`, "
                + "which ends the message."
        case .contradiction:
            "Compare the order with the provider's page of it, and change its licenses by hand if needed; then run "
                + "`tenure intake retry`, which ends the message."
        case .sourceRemoved:
            "Add the source to the catalog again, and run `tenure apply`, which acts on the message again."
        case .orderTooLarge:
            "Issue the licenses by hand with `tenure license issue`, then end the message with `tenure intake dismiss`."
        case .factsMissing:
            "Add the provider's API key to the source (`apiKeyFile`), and run `tenure apply`, which acts on the message "
                + "again. The missing message also ends it, if it still comes."
        case .orderUnknown:
            "If the buyer has a license, run `tenure order join REFERENCE LICENSE`, which extends it. If not, run `tenure "
                + "intake retry --issue`, which issues one."
        case .bodyUnreadable:
            "Check the API version of the provider's endpoint, and send the message again from the provider's dashboard. Then "
                + "end this one with `tenure intake dismiss`."
        case .paymentUnknown:
            "Compare the transaction with the provider's dashboard. If it's paid there, check that the source's API key is of "
                + "the same account; the server asks again after growing pauses, and `tenure intake retry` at once. Otherwise "
                + "the message is forged: change the source's secret."
        case .providerFailed:
            "Check the source's API key and the provider's status. The server asks again after growing pauses, and `tenure "
                + "intake retry` at once."
        case .amountsDiffer:
            "Look at the payment at the provider, and change the license by hand if needed. Then end the message with "
                + "`tenure intake dismiss`."
        case .testLimit: "Revoke licenses of test orders that aren't needed, then run `tenure intake retry`."
        case .keyNotDerivable:
            "Run `tenure doctor`: it says how the tenant gets a key root. The message is acted on again within a few days, "
                + "and after `tenure intake retry` at once."
        }
    }
}

extension PaymentMessageReason {
    init(_ reason: IgnoredReason) {
        switch reason {
        case .typeUnused: self = .typeUnused
        case .wrongWorld: self = .wrongWorld
        case .superseded: self = .superseded
        case .itemIgnored: self = .itemIgnored
        }
    }

    init(_ reason: ParkedReason) {
        switch reason {
        case .itemUnmapped: self = .itemUnmapped
        case .factsMissing: self = .factsMissing
        case .orderUnknown: self = .orderUnknown
        case .bodyUnreadable: self = .bodyUnreadable
        case .providerFailed: self = .providerFailed
        case .amountsDiffer: self = .amountsDiffer
        case .testLimit: self = .testLimit
        case .keyNotDerivable: self = .keyNotDerivable
        case .orderTooLarge: self = .orderTooLarge
        }
    }

    init(_ attention: OrderAttention) {
        switch attention {
        case .partlyRefunded: self = .partlyRefunded
        case .contradiction: self = .contradiction
        case .amountsDiffer: self = .amountsDiffer
        }
    }
}
