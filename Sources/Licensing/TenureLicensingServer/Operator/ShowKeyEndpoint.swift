import TenureCore
import TenureLicensing
import TenureServerKit

/// The endpoint that responds with the full text of a license's key.
struct ShowKeyEndpoint: Sendable {
    let licenses: LicenseEndpoints

    /// A license with the full text of its key.
    private struct ShownKey: Sendable {
        let text: LicenseKeyText
        let license: AsOf<License>

        static let document = Document<ShownKey>(
            "ShownLicense",
            [.text("licenseKey", "The complete license key.") { $0.text.text }]
                + License.document.members { $0.license })
    }

    var endpoint: Endpoint {
        let fields = Fields { fields in
            let license = try fields.licenseInPath()
            try fields.nothing()
            return license
        }
        return Endpoint(
            "POST", LicenseEndpoints.license + "/show-key", format: .problem, catalog: .cached,
            authentication: licenses.with("keys:read"),
            reads: fields, answers: ShownKey.document,
            operation: Operation(
                "showLicenseKey", "licenses", "Show a license's key",
                "For a product with `showKeys`, and only for keys that were issued or replaced with `mail`. Each request "
                    + "is recorded as an event.")
        ) { call in
            let license = try await licenses.license(call.input, of: call.caller)
            switch try await licenses.licensing.showKey(of: license.id, by: call.caller.actor) {
            case .shown(let text, let license):
                return .done(ShownKey(text: text, license: AsOf(license, at: licenses.licensing.clock.now())))
            case .notAllowed: throw Failure.keysNotShown
            case .keyNotKept: throw Failure.keyNotKept
            case .unknownLicense: throw Failure.notFound
            }
        }
    }
}

extension Failure {
    /// The failure of a request for a key of a product whose keys aren't shown.
    fileprivate static var keysNotShown: Failure {
        Failure(
            RejectedRequest(
                422, code: "key_not_kept",
                "The product's keys aren't shown. Add `\"showKeys\": true` to the product in the catalog, and run "
                    + "`tenure apply`.", among: Reason.Kind.licensingRequests))
    }
}
