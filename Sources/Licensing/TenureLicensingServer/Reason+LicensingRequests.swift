import TenureCore

/// Why a licensing request is rejected before the license's rules are checked.
///
/// The server kit declares the reasons that all dialects share.
extension Reason.Kind {
    static let licensingRequests: [Reason.Kind] = [
        Reason.Kind(
            "product_unknown", "This tenant has no product with that name.", cure: "Use one of the tenant's products.",
            since: "0.1"),
        Reason.Kind(
            "sdk_key_required", "This product requires an SDK key.",
            cure: "Send the product's SDK key in the header that the response names.",
            since: "0.1"),
        Reason.Kind(
            "sdk_key_invalid", "The SDK key doesn't belong to this product.",
            cure: "Send the SDK key from the product's entry in the catalog.",
            since: "0.1"),
        Reason.Kind(
            "lease_not_valid", "The lease has expired, or it was issued for another device or license.",
            cure: "Renew the lease, then send the new one.", since: "0.1"),
        Reason.Kind(
            "policy_unknown", "The product has no policy with that name.", cure: "Use one of the product's policies.",
            since: "0.1"),
        Reason.Kind(
            "holder_email_missing", "The license has no e-mail address for a letter.",
            cure: "Send `holderEmail`, or a `holder` that is an address.", since: "0.1"),
        Reason.Kind(
            "key_not_kept",
            "The server can't compute the license's key, so it can't be sent or shown, or the product's keys aren't shown.",
            cure: "Replace the key with `tenure license rekey LICENSE --keep-devices --mail`.", since: "0.1"),
    ]
}
