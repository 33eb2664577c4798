import TenureCore

/// Why a licensing request is rejected before the license's rules are checked.
///
/// The server kit declares the reasons that all dialects share.
extension Reason.Kind {
    /// The reasons of licensing requests.
    static let licensingRequests: [Reason.Kind] = [
        Reason.Kind(
            "product_unknown", "This tenant has no such product.", cure: "Name one of the tenant's products.",
            since: "0.1"),
        Reason.Kind(
            "sdk_key_required", "This product asks for an SDK key.", cure: "Send the product's in its field.",
            since: "0.1"),
        Reason.Kind(
            "sdk_key_invalid", "The SDK key is not this product's.", cure: "Send the one of the catalog.",
            since: "0.1"),
        Reason.Kind(
            "lease_not_valid", "The lease is not this device's lease of this license, or has lapsed.",
            cure: "Renew the lease, then send the new one.", since: "0.1"),
        Reason.Kind(
            "policy_unknown", "The product has no such policy.", cure: "Name one of the product's policies.",
            since: "0.1"),
    ]
}
