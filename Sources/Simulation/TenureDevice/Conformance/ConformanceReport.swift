import TenureFormats

/// The results of all checks of a run, and the device and licenses that the run left on the server.
struct ConformanceReport: Sendable {
    struct Result: Sendable {
        let check: ConformanceCheck
        let verdict: ConformanceCheck.Verdict
        /// The method and URL of the request; `nil` if no request was sent.
        let sent: String?
        /// A summary of the response in one line; `nil` if no request was sent.
        let received: String?

        /// The verdict as one word: `pass`, `fail` or `skip`.
        var outcomeName: String {
            switch verdict {
            case .pass: "pass"
            case .fail: "fail"
            case .skip: "skip"
            }
        }

        /// The violation, or the reason for skipping the check; `nil` if the check passed.
        ///
        /// The text is truncated to 400 characters, because it may contain a server's text.
        var cause: String? {
            switch verdict {
            case .pass: nil
            case .fail(let text), .skip(let text): text.count > 400 ? text.prefix(400) + "..." : text
            }
        }
    }

    let target: String
    let mode: ConformanceMode
    let results: [Result]
    /// The device and licenses that the run left on the server; `nil` if the run got no license.
    let remains: ConformanceRemains?

    /// Creates a report by evaluating all checks on the recorded exchanges.
    init(_ seen: SeenMarketplace) {
        target = seen.options.address.text
        mode = seen.options.mode
        remains = seen.remains
        results = ConformanceCheck.all.map { check in
            guard let exchange = seen[check.question] else {
                let cause = seen.skipped[check.question] ?? "the server didn't respond to the first request"
                return Result(check: check, verdict: .skip(cause), sent: nil, received: nil)
            }
            return Result(
                check: check, verdict: check.judge(exchange, seen), sent: exchange.sent, received: exchange.received)
        }
    }

    /// How many checks have this result, optionally in one family.
    func count(_ outcomeName: String, in family: String? = nil) -> Int {
        results.count { $0.outcomeName == outcomeName && (family == nil || $0.check.family == family) }
    }

    /// The failed checks, most serious first.
    var failures: [Result] {
        let graves: [String: Int] = ["error": 0, "warning": 1]
        return results.enumerated().filter { $0.element.outcomeName == "fail" }.sorted { one, other in
            let (left, right) = (
                graves[one.element.check.severity.rawValue] ?? 2, graves[other.element.check.severity.rawValue] ?? 2
            )
            return left == right ? one.offset < other.offset : left < right
        }.map(\.element)
    }

    /// Whether a check of severity `error` failed.
    var hasError: Bool { failures.contains { $0.check.severity == .error } }
}

extension JSONObjectWriter {
    /// Writes the members of a report.
    mutating func report(_ report: ConformanceReport) {
        member("target", report.target)
        member("mode", report.mode.rawValue)
        array("checks") { list in
            for result in report.results {
                list.object { one in
                    one.member("id", result.check.id)
                    one.member("title", result.check.title)
                    one.member("severity", result.check.severity.rawValue)
                    one.member("result", result.outcomeName)
                    one.member("cause", result.cause)
                    one.member("sent", result.sent)
                    one.member("received", result.received)
                    one.member("expected", result.check.expected)
                    one.member("source", result.check.source)
                    one.member("fix", result.check.fix)
                }
            }
        }
        if let remains = report.remains {
            object("left") { left in
                left.member("device", remains.device)
                left.array("licenses") { list in for id in remains.licenses { list.element(String(id)) } }
                left.member("note", remains.sentence)
            }
        }
        object("summary") { counts in
            for outcomeName in ["pass", "fail", "skip"] { counts.member(outcomeName, report.count(outcomeName)) }
        }
    }
}
