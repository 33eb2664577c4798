import TenureCore
import TenureFormats
import TenureHTTP

/// Checks of the offers in restores and updates.
enum OfferChecks {
    static let restore: [Check] =
        offers(.restore, list: "restores", source: "Apple, restore") + [
            Check.done(
                "restore.version", .error, of: .restore, "The version is the requested one",
                expected: "the requested version", fix: "Restore exactly the version that the device had.",
                source: "Apple, restore"
            ) { exchange, seen in
                guard let entry = seen.entry("restores", in: .restore), let version = seen.version else {
                    return .skip("nothing is restored")
                }
                let found = entry["appleVersionId"]?.number
                return found == version.number ? .pass : .fail("It is \(found.map(String.init) ?? "missing").")
            },
            Check.done(
                "restore.missing", .error, of: .restore, "An available app is restored",
                expected: "the app in `restores`, or in `failures`", fix: "List each app in one of the two.",
                source: "Apple, restore"
            ) { exchange, seen in
                guard let item = seen.options.item else { return .skip("no --item was given") }
                guard case .object = exchange.json else { return .skip("it isn't a JSON object") }
                let named = exchange.items("restores") + exchange.items("failures")
                return named.contains(item.number) ? .pass : .fail("It is in neither.")
            },
            Check.done(
                "restore.other_version", .error, of: .restoreOtherVersion, "No other version is substituted",
                expected: "no entry for a version that doesn't exist", fix: "Return a failure with code 404.",
                source: "Apple, restore"
            ) { exchange, seen in
                let entry = seen.entry("restores", in: .restoreOtherVersion)
                return entry == nil || entry?["appleVersionId"]?.number == 1
                    ? .pass : .fail("Version 1 was requested, but another one is restored.")
            },
            Check.done(
                "restore.system_too_old", .error, of: .restoreOldSystem,
                "Nothing is offered to a system that is too old",
                expected: "a failure for iOS 1.0", fix: "Compare osVersion with minimumSystemVersions.",
                source: "Apple, restore"
            ) { exchange, seen in
                seen.entry("restores", in: .restoreOldSystem) == nil ? .pass : .fail("It is offered to iOS 1.0.")
            },
            Check(
                "restore.empty", .error, of: .restoreNothing, "An empty request gets an empty response",
                expected: "two empty lists, or 4xx", fix: "Return empty lists.", source: "Apple, restore"
            ) { exchange, _ in
                guard let status = exchange.status else { return .skip(exchange.whyNothing) }
                if (400...499).contains(status) { return .pass }
                guard status == 200 else { return .fail("The status is \(status).") }
                return exchange.json?["restores"]?.list == [] && exchange.json?["failures"]?.list == []
                    ? .pass : .fail("At least one list isn't empty.")
            },
            Check.answered(
                "restore.not_json", of: .restoreNotJSON, "A body that isn't JSON is refused", with: 400...499,
                expected: "4xx", fix: "Handle parsing errors and return 400.", source: "Apple, restore"),
            Check.answered(
                "restore.no_token", of: .restoreWithoutToken, "A request without a token gets 401", with: 401...401,
                expected: "401", fix: "Return 401 if the token is missing.",
                source: "Apple, reauthenticating a person"),
            Check(
                "restore.challenge", .error, of: .restoreWithoutToken, "A 401 names the required scheme",
                expected: "WWW-Authenticate: Bearer", fix: "Send this header field with each 401.",
                source: "RFC 9110, 11.6.1"
            ) { exchange, _ in
                guard exchange.status == 401 else { return .skip(exchange.whyNothing) }
                let field = exchange.response?.headers["WWW-Authenticate"] ?? ""
                return field.lowercased().hasPrefix("bearer") ? .pass : .fail("It is missing or names another scheme.")
            },
            Check(
                "restore.bad_token", .error, of: .restoreWithBadToken, "An invalid token is refused or ignored",
                expected: "403 or 401 if tokens are required, never 5xx", fix: "Return 403.",
                source: "Apple, reauthenticating a person"
            ) { exchange, seen in
                guard let status = exchange.status else { return .skip(exchange.whyNothing) }
                if status >= 500 { return .fail("The status is \(status).") }
                guard seen.options.token != nil else { return .pass }
                return [401, 403].contains(status) ? .pass : .fail("The status is \(status).")
            },
        ]

    static let updates: [Check] =
        offers(.updatesFromNothing, list: "updates", source: "Apple, updates") + [
            member("bundleVersion"), member("shortVersionString"),
            none(
                "updates.same_version", of: .updatesFromSame, "The newest version gets no update",
                fix: "Offer only newer versions."),
            none(
                "updates.older", of: .updatesFromNewer, "No older version is offered as an update",
                fix: "Offer only newer versions."),
            none(
                "updates.system_too_old", of: .updatesOldSystem, "No update is offered to a system that is too old",
                fix: "Compare osVersion with minimumSystemVersions."),
            Check.answered(
                "updates.no_token", of: .updatesWithoutToken, "A request without a token gets 401", with: 401...401,
                expected: "401", fix: "Return 401 if the token is missing.",
                source: "Apple, reauthenticating a person"),
        ]

