import TenureFormats

typealias Verdict = ConformanceCheck.Verdict
typealias Question = ConformanceQuestion
typealias Check = ConformanceCheck

extension ConformanceCheck {
    /// Returns a check of a response with status 200; it is skipped if there is no such response.
    static func done(
        _ id: String, _ severity: LintRule.Severity, of question: Question, _ title: String, expected: String,
        fix: String, source: String, judge: @escaping @Sendable (RecordedExchange, SeenMarketplace) -> Verdict
    ) -> ConformanceCheck {
        ConformanceCheck(id, severity, of: question, title, expected: expected, fix: fix, source: source) {
            exchange, seen in
            exchange.isDone ? judge(exchange, seen) : .skip(exchange.whyNothing)
        }
    }

    /// Returns the checks that a file exists and is served without a redirect.
    static func there(_ prefix: String, of question: Question, _ name: String, source: String) -> [ConformanceCheck] {
        [
            ConformanceCheck(
                "\(prefix)redirect", .error, of: question, "\(name) is served without a redirect",
                expected: "no redirect", fix: "Serve it at that URL; devices don't follow redirects.", source: source
            ) { exchange, _ in
                guard exchange.response != nil else { return .skip(exchange.whyNothing) }
                return exchange.isRedirect
                    ? .fail("The status is \(exchange.status ?? 0), a redirect.") : .pass
            },
            ConformanceCheck(
                "\(prefix)status", .error, of: question, "\(name) is available", expected: "200",
                fix: "Serve it with status 200.", source: source
            ) { exchange, _ in
                guard let status = exchange.status, !exchange.isRedirect else { return .skip(exchange.whyNothing) }
                return status == 200 ? .pass : .fail("The status is \(status).")
            },
        ]
    }

    /// Returns a check that a response has the content type JSON.
    static func saysJSON(
        _ id: String, _ severity: LintRule.Severity = .warning, of question: Question, _ name: String, source: String
    ) -> ConformanceCheck {
        done(
            id, severity, of: question, "\(name) has a JSON content type", expected: "Content-Type: application/json",
            fix: "Send this header field.", source: source
        ) { exchange, _ in
            exchange.mediaType == "application/json"
                ? .pass : .fail("The content type is \(exchange.mediaType.isEmpty ? "missing" : exchange.mediaType).")
        }
    }

    /// Returns a check that a response is a JSON object.
    static func isJSON(_ id: String, of question: Question, _ name: String, source: String) -> ConformanceCheck {
        done(
            id, .error, of: question, "\(name) is a JSON object", expected: "a JSON object in UTF-8",
            fix: "Send JSON without a byte order mark and duplicate fields.", source: source
        ) { exchange, _ in
            if case .object = exchange.json { return .pass }
            return .fail("It isn't a valid JSON object.")
        }
    }

    /// Returns a check that the response has one of these statuses.
    static func answered(
        _ id: String, _ severity: LintRule.Severity = .error, of question: Question, _ title: String,
        with statuses: ClosedRange<Int>, expected: String, fix: String, source: String
    ) -> ConformanceCheck {
        ConformanceCheck(id, severity, of: question, title, expected: expected, fix: fix, source: source) {
            exchange, _ in
            guard let status = exchange.status else { return .skip(exchange.whyNothing) }
            return statuses.contains(status) ? .pass : .fail("The status is \(status).")
        }
    }

    /// Returns a check that no response to the requests that `isMeant` selects has a content coding.
    static func uncoded(
        _ id: String, of question: Question, _ title: String, expected: String, fix: String, source: String,
        among isMeant: @escaping @Sendable (Question) -> Bool
    ) -> ConformanceCheck {
        ConformanceCheck(id, .error, of: question, title, expected: expected, fix: fix, source: source) { _, seen in
            let coded = Question.allCases.filter(isMeant).compactMap { seen[$0] }.first(where: \.isCoded)
            return coded.map { .fail("\($0.sent) was sent with a Content-Encoding.") } ?? .pass
        }
    }
}
