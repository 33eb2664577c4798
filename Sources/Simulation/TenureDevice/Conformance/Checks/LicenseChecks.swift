import TenureCore
import TenureCrypto
import TenureFormats
import TenureMarketplace

/// Checks of the responses to license requests.
enum LicenseChecks {
    static let all: [Check] =
        GrantChecks.common("license", of: .license) + [
            GrantChecks.listed(
                "license.unlicensed_list", "unlicensedApps", of: .licenseNeighbours,
                "Unlicensed apps are listed"),
            GrantChecks.granted(
                "license.unknown_app", of: .licenseNeighbours, "An unknown app is not licensed",
                expected: "its id in `unlicensedApps`, and no license",
                fix: "License only apps that the marketplace offers."
            ) { license, exchange, _ in
                let isLicensed = license.items.contains(SeenMarketplace.unknownItem)
                let isListed = exchange.numbers("unlicensedApps").contains(SeenMarketplace.unknownItem)
                return isLicensed ? "It has a license." : isListed ? nil : "It isn't in unlicensedApps."
            },
            GrantChecks.granted(
                "license.neighbour", of: .licenseNeighbours, "An invalid app doesn't affect other apps",
                expected: "a license for the valid app", fix: "Process each app independently."
            ) { license, _, seen in
                guard seen.granted(.license).map(\.items)?.isEmpty == false else { return nil }
                return license.items.contains(seen.options.item?.number ?? 0) ? nil : "It is missing."
            },
            GrantChecks.granted(
                "license.missing_app", of: .license, "Each app is either licensed or listed as unlicensed",
                expected: "a license, or its id in `unlicensedApps`", fix: "List each app in one of the two."
            ) { license, exchange, seen in
                let item = seen.options.item?.number ?? 0
                return license.items.contains(item) || exchange.numbers("unlicensedApps").contains(item)
                    ? nil : "It is in neither."
            },
            GrantChecks.granted(
                "license.request", of: .license, "A license belongs to the request", expected: "the id of the request",
                fix: "Use a separate session for each request."
            ) { license, _, seen in
                license.requestID == seen.draw.requestID ? nil : "It belongs to another request."
            },
            GrantChecks.granted(
                "license.device", of: .license, "A license is for the device", expected: "the id of the device",
                fix: "Use a separate session for each request."
            ) { license, _, seen in
                license.deviceID == seen.options.device ? nil : "It is for another device."
            },
            GrantChecks.granted(
                "license.id_range", of: .license, "Devices accept the license id",
                expected: "1 to 2^63-2", fix: "Use smaller ids; larger ones break installation."
            ) { license, _, _ in
                license.licenses.allSatisfy { (1..<UInt64(Int64.max)).contains($0.licenseID) }
                    ? nil : "The id is \(license.licenses.first?.licenseID ?? 0)."
            },
            GrantChecks.granted(
                "license.issued_time", of: .license, "A license has the current time as its issue time",
                expected: "now, within a day",
                fix: "Correct the server's clock and use it as the issue time."
            ) { license, _, seen in seen.faultOfIssue(license) },
            GrantChecks.granted(
                "license.end", of: .license, "The end of a license is within the supported range",
                expected: "issuedTime + duration below 2^63", fix: "Grant a shorter duration, or 0 for no end."
            ) { license, _, _ in
                license.licenses.allSatisfy { license in
                    let end = license.issuedTime.addingReportingOverflow(license.duration)
                    return !end.overflow && end.partialValue < UInt64(Int64.max)
                } ? nil : "It ends later."
            },
            GrantChecks.granted(
                "license.repeated", of: .licenseAgain, "Repeating a request returns the same license",
                expected: "the same license id", fix: "Store requests by their id and device."
            ) { license, _, seen in
                let first = seen.granted(.license)?.licenses.map(\.licenseID)
                return first == license.licenses.map(\.licenseID) ? nil : "It returned a different one."
            },
            Check.answered(
                "license.no_token", of: .licenseWithoutToken, "A request without a token gets 401", with: 401...401,
                expected: "401", fix: "Return 401 if the token is missing.",
                source: "Apple, reauthenticating a person"),
            Check.answered(
                "license.not_json", of: .licenseNotJSON, "A body that isn't JSON is refused", with: 400...499,
                expected: "4xx", fix: "Handle parsing errors and return 400.", source: "Apple, licensing apps"),
        ] + defects

    private static func broken(
        _ id: String, _ title: String, expected: String, fix: String,
        fault: @escaping @Sendable ([RecordedExchange]) -> String?
    ) -> Check {
        Check(
            id, .error, of: .licenseNoise, title, expected: expected, fix: fix,
            source: "Apple, licensing apps; RFC 8017, 7.1.2"
        ) { exchange, seen in
            let answers = Question.defects.compactMap { seen[$0] }.filter { $0.response != nil }
            if answers.isEmpty { return .skip(exchange.whyNothing) }
            return fault(answers).map { .fail($0) } ?? .pass
        }
    }

    private static let defects: [Check] = [
        broken(
            "license.defect_fault", "An invalid envelope doesn't crash the server", expected: "4xx",
            fix: "Handle parsing errors and return 400."
        ) { answers in
            answers.first { ($0.status ?? 0) >= 500 }.map { "\($0.question.words) returned \($0.status ?? 0)." }
        },
        broken(
            "license.defect_accepted", "An invalid envelope is refused", expected: "4xx", fix: "Return 400."
        ) { answers in
            answers.first { (200...399).contains($0.status ?? 0) }
                .map { "\($0.question.words) returned \($0.status ?? 0)." }
        },
        broken(
            "license.defects_differ", "All invalid envelopes get the same response",
            expected: "the same response for all; a difference helps to decrypt a captured request",
            fix: "Send the same bytes for every cause, after the same amount of work."
        ) { answers in
            // Other checks report server errors and accepted envelopes.
            let refused = answers.filter { (400...499).contains($0.status ?? 0) }
            let response = refused.map { "\($0.status ?? 0) \($0.sentence)" }
            guard let other = response.firstIndex(where: { $0 != response[0] }) else { return nil }
            return "\(refused[0].question.words) and \(refused[other].question.words) get different responses."
        },
    ]
}

extension RecordedExchange {
    /// The response without members that may differ between requests.
    fileprivate var sentence: String {
        guard case .object(let members) = json else { return text }
        let passing = ["instance", "requestId", "request_id", "requestID", "traceId", "trace_id", "timestamp"]
        return members.filter { !passing.contains($0.key) }.sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.value)" }.joined(separator: ";")
    }

    /// The Apple ids in a list of the response.
    func numbers(_ list: String) -> [UInt64] { (json?[list]?.list ?? []).compactMap(\.number) }
}

extension SimulatedAppLicense {
    /// The item ids of the licensed apps.
    var items: [UInt64] { licenses.flatMap(\.appKeys).map(\.appleItemID) }
}

extension SeenMarketplace {
    func faultOfIssue(_ license: SimulatedAppLicense) -> String? {
        let now = UInt64(max(0, now.seconds))
        let isNear = license.licenses.allSatisfy { max($0.issuedTime, now) - min($0.issuedTime, now) <= 86_400 }
        return isNear ? nil : "It has a different issue time."
    }
}

extension ConformanceQuestion {
    /// The request's name with spaces instead of hyphens, for messages.
    var words: String { rawValue.replacing("-", with: " ") }
}