    private static func member(_ name: String) -> Check {
        Check.done(
            name == "bundleVersion" ? "updates.bundle_version" : "updates.short_version", .error,
            of: .updatesFromNothing, "An update has \(name)", expected: "a string", fix: "Add it.",
            source: "Apple, updates"
        ) { _, seen in
            guard let entry = seen.entry("updates", in: .updatesFromNothing) else { return .skip("none is offered") }
            return entry[name]?.text?.isEmpty == false ? .pass : .fail("It is missing.")
        }
    }

    private static func none(_ id: String, of question: Question, _ title: String, fix: String) -> Check {
        Check.done(
            id, .error, of: question, title, expected: "no entry for the app", fix: fix, source: "Apple, updates"
        ) {
            _, seen in
            guard let entry = seen.entry("updates", in: question) else { return .pass }
            return .fail("Version \(entry["appleVersionId"]?.number.map(String.init) ?? "?") is offered.")
        }
    }

    /// Returns the checks that apply both to restores and to updates.
    private static func offers(_ question: Question, list: String, source: String) -> [Check] {
        let family = list == "restores" ? "restore" : "updates"
        func entry(
            _ id: String, _ title: String, expected: String, fix: String,
            fault: @escaping @Sendable (JSONValue, SeenMarketplace) -> String?
        ) -> Check {
            Check.done("\(family).\(id)", .error, of: question, title, expected: expected, fix: fix, source: source) {
                _, seen in
                guard let entry = seen.entry(list, in: question) else { return .skip("nothing is offered") }
                return fault(entry, seen).map { .fail($0) } ?? .pass
            }
        }
        return [
            Check(
                "\(family).status", .error, of: question, "The request succeeds",
                expected: "200, even if single apps fail", fix: "Return 200 and refuse apps individually.",
                source: source
            ) { exchange, seen in
                guard let status = exchange.status else { return .skip(exchange.whyNothing) }
                if seen.wantsToken(exchange) { return .skip(SeenMarketplace.tokenWanted) }
                return status == 200 ? .pass : .fail("The status is \(status).")
            },
            Check.saysJSON("\(family).content_type", of: question, "The answer", source: source),
            Check.isJSON("\(family).json", of: question, "The answer", source: source),
            Check.done(
                "\(family).members", .error, of: question, "The response has its lists",
                expected: "`\(list)` and `failures`, lists of objects",
                fix: "Send both, empty if there is nothing to list.",
                source: source
            ) { exchange, _ in
                guard case .object = exchange.json else { return .skip("it isn't a JSON object") }
                let missing = [list, "failures"].filter { exchange.json?[$0]?.list == nil }
                return missing.isEmpty ? .pass : .fail("\(missing.joined(separator: " and ")) is missing.")
            },
            Check.done(
                "\(family).not_asked", .error, of: question, "Only requested apps are offered",
                expected: "entries only for the apps of the request", fix: "Remove other apps.", source: source
            ) { exchange, seen in
                let others = exchange.items(list).filter { $0 != seen.options.item?.number }
                return others.isEmpty ? .pass : .fail("There is an entry for \(others[0]).")
            },
            entry("ids", "Ids are strings", expected: "strings of digits", fix: "Write ids as strings.") { entry, _ in
                let wrong = ["appleItemId", "appleVersionId"].filter { entry[$0]?.text == nil }
                return wrong.isEmpty ? nil : "\(wrong.joined(separator: " and ")) isn't a string."
            },
            entry(
                "token", "An entry has its install token", expected: "installVerificationToken",
                fix: "Create one for each entry."
            ) { entry, _ in entry["installVerificationToken"]?.text?.isEmpty == false ? nil : "It is missing." },
            entry(
                "package_url", "An entry has the URL of the package", expected: "an absolute https URL",
                fix: "Write the complete URL."
            ) { entry, _ in
                let url = entry["alternativeDistributionPackage"]?.text ?? ""
                return url.lowercased().hasPrefix("https://") && ConformanceOptions.host(of: url) != nil
                    ? nil : "It is \(url.isEmpty ? "missing" : url.bounded)."
            },
            entry(
                "package_host", "The package is on a host of the marketplace",
                expected: "the domain, a subdomain, or a host that serves the same configuration",
                fix: "Host it there, or serve the configuration on its host, where devices look for it."
            ) { entry, seen in
                let url = entry["alternativeDistributionPackage"]?.text ?? ""
                guard let host = ConformanceOptions.host(of: url) else { return nil }
                return seen.servesConfiguration(host) ? nil : "It is on \(host.bounded)."
            },
        ]
    }
}

extension RecordedExchange {
    /// The item ids of a list's entries.
    func items(_ list: String) -> [UInt64] {
        (json?[list]?.list ?? []).compactMap { $0["appleItemId"]?.number }
    }
}
