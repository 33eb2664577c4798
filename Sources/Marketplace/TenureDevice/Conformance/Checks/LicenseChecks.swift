import TenureMarketplace
import TenureCore
import TenureCrypto
import TenureFormats

extension ConformanceCheck {
    static let licenses = "Apple, licensing apps"
    static let otherFormat = "what is inside requests and licenses here is another format than the simulation"

    static let license: [ConformanceCheck] =
        [
            answered("license", of: .license),
            isJSON("license.json", of: .license, "The answer", source: licenses),
            hasLicense("license", of: .license),
            verified("license", of: .license),
            done(
                "license.unlicensed_list", .error, of: .licenseNeighbours, "Apps that are not licensed are listed",
                expected: "`unlicensedApps`, a list of texts", fix: "List their ids, as texts of digits.",
                source: licenses
            ) { exchange, seen in
                if !seen.readsSimulation { return .skip(otherFormat) }
                guard case .object = exchange.json else { return .skip("it is no JSON object") }
                let list = exchange.json?["unlicensedApps"]?.list
                return list?.allSatisfy { $0.text != nil } == true ? .pass : .fail("It is missing, or has no texts.")
            },
            granted(
                "license.unknown_app", of: .licenseNeighbours, "An app that nobody knows is not licensed",
                expected: "its id in `unlicensedApps`, and no license", fix: "License listed apps alone."
            ) { license, exchange, _ in
                let isLicensed = license.items.contains(SeenMarketplace.unknownItem)
                let isListed = exchange.numbers("unlicensedApps").contains(SeenMarketplace.unknownItem)
                return isLicensed ? "It has a license." : isListed ? nil : "It is not in unlicensedApps."
            },
            granted(
                "license.neighbour", of: .licenseNeighbours, "A bad app does not fail its neighbour",
                expected: "a license for the good one", fix: "Judge each app by itself."
            ) { license, _, seen in
                guard seen.granted(.license).map(\.items)?.isEmpty == false else { return nil }
                return license.items.contains(seen.options.item?.number ?? 0) ? nil : "There is none."
            },
            granted(
                "license.missing_app", of: .license, "An app is licensed, or it is not",
                expected: "a license, or its id in `unlicensedApps`", fix: "Answer each app in one of the two."
            ) { license, exchange, seen in
                let item = seen.options.item?.number ?? 0
                return license.items.contains(item) || exchange.numbers("unlicensedApps").contains(item)
                    ? nil : "It is in neither."
            },
            granted(
                "license.request", of: .license, "A license answers the request", expected: "the request's id",
                fix: "Answer each request with a session of its own."
            ) { license, _, seen in
                license.requestID == seen.draw.requestID ? nil : "It answers another request."
            },
            granted(
                "license.device", of: .license, "A license is for the device", expected: "the device's id",
                fix: "Answer each request with a session of its own."
            ) { license, _, seen in
                license.deviceID == seen.options.device ? nil : "It is for another device."
            },
            granted(
                "license.id_range", of: .license, "A license's id is one that devices take",
                expected: "1 to 2^63-2", fix: "Draw smaller ids: larger ones break installation."
            ) { license, _, _ in
                license.licenses.allSatisfy { (1..<UInt64(Int64.max)).contains($0.licenseID) }
                    ? nil : "It is \(license.licenses.first?.licenseID ?? 0)."
            },
            granted(
                "license.issued_time", of: .license, "A license is issued now", expected: "now, to a day",
                fix: "Set the server's clock, and issue at its time."
            ) { license, _, seen in seen.faultOfIssue(license) },
            granted(
                "license.end", of: .license, "A license ends at a time that can be counted",
                expected: "issuedTime + duration below 2^63", fix: "Grant a shorter duration, or 0 for no end."
            ) { license, _, _ in
                license.licenses.allSatisfy { license in
                    let end = license.issuedTime.addingReportingOverflow(license.duration)
                    return !end.overflow && end.partialValue < UInt64(Int64.max)
                } ? nil : "It ends beyond that."
            },
            granted(
                "license.repeated", of: .licenseAgain, "The same request gets the same license",
                expected: "the same license id", fix: "Remember requests by their id and device."
            ) { license, _, seen in
                let first = seen.granted(.license)?.licenses.map(\.licenseID)
                return first == license.licenses.map(\.licenseID) ? nil : "It gets another."
            },
            refused(
                "license.no_token", of: .licenseWithoutToken, "Who shows no token is sent to sign in", with: [401],
                expected: "401", fix: "Answer 401 where the token is missing.",
                source: "Apple, reauthenticating a person"),
        ] + defects

    private static func broken(
        _ id: String, _ title: String, expected: String, fix: String,
        fault: @escaping @Sendable ([RecordedExchange]) -> String?
    ) -> ConformanceCheck {
        ConformanceCheck(
            id, .error, of: .licenseNoise, title, expected: expected, fix: fix,
            source: "Apple, licensing apps; RFC 8017, 7.1.2"
        ) { exchange, seen in
            let answers = Question.defects.compactMap { seen[$0] }.filter { $0.response != nil }
            if answers.isEmpty { return .skip(exchange.whyNothing) }
            return fault(answers).map { .fail($0) } ?? .pass
        }
    }

    private static let defects: [ConformanceCheck] = [
        broken(
            "license.defect_fault", "No broken envelope fells the server", expected: "4xx",
            fix: "Catch what reading it throws, and answer 400."
        ) { answers in
            answers.first { ($0.status ?? 0) >= 500 }.map { "\($0.question.words) is answered \($0.status ?? 0)." }
        },
        broken(
            "license.defect_accepted", "No broken envelope is taken", expected: "4xx", fix: "Refuse it with 400."
        ) { answers in
            answers.first { (200...399).contains($0.status ?? 0) }
                .map { "\($0.question.words) is answered \($0.status ?? 0)." }
        },
        broken(
            "license.defects_differ", "Broken envelopes are answered alike",
            expected: "one answer for all: a difference helps to decrypt a captured request",
            fix: "Answer the same bytes for every cause, after the same work."
        ) { answers in
            // Other checks report server errors and accepted envelopes.
            let refused = answers.filter { (400...499).contains($0.status ?? 0) }
            let told = refused.map { "\($0.status ?? 0) \($0.sentence)" }
            guard let other = told.firstIndex(where: { $0 != told[0] }) else { return nil }
            return "\(refused[0].question.words) and \(refused[other].question.words) are told apart."
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
        return isNear ? nil : "It is issued at another time."
    }
}

extension ConformanceQuestion {
    /// The question's name in words, for messages.
    var words: String { rawValue.replacing("-", with: " ") }
}
