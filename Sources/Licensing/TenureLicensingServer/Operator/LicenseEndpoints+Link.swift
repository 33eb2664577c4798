import TenureLicensing
import TenureCore
import TenureServerKit

extension LicenseEndpoints {
    /// Makes a one-time link to a license's page.
    var link: Endpoint {
        let fields = Fields { fields in
            (
                license: try fields.licenseInPath(),
                hours: try fields.optional(
                    "hours", .integer(1...MakeLicenseLink.mostHours), else: MakeLicenseLink.hours,
                    "When it stops working, used or not.")
            )
        }
        let baseURL = baseURL
        let document = Document<(license: LicenseID, expiresAt: Timestamp, made: MakeLicenseLink.Made)>(
            "LicenseLink",
            [
                .text("license", "Which license's page it opens.") { $0.license.description },
                .text("path", "Where it leads on this server; told once.") { $0.made.path },
                .textOrNull("url", "The same with the server's address; null where `serve` has no --base-url.") {
                    link in
                    baseURL.map { $0 + link.made.path }
                },
                .moment("expiresAt", "When it stops working, used or not.") { $0.expiresAt },
                .boolean("canRelease", "Whether the policy lets its holder release devices there.") {
                    $0.made.canRelease
                },
            ])
        return Endpoint(
            "POST", Self.license + "/links", .problem, .kept, admits: with("links:write"), reads: fields,
            answers: document, status: 201,
            operation: Operation(
                "makeLicenseLink", "licenses", "Make a one-time link to a license's page",
                "The page lists the license's devices, and releases one as far as the policy lets holders do that. It "
                    + "never shows the license key and can't replace it. Whoever has the link is the holder there.",
                yes: "Made; its path is told this once.")
        ) { call in
            let license = try await license(call.input.license, of: call.place)
            let end = clock.now().adding(seconds: Int64(call.input.hours) * 3600)
            let made = try await MakeLicenseLink(catalog: catalog, clock: clock)(
                to: license.id, expiresAt: end, by: call.place.actor)
            guard let made else { throw Failure.notFound }
            return .done((license.id, end, made))
        }
    }
}
