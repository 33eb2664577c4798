import TenureFormats

extension ConformanceCheck {
    private static let page = "Apple, restore: failures"

    static let failures: [ConformanceCheck] = [
        ConformanceCheck(
            "failures.status", .error, of: .restoreUnknown, "An app that cannot be had does not fail the whole",
            expected: "200", fix: "Answer 200, and name the app in failures.", source: page
        ) { exchange, seen in
            guard let status = exchange.status else { return .skip(exchange.whyNothing) }
            if seen.wantsToken(exchange) { return .skip(SeenMarketplace.tokenWanted) }
            return status == 200 ? .pass : .fail("It is answered \(status).")
        },
        done(
            "failures.unknown", .error, of: .restoreUnknown, "An app that nobody knows is named in failures",
            expected: "an entry in `failures`", fix: "Add one for each app that cannot be had.", source: page
        ) { exchange, seen in
            exchange.items("failures").contains(SeenMarketplace.unknownItem) ? .pass : .fail("It is not there.")
        },
        done(
            "failures.code", .error, of: .restoreUnknown, "A failure has code 404", expected: "`failure.code` 404",
            fix: "Write 404, a number: devices know no other.", source: page
        ) { exchange, _ in
            guard let failure = exchange.failure(SeenMarketplace.unknownItem) else { return .skip("there is none") }
            return failure["code"]?.whole == 404 ? .pass : .fail("It is another, or missing.")
        },
        done(
            "failures.description", .error, of: .restoreUnknown, "A failure has a sentence",
            expected: "`failure.description`, a text", fix: "Add it.", source: page
        ) { exchange, _ in
            guard let failure = exchange.failure(SeenMarketplace.unknownItem) else { return .skip("there is none") }
            return failure["description"]?.text == nil ? .fail("There is none.") : .pass
        },
        done(
            "failures.restored", .error, of: .restoreUnknown, "An app that nobody knows is not restored",
            expected: "no entry in `restores`", fix: "Leave it out.", source: page
        ) { exchange, _ in
            exchange.items("restores").contains(SeenMarketplace.unknownItem) ? .fail("It is there.") : .pass
        },
        ConformanceCheck(
            "failures.neighbour", .error, of: .restoreNeighbours, "A bad app does not fail its neighbour",
            expected: "the good one in `restores`", fix: "Judge each app by itself.", source: page
        ) { exchange, seen in
            guard seen.entry("restores", in: .restore) != nil else { return .skip("nothing is restored") }
            guard exchange.response != nil else { return .skip(exchange.whyNothing) }
            return seen.entry("restores", in: .restoreNeighbours) == nil ? .fail("It is not there.") : .pass
        },
        ConformanceCheck(
            "failures.updates", .error, of: .updatesUnknown, "Updates name an app that nobody knows",
            expected: "200 and an entry in `failures`", fix: "Add one for each app that cannot be had.", source: page
        ) { exchange, seen in
            guard let status = exchange.status else { return .skip(exchange.whyNothing) }
            if seen.wantsToken(exchange) { return .skip(SeenMarketplace.tokenWanted) }
            return status == 200 && exchange.items("failures").contains(SeenMarketplace.unknownItem)
                ? .pass : .fail(status == 200 ? "It is not there." : "It is answered \(status).")
        },
    ]
}

extension RecordedExchange {
    fileprivate func failure(_ item: UInt64) -> JSONValue? {
        json?["failures"]?.list?.first { $0["appleItemId"]?.number == item }.map { $0["failure"] ?? .null }
    }
}
