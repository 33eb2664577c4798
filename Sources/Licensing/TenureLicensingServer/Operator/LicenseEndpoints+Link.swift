import TenureCore
import TenureLicensing
import TenureServerKit

extension LicenseEndpoints {
    /// Makes a one-time link to a license's page.
    var link: Endpoint {
        let fields = Fields { fields in
            (
                license: try fields.licenseInPath(),
                hours: try fields.optional(
                    "hours", .integer(1...CredentialText.mostLinkHours), else: CredentialText.linkHours,
                    "When it expires, whether used or not.")
            )
        }
        let baseURL = baseURL
        let document = Document<(license: LicenseID, expiresAt: Timestamp, made: HolderLink)>(
            "LicenseLink",
            [
                .text("license", "The license whose page it opens.") { $0.license.description },
                .text("path", "The path on this server. It is shown only this once.") { $0.made.path },
                .textOrNull("url", "The complete URL; null if `serve` runs without --base-url.") {
                    link in
                    baseURL.map { $0 + link.made.path }
                },
                .dateTime("expiresAt", "When it expires, whether used or not.") { $0.expiresAt },
                .boolean("canRelease", "Whether the policy allows the holder to release devices on the page.") {
                    $0.made.canRelease
                },
            ])
        return Endpoint(
            "POST", Self.license + "/links", format: .problem, catalog: .cached, authentication: with("links:write"),
            reads: fields,
            answers: document, status: 201,
            operation: Operation(
                "makeLicenseLink", "licenses", "Create a one-time link to a license's page",
                "The page lists the license's devices and lets its holder release one if the policy allows it. It "
                    + "never shows the license key and can't replace it. Anyone with the link acts as the holder.",
                success: "Created. The path is shown only this once.")
        ) { call in
            let license = try await license(call.input.license, of: call.caller)
            let end = licensing.clock.now().adding(seconds: Int64(call.input.hours) * 3600)
            let link = try await licensing.makeLicenseLink(
                to: license.id, expiresAt: end, by: call.caller.actor)
            guard let link else { throw Failure.notFound }
            return .done((license.id, end, link))
        }
    }

    /// Lists the links and sessions of a license's page.
    var links: Endpoint {
        Endpoint(
            "GET", Self.license + "/links", format: .problem, catalog: .cached, authentication: with("licenses:read"),
            reads: Self.oneLicense,
            answers: Document(nil, [.list("links", of: LicenseCredential.document) { $0 }]),
            operation: Operation(
                "listLicenseLinks", "licenses", "List the links and sessions of a license's page",
                "Those that work now, oldest first. No text of a link is stored.")
        ) { call in
            let license = try await license(call.input, of: call.caller)
            return .done(try await licensing.workingLicenseLinks(of: license.id))
        }
    }

    /// Ends the links and sessions of a license's page.
    var endLinks: Endpoint {
        let fields = Fields { fields in
            let license = try fields.licenseInPath()
            try fields.nothing()
            return license
        }
        return Endpoint(
            "DELETE", Self.license + "/links", format: .problem, catalog: .cached, authentication: with("links:write"),
            reads: fields,
            answers: EndedLinks.document,
            operation: Operation(
                "endLicenseLinks", "licenses", "End the links and sessions of a license's page",
                "A new key and a change of holder end them too. Repeating it changes nothing.")
        ) { call in
            let license = try await license(call.input, of: call.caller)
            guard let ended = try await licensing.endLicenseLinks(of: license.id, by: call.caller.actor)
            else {
                throw Failure.notFound
            }
            return .done(ended)
        }
    }
}
