import TenureCore
import TenureFormats
import TenureHTTP

/// Serves tenants' logos under their digests.
struct LogoRoute: Sendable {
    /// The first segment of the paths, which no tenant can have as its id.
    static let segment = "logos"

    /// The path of a logo; another logo has another path.
    static func path(of logo: Brand.Logo, _ tenant: TenantID) -> PagePath {
        PagePath([segment, tenant.text, Hex.encode(logo.digest.bytes)])
    }

    var endpoint: Endpoint {
        let digest = Fields { fields in try fields.required("digest", .formText, in: .path) }
        return Endpoint(
            "GET", "/\(Self.segment)/{tenant}/{digest}", format: .openProblem, catalog: .cached,
            authentication: Self.tenant, reads: digest
        ) { call in
            guard let logo = call.caller, call.input == Hex.encode(logo.digest.bytes) else {
                return .done(.noPage(for: call.request))
            }
            return .done(Self.response(logo))
        }
    }

    private static let tenant = Authentication<Brand.Logo?> { _, path, snapshot in
        path["tenant"].flatMap { TenantID($0) }.flatMap { snapshot.catalog.tenants[$0]?.brand?.logo }
    }

    /// A browser that opens the image as a page runs nothing in it, and gives it an origin of its own.
    private static func response(_ logo: Brand.Logo) -> Response {
        Response(
            status: 200,
            headers: [
                "Content-Type": LogoFile.mediaType(of: logo.bytes) ?? "application/octet-stream",
                "X-Content-Type-Options": "nosniff",
                "Content-Security-Policy": "default-src 'none'; sandbox",
                "Cross-Origin-Resource-Policy": "same-origin",
                "Cache-Control": "public, max-age=31536000, immutable",
            ], body: logo.bytes)
    }
}
