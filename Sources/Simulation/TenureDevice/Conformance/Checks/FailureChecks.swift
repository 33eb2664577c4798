import TenureFormats

/// Checks of how responses to restores and updates list unavailable apps.
enum FailureChecks {
    private static let page = "Apple, restore: failures"

    static let all: [Check] = [
        Check(
            "failures.status", .error, of: .restoreUnknown, "An unavailable app doesn't fail the whole request",
            expected: "200", fix: "Return 200 and list the app in failures.", source: page
        ) { exchange, seen in
            guard let status = exchange.status else { return .skip(exchange.whyNothing) }
            if seen.wantsToken(exchange) { return .skip(SeenMarketplace.tokenWanted) }
            return status == 200 ? .pass : .fail("The status is \(status).")
        },
        Check.done(
            "failures.unknown", .error, of: .restoreUnknown, "An unknown app is listed in failures",
            expected: "an entry in `failures`", fix: "Add an entry for each unavailable app.", source: page
        ) { exchange, seen in
            exchange.items("failures").contains(SeenMarketplace.unknownItem) ? .pass : .fail("It isn't listed.")
        },
        Check.done(
            "failures.code", .error, of: .restoreUnknown, "A failure has code 404", expected: "`failure.code` 404",
            fix: "Use the number 404; devices know no other code.", source: page
        ) { exchange, _ in
            guard let failure = exchange.failure(SeenMarketplace.unknownItem) else { return .skip("there is none") }
            return failure["code"]?.whole == 404 ? .pass : .fail("It is different or missing.")
        },
        Check.done(
            "failures.description", .error, of: .restoreUnknown, "A failure has a description",
            expected: "`failure.description`, a string", fix: "Add it.", source: page
        ) { exchange, _ in
            guard let failure = exchange.failure(SeenMarketplace.unknownItem) else { return .skip("there is none") }
            return failure["description"]?.text == nil ? .fail("It is missing.") : .pass
        },
        Check.done(
            "failures.restored", .error, of: .restoreUnknown, "An unknown app is not restored",
            expected: "no entry in `restores`", fix: "Remove it.", source: page
        ) { exchange, _ in
            exchange.items("restores").contains(SeenMarketplace.unknownItem) ? .fail("It is listed.") : .pass
        },
        Check(
            "failures.neighbour", .error, of: .restoreNeighbours, "An invalid app doesn't affect other apps",
            expected: "the valid app in `restores`", fix: "Process each app independently.", source: page
        ) { exchange, seen in
            guard seen.entry("restores", in: .restore) != nil else { return .skip("nothing is restored") }
            guard exchange.response != nil else { return .skip(exchange.whyNothing) }
            return seen.entry("restores", in: .restoreNeighbours) == nil ? .fail("It isn't listed.") : .pass
        },
        Check(
            "failures.updates", .error, of: .updatesUnknown, "Updates list an unknown app in failures",
            expected: "200 and an entry in `failures`", fix: "Add an entry for each unavailable app.", source: page
        ) { exchange, seen in
            guard let status = exchange.status else { return .skip(exchange.whyNothing) }
            if seen.wantsToken(exchange) { return .skip(SeenMarketplace.tokenWanted) }
            return status == 200 && exchange.items("failures").contains(SeenMarketplace.unknownItem)
                ? .pass : .fail(status == 200 ? "It isn't listed." : "The status is \(status).")
        },
    ]
}

extension RecordedExchange {
    fileprivate func failure(_ item: UInt64) -> JSONValue? {
        json?["failures"]?.list?.first { $0["appleItemId"]?.number == item }.map { $0["failure"] ?? .null }
    }
}
