/// The paths that an app's own endpoints can't use, because the server itself serves them.
enum BuiltInPaths {
    /// First segments under which the server serves everything (design §6, "Paths"), except `marketplace`.
    private static let reserved: Set<String> = [
        "v1", "adp", "apps", "oauth", "content", "lsd", "portal", "admin", "resolve", "assets", "static", "clock",
        "health", "ready", "metrics", "openapi.json", ".well-known",
    ]

    /// A marketplace's own endpoints, after `/marketplace/{tenant}`.
    private static let marketplace: Set<String> = [
        "licenses", "restore", "updates", "certificates", "notifications", "install-token",
    ]

    private static let keylight: Set<String> = ["activate", "validate", "deactivate", "keyless", "config"]

    /// Whether a built-in route serves a path, whatever tenants and products exist.
    static func own(_ path: String) -> Bool {
        let segments = path.split(separator: "/").map(String.init)
        guard let first = segments.first else { return true }
        if reserved.contains(first) { return true }
        if first == "marketplace" {
            return segments.count == 1 || segments.count > 2 && marketplace.contains(segments[2])
        }
        if segments.count == 3, keylight.contains(segments[2]) { return true }
        return segments.count == 3 && segments[1] == ".well-known"
    }
}
