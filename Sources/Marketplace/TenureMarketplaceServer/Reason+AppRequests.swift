import TenureCore

/// The reasons for rejecting a request about apps before any licensing rule is applied.
///
/// `TenureServerKit` has the reasons that all dialects share.
extension Reason.Kind {
    /// The reasons of the marketplace feature, with a remedy for each.
    static let appRequests: [Reason.Kind] = [
        Reason.Kind(
            "marketplace_unknown", "No marketplace is served under this domain.",
            cure: "Use the marketplace's domain from the catalog.", since: "0.1"),
        Reason.Kind(
            "marketplace_not_ready", "The marketplace doesn't have its signing assets yet.",
            cure: "Run `tenure apply` again, or import the assets with `tenure marketplace import`.", since: "0.1"),
        Reason.Kind(
            "certificate_unknown", "There is no certificate with that name.",
            cure: "Fetch /.well-known/marketplace-kit again; it names the current certificates.", since: "0.1"),
        Reason.Kind(
            "package_file_unknown", "The package doesn't contain that file.",
            cure: "Fetch manifest.json, which lists the package's files.", since: "0.2"),
        Reason.Kind(
            "request_unreadable", "The sealed request can't be decrypted here, or it's meant for another endpoint.",
            cure: "Fetch the encryption certificate again, then send a new request.", since: "0.1"),
        Reason.Kind(
            "notification_unsigned", "The notification isn't signed with one of the marketplace's secrets.",
            cure: "Add the webhook's secret to the catalog's notifications, then run `tenure apply`.", since: "0.2"),
        Reason.Kind(
            "domain_taken", "Another tenant's marketplace already uses this domain.", cure: "Choose another domain.",
            since: "0.1"),
    ]
}
