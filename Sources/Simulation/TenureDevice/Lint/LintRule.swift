/// A rule that a marketplace's files must or should follow.
struct LintRule: Sendable, Hashable {
    /// How serious a violation of the rule is.
    enum Severity: String, Sendable, Hashable, CaseIterable {
        /// A device rejects the file or behaves differently than intended.
        case error
        /// Devices accept the file, but it will cause problems.
        case warning
        /// The file is correct; the note is for information.
        case note
    }

    /// The rule's id, which begins with the kind of file, such as `config.https`.
    let id: String
    let severity: Severity
    /// A sentence that describes a violation.
    let sentence: String
    /// A sentence on how to correct a violation.
    let fix: String
    /// The document that states the rule.
    let source: String

    init(_ id: String, _ severity: Severity, _ sentence: String, fix: String, source: String) {
        self.id = id
        self.severity = severity
        self.sentence = sentence
        self.fix = fix
        self.source = source
    }
}

/// A violation of a rule at one position of a file.
struct LintFinding: Sendable, Hashable {
    let rule: LintRule
    /// The position: a JSON pointer (RFC 6901) or the path of a file in a package; empty for the whole file.
    let pointer: String
    /// The found and the expected value, in one sentence.
    let message: String

    /// Creates a finding; without a message, it uses the rule's sentence.
    init(_ rule: LintRule, at pointer: String = "", _ message: String? = nil) {
        self.rule = rule
        self.pointer = pointer
        self.message = message ?? rule.sentence
    }
}

extension LintRule {
    /// All rules, grouped by kind of file.
    static let all: [LintRule] = config + manifest + oauth + token + package

    /// Returns the rules for the JSON syntax of one kind of file.
    static func json(_ family: String) -> [LintRule] {
        [
            LintRule(
                "\(family).json", .error, "The file is not a JSON object.",
                fix: "Correct the text at the reported position.", source: "RFC 8259"),
            LintRule(
                "\(family).bom", .error, "The file starts with a byte order mark.",
                fix: "Save it as UTF-8 without one.", source: "RFC 8259, 8.1"),
            LintRule(
                "\(family).duplicate_member", .error, "An object has two fields with the same name.",
                fix: "Keep only one; parsers disagree about which one counts.", source: "RFC 8259, 4"),
        ]
    }

    /// Returns the rule with this id, which must exist: ids come from code, never from a checked file.
    static func named(_ id: String) -> LintRule {
        guard let rule = byID[id] else { preconditionFailure("there is no rule \(id)") }
        return rule
    }

    private static let byID = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
}
