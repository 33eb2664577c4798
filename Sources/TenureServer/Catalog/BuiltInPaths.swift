/// The paths that a catalog cannot take for an app's own endpoints, because the server answers there itself.
enum BuiltInPaths {
    /// First segments under which everything is the server's (design §6, "Paths"), `marketplace` aside.
    private static let reserved: Set<String> = [
        "v1", "adp", "apps", "oauth", "content", "lsd", "portal", "admin", "resolve", "assets", "static", "clock",
        "health", "ready", "metrics", "openapi.json", ".well-known",
    ]

    /// What a marketplace's own endpoints are called, after `/marketplace/{tenant}`.
    private static let marketplace: Set<String> = [
        "licenses", "restore", "updates", "certificates", "notifications", "install-token",
    ]

    private static let keylight: Set<String> = ["activate", "validate", "deactivate", "keyless", "config"]

    /// Whether a built-in route answers at a path, whatever tenants and products there are.
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
