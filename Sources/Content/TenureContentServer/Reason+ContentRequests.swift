import TenureCore

/// The codes of rejected content requests.
///
/// The codes that all APIs share are in TenureServerKit.
extension Reason.Kind {
    /// The codes that only the content API returns.
    static let contentRequests: [Reason.Kind] = [
        Reason.Kind(
            "contents_unknown", "This tenant has no offline content.",
            cure: "Add content to the catalog, then run `tenure apply`.", since: "0.1"),
        Reason.Kind(
            "content_unknown", "There is no content with that name.",
            cure: "Use a name that GET /content/TENANT/v1/contents lists.",
            since: "0.1"),
        Reason.Kind(
            "course_unknown", "There is no course with that name.",
            cure: "Add the course to the catalog, then run `tenure apply`.",
            since: "0.1"),
        Reason.Kind(
            "content_policy_unknown", "There is no content policy with that name.",
            cure: "Add the policy to the catalog, then run `tenure apply`.", since: "0.1"),
        Reason.Kind(
            "license_server_unknown", "The tenant has no settings for that license server.",
            cure: "Add its keys under content in the catalog, then run `tenure apply`.", since: "0.2"),
        Reason.Kind(
            "request_id_reused", "The device used this requestId for another request within the last seven days.",
            cure: "Use a new requestId for each request.", since: "0.1"),
    ]
}
