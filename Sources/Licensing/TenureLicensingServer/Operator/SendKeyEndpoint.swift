import TenureCore
import TenureLicensing
import TenureServerKit

/// The endpoint that sends a license's key again.
struct SendKeyEndpoint: Sendable {
    let licenses: LicenseEndpoints

    /// A letter with a license's key, which will be sent.
    private struct SentKey: Sendable {
        let mail: Mail
        let license: AsOf<License>

        static let document = Document<SentKey>(
            nil,
            [
                .text("license", "The license's id.") { $0.license.value.id.description },
                .text("mail", "The letter's id.") { $0.mail.id.description },
                .text("to", "The address that it goes to.") { $0.mail.address },
            ])
    }

    var endpoint: Endpoint {
        let fields = Fields { fields in
            let license = try fields.licenseInPath()
            try fields.nothing()
            return license
        }
        return Endpoint(
            "POST", LicenseEndpoints.license + "/send-key", format: .problem, catalog: .cached,
            authentication: licenses.with("mails:write"),
            reads: fields,
            repeats: .once(licenses.repeated(.alone)), answers: SentKey.document, status: 202,
            operation: Operation(
                "sendLicenseKey", "licenses", "Send a license's key again",
                "A letter to `holderEmail`, or to a `holder` that is an address; at most \(LicensingContext.mostKeyLettersInHour) an hour to "
                    + "one address. Only keys that were issued or replaced with `mail` can be sent. The response doesn't contain the key.",
                success: "The letter waits to be sent.")
        ) { call in
            let license = try await licenses.license(call.input, of: call.caller)
            let now = licenses.licensing.clock.now()
            let once = try await licenses.licensing.sendKeyOnce(call.repeatable, for: license) { outcome in
                guard case .waiting(let mail, let license) = outcome else { return nil }
                return RepeatableAnswer(
                    SentKey.document.json(SentKey(mail: mail, license: AsOf(license, at: now))),
                    records: [license.id.number])
            }
            return try once.documented { outcome in
                switch outcome {
                case .waiting(let mail, let license):
                    .done(SentKey(mail: mail, license: AsOf(license, at: now)))
                case .refused(let refusal): .refused(Failure(refusal))
                case .keyNotKept: .refused(.keyNotKept)
                case .notMailable: .refused(licenses.notMailable(call.caller.tenant))
                case .tooMany(let seconds):
                    .refused(
                        .tooMany(
                            "\(LicensingContext.mostKeyLettersInHour) letters went to the address within an hour. Send the request again "
                                + "later.", retryAfter: seconds))
                }
            }
        }
    }
}

extension Failure {
    /// The failure of a request for a key that the server can't compute.
    static var keyNotKept: Failure {
        Failure(
            RejectedRequest(
                422, code: "key_not_kept",
                "The server can't compute the license's key, so it can't send or show it. Replace it, with `\"keepDevices\": true` "
                    + "and `\"mail\": true`.", among: Reason.Kind.licensingRequests))
    }
}
