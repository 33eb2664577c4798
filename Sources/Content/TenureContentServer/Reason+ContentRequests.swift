import TenureCore

/// The codes of rejected content requests.
///
/// Codes common to all APIs are in TenureServerKit.
extension Reason.Kind {
    /// The codes specific to content.
    static let contentRequests: [Reason.Kind] = [
        Reason.Kind(
            "contents_unknown", "There are no contents here to be kept offline.",
            cure: "Name them in the catalog, and apply it.", since: "0.1"),
        Reason.Kind(
            "content_unknown", "There is no content of that name.", cure: "Ask GET contents which there are.",
            since: "0.1"),
        Reason.Kind(
            "course_unknown", "There is no course of that name.", cure: "Name it in the catalog, and apply it.",
            since: "0.1"),
        Reason.Kind(
            "content_policy_unknown", "There is no policy of that name for contents.",
            cure: "Name it in the catalog, and apply it.", since: "0.1"),
        Reason.Kind(
            "license_server_unknown", "The tenant has nothing with that license server.",
            cure: "Name its keys under content in the catalog, and apply it.", since: "0.2"),
        Reason.Kind(
            "request_id_reused", "The device named another request so within seven days.",
            cure: "Choose a new requestId.", since: "0.1"),
    ]
}
