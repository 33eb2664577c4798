import TenureCore
import TenureFormats
import TenureHTTP

/// Serves tenants' logos at paths that contain the logos' digests.
struct LogoRoute: Sendable {
    /// The first segment of the paths. No tenant can have it as its id.
    static let segment = "logos"

    /// The path of a logo. A changed logo gets another path.
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

    /// Responds with a logo. If a browser opens the image as a page, the page can run no code and has an opaque
    /// origin.
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

/// Checks the file of a logo, which must be a raster image. Its first bytes determine the type.
///
/// SVG isn't accepted, because an SVG image can contain code and refer to other sites in more ways than a check could
/// cover.
package enum LogoFile {
    /// The maximum size of a file in bytes.
    package static let largest = 65_536

    /// The media type of an image; `nil` for a type of file that isn't accepted.
    package static func mediaType(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        let isWebP = bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
        return isWebP ? "image/webp" : nil
    }

    /// The problem with the type of a file; `nil` for a type that is accepted. The size isn't checked.
    package static func fault(of bytes: [UInt8]) -> String? {
        mediaType(of: bytes) == nil ? "must be a PNG, JPEG or WebP image; export an SVG as one of them" : nil
    }
}
