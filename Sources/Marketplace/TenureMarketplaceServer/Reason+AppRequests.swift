import TenureCore

/// The reasons for rejecting a request about apps before any licensing rule is applied.
///
/// `TenureServerKit` has the reasons that all dialects share.
extension Reason.Kind {
    /// The reasons of the marketplace feature, with a remedy for each.
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
            "package_file_unknown", "The package has no such file.",
            cure: "Ask for manifest.json; it names the files that there are.", since: "0.2"),
        Reason.Kind(
            "request_unreadable", "The sealed request does not open here, or is meant for another endpoint.",
            cure: "Fetch the encryption certificate again and send a new request.", since: "0.1"),
        Reason.Kind(
            "notification_unsigned", "The notification is not signed with a secret of the marketplace.",
            cure: "Put the webhook's secret into the catalog's notifications and apply it.", since: "0.2"),
        Reason.Kind(
            "domain_taken", "Another tenant's marketplace has the domain.", cure: "Choose another domain.",
            since: "0.1"),
    ]
}
