import TenureCore

/// Why a request of one family does not get as far as the law; those of every dialect are the server kit's.
extension Reason.Kind {
    /// Those of licenses.
    static let licensingRequests: [Reason.Kind] = [
        Reason.Kind(
            "product_unknown", "This tenant has no such product.", cure: "Check the second name in the path.",
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

    /// Those of apps.
    static let appRequests: [Reason.Kind] = [
        Reason.Kind(
            "marketplace_unknown", "There is no marketplace here.",
            cure: "Ask under the domain that the catalog names.", since: "0.1"),
        Reason.Kind(
            "marketplace_not_ready", "The marketplace has no signing assets yet.",
            cure: "Apply its catalog again, or import the assets.", since: "0.1"),
        Reason.Kind(
            "certificate_unknown", "There is no certificate of that name.",
            cure: "Fetch /.well-known/marketplace-kit again.", since: "0.1"),
        Reason.Kind(
            "request_unreadable", "The sealed request does not open here, or is meant for another endpoint.",
            cure: "Fetch the encryption certificate again and send a new request.", since: "0.1"),
        Reason.Kind(
            "token_missing", "The request needs the token of an account.",
            cure: "Send it as Authorization: Bearer TOKEN.", since: "0.1"),
        Reason.Kind(
            "domain_taken", "Another tenant's marketplace has the domain.", cure: "Choose another domain.",
            since: "0.1"),
    ]
}
