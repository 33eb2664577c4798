import TenureHTTP

/// A check of one requirement for a marketplace's server, with its title, severity, fix and source.
struct ConformanceCheck: Sendable {
    /// The result of a check.
    enum Verdict: Sendable, Hashable {
        /// The server behaves as required.
        case pass
        /// The server violates the requirement; the text describes the server's behavior in one sentence.
        case fail(String)
        /// The check was skipped; the text gives the reason.
        case skip(String)
    }

    /// The check's id, which begins with its family, such as `package.range_ignored`.
    let id: String
    let title: String
    /// How serious a failure is; an error makes the run fail.
    let severity: LintRule.Severity
    /// The behavior of a server that passes.
    let expected: String
    /// How to fix a failure, in one sentence.
    let fix: String
    /// The document that states the requirement.
    let source: String
    /// The request whose response is checked.
    let question: ConformanceQuestion
    let judge: @Sendable (RecordedExchange, SeenMarketplace) -> Verdict

    init(
        _ id: String, _ severity: LintRule.Severity, of question: ConformanceQuestion, _ title: String,
        expected: String, fix: String, source: String,
        judge: @escaping @Sendable (RecordedExchange, SeenMarketplace) -> Verdict
    ) {
        self.id = id
        self.title = title
        self.severity = severity
        self.expected = expected
        self.fix = fix
        self.source = source
        self.question = question
        self.judge = judge
    }

    /// The part of the id before the period, by which reports group checks.
    var family: String { String(id.prefix { $0 != "." }) }
}

extension ConformanceCheck {
    /// All checks, grouped by family.
    static let all: [ConformanceCheck] = [
        ConfigurationChecks.configuration, CertificateChecks.all, ConfigurationChecks.transport, SignInChecks.all,
        OfferChecks.restore, OfferChecks.updates, FailureChecks.all, TokenChecks.all, PackageChecks.all,
        LicenseChecks.all, RenewalChecks.all,
    ].flatMap(\.self)

    /// The families in report order, with their titles.
    static let families: [(name: String, title: String)] = [
        ("config", "The configuration"), ("certificate", "Certificates"), ("transport", "Transport"),
        ("oauth", "Signing in"), ("restore", "Restoring"), ("updates", "Updates"),
        ("failures", "Unavailable apps"), ("token", "Install tokens"), ("package", "Packages"),
        ("manifest", "A package's manifest"), ("license", "Licenses"), ("renewal", "Renewal"),
    ]

    /// Returns a check for each linter rule of a family, applied to the response to a question.
    ///
    /// Findings are reported with their positions. The checks are skipped if the response doesn't have status 200.
    static func linted(
        _ family: String, of question: ConformanceQuestion, as kind: LintKind
    ) -> [ConformanceCheck] {
        LintRule.all.filter { $0.id.hasPrefix("\(family).") }.map { rule in
            ConformanceCheck(rule, of: question) { exchange, _ in
                guard exchange.isDone, let response = exchange.response else { return .skip(exchange.whyNothing) }
                let broken = LintedFile.findings(in: response.body.bytes, as: kind).filter { $0.rule.id == rule.id }
                return broken.isEmpty ? .pass : .fail(broken.prefix(4).map(\.positioned).joined(separator: " "))
            }
        }
    }

    /// Creates a check that passes if a linter rule isn't violated.
    init(
        _ rule: LintRule, of question: ConformanceQuestion,
        judge: @escaping @Sendable (RecordedExchange, SeenMarketplace) -> Verdict
    ) {
        self.init(
            rule.id, rule.severity, of: question, rule.sentence.asFault, expected: rule.fix, fix: rule.fix,
            source: rule.source, judge: judge)
    }
}

extension LintFinding {
    /// The message, after the position of the error.
    var positioned: String { pointer.isEmpty ? message : "\(pointer): \(message)" }
}

extension String {
    /// Turns a rule's sentence, which describes a violation, into the title of the rule's check.
    fileprivate var asFault: String {
        let words = hasSuffix(".") ? String(dropLast()) : self
        let isName = words.prefix(2).allSatisfy(\.isUppercase) || words.first?.isLowercase == true
        return "No fault: " + (isName ? words : words.prefix(1).lowercased() + words.dropFirst())
    }
}
