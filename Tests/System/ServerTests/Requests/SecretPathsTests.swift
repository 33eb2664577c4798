import Foundation
import GoldenFiles
import TenureHTTP
import TenureServerKit
import Testing

/// Which requests the documented nginx configuration doesn't log.
@Suite struct SecretPathsTests {
    /// Path parameters that aren't secret. Add a new parameter here unless it is a secret that must not be logged.
    private static let openParameters: Set<String> = [
        "tenant", "product", "policy", "license", "activation", "account", "item", "version", "name", "enrolment",
        "device", "holder", "publicId", "job", "kid", "notification", "digest", "mail", "message", "order",
    ]

    /// Returns the regular expression for unlogged requests in a page's nginx map.
    private static func unlogged(in page: String) throws -> Regex<AnyRegexOutput> {
        let text = try String(contentsOf: URL.packageRoot.appending(path: "Documentation/\(page)"), encoding: .utf8)
        let map = try #require(text.firstMatch(of: /map \$request_uri \$is_logged \{ "~([^"]*)" 0; default 1; \}/))
        return try Regex(String(map.output.1))
    }

    /// Returns whether a path contains a secret. A sign-in's secret is in the query.
    private static func isSecret(_ pattern: String) -> Bool {
        let parameters = pattern.matches(of: /\{([^}]*)\}/).map { String($0.output.1) }
        return pattern.hasPrefix("/oauth/") || !openParameters.isSuperset(of: parameters)
    }

    private static func patterns() async throws -> Set<String> {
        let vendor = try await Vendor()
        let requestHandler = try #require(vendor.server.handler as? RequestHandler)
        return Set(requestHandler.routes.map(\.pattern))
    }

    @Test(arguments: ["operations.md", "packages.md"])
    func `the documented nginx log filter drops each path with a secret, even with doubled slashes`(page: String)
        async throws
    {
        let unlogged = try Self.unlogged(in: page)
        let secret = try await Self.patterns().filter { Self.isSecret($0) }
        #expect(secret.contains("/content/{tenant}/kollus/drm/{token}"))
        #expect(secret.contains { $0.hasSuffix("/link/{link}") } && secret.contains { $0.hasPrefix("/oauth/") })
        for pattern in secret {
            let path = pattern.replacing(/\{[^}]*\}/, with: "some-text")
            for request in [path, "/" + path, path.replacing("/", with: "//"), path + "?state=some"] {
                #expect(request.contains(unlogged), "\(request) is logged")
            }
        }
    }

    @Test(arguments: ["operations.md", "packages.md"])
    func `the documented nginx log filter keeps each path without a secret, whatever its query`(page: String)
        async throws
    {
        let unlogged = try Self.unlogged(in: page)
        for pattern in try await Self.patterns() where !Self.isSecret(pattern) {
            let path = pattern.replacing(/\{[^}]*\}/, with: "some-text")
            for request in [path, path + "?/oauth/", path + "?/link/", path + "?/intake/", path + "?/kollus/drm/"] {
                #expect(!request.contains(unlogged), "\(request) is not logged")
            }
        }
    }
}
