package import TenureLint

/// What a marketplace's server must do, or should: one check, declared once.
package struct ConformanceCheck: Sendable {
    /// What a check came to.
    package enum Verdict: Sendable, Hashable {
        /// The server does as it must.
        case pass
        /// It does not; what it did instead, in a sentence.
        case fail(String)
        /// It was not looked at; why.
        case skip(String)
    }

    /// Names it, behind its family: `package.range_ignored`.
    package let id: String
    /// What is looked at, in a few words.
    package let title: String
    /// How grave it is to fail it.
    package let severity: LintRule.Severity
    /// What a server does that passes.
    package let expected: String
    /// What to do, in a sentence.
    package let fix: String
    /// Who says so.
    package let source: String
    /// The question whose answer it looks at.
    package let question: ConformanceQuestion
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

    /// What the id begins with.
    package var family: String { String(id.prefix { $0 != "." }) }
}

extension ConformanceCheck {
    /// Every check, family by family.
    package static let all: [ConformanceCheck] =
        config + certificate + transport + oauth + restore + updates + failures + token + package + license + renewal

    /// The families in their order, each with what it is about.
    package static let families: [(name: String, title: String)] = [
        ("config", "The configuration"), ("certificate", "Certificates"), ("transport", "Transport"),
        ("oauth", "Signing in"), ("restore", "Restoring"), ("updates", "Updates"),
        ("failures", "Apps that cannot be had"), ("token", "Install tokens"), ("package", "Packages"),
        ("manifest", "A package's manifest"), ("license", "Licenses"), ("renewal", "Renewal"),
    ]

    /// A rule of the linter, held against the answer to a question.
    ///
    /// Findings are told with their places; a rule that the linter cannot hold, for a key is missing, is skipped.
    static func linted(
        _ rule: LintRule, of question: ConformanceQuestion,
        finds: @escaping @Sendable (RecordedExchange, SeenMarketplace) -> [LintFinding]?
    ) -> ConformanceCheck {
        ConformanceCheck(
            rule.id, rule.severity, of: question, rule.sentence.asFault, expected: rule.fix,
            fix: rule.fix, source: rule.source
        ) { exchange, seen in
            guard let findings = finds(exchange, seen) else { return .skip(exchange.whyNothing) }
            let broken = findings.filter { $0.rule.id == rule.id }
            if broken.isEmpty { return .pass }
            let told = broken.prefix(4).map { "\($0.pointer.isEmpty ? "" : "\($0.pointer): ")\($0.message)" }
            return .fail(told.joined(separator: " "))
        }
    }
}

extension String {
    /// A rule's sentence tells what was found, as the title of a check that looks for it.
    fileprivate var asFault: String {
        let words = hasSuffix(".") ? String(dropLast()) : self
        let isName = words.prefix(2).allSatisfy(\.isUppercase) || words.first?.isLowercase == true
        return "No fault: " + (isName ? words : words.prefix(1).lowercased() + words.dropFirst())
    }
}
