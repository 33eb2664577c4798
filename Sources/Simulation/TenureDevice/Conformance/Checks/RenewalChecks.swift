import TenureCore
import TenureCrypto
import TenureFormats
import TenureMarketplace

/// Checks of the responses to license renewals.
enum RenewalChecks {
    static let all: [Check] =
        GrantChecks.common("renewal", of: .renewal) + [
            GrantChecks.listed(
                "renewal.ineligible_list", "ineligibleLicenses", of: .renewalForeign,
                "Licenses that aren't renewed are listed"),
            GrantChecks.granted(
                "renewal.missing", of: .renewal, "Each license is either renewed or listed as ineligible",
                expected: "a license with that id, or its id in `ineligibleLicenses`",
                fix: "List each license in one of the two."
            ) { license, exchange, seen in
                let item = seen.options.item?.number ?? 0
                let licenseID = seen.granted(.license)?.licenses.first?.licenseID ?? 0
                return license.items.contains(item) || exchange.numbers("ineligibleLicenses").contains(licenseID)
                    ? nil : "It is in neither."
            },
            GrantChecks.granted(
                "renewal.issued_time", of: .renewal, "A renewed license has a new issue time",
                expected: "now, within a day",
                fix: "Use the time of the renewal; the duration starts there."
            ) { license, _, seen in seen.faultOfIssue(license) },
            GrantChecks.granted(
                "renewal.foreign", of: .renewalForeign, "An unknown license is not renewed",
                expected: "its id in `ineligibleLicenses`, and no license", fix: "Renew only known licenses."
            ) { license, exchange, seen in
                if !license.licenses.isEmpty { return "It was renewed." }
                return exchange.numbers("ineligibleLicenses").contains(seen.draw.requestID)
                    ? nil : "It isn't in ineligibleLicenses."
            },
            GrantChecks.granted(
                "renewal.other_device", of: .renewalOtherDevice, "A device can't renew another device's license",
                expected: "its id in `ineligibleLicenses`, and no license",
                fix: "Compare the device with the device of the license."
            ) { license, _, _ in license.licenses.isEmpty ? nil : "It was renewed." },
            Check(
                "renewal.creates", .error, of: .renewalCreates, "A renewal creates no new license",
                expected: "a refusal of a request whose action is create", fix: "Check the action of the request.",
                source: GrantChecks.source
            ) { exchange, seen in
                guard let status = exchange.status else { return .skip(exchange.whyNothing) }
                if status >= 500 { return .fail("The status is \(status).") }
                guard exchange.isDone else { return .pass }
                return seen.granted(.renewalCreates)?.licenses.isEmpty == false
                    ? .fail("It returned a license.") : .pass
            },
        ]
}
