/// What a marketplace's file must be, or should: one rule, declared once.
public struct LintRule: Sendable, Hashable {
    /// How grave it is to break it.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        /// A device refuses the file, or does something else than was meant.
        case error
        /// It works, and will trouble somebody.
        case warning
        /// Worth knowing.
        case note
    }

    /// Names it, behind the kind of file: `config.https`.
    public let id: String
    /// How grave it is to break it.
    public let severity: Severity
    /// What was found, in a sentence.
    public let sentence: String
    /// What to do, in a sentence.
    public let fix: String
    /// Who says so.
    public let source: String

    init(_ id: String, _ severity: Severity, _ sentence: String, fix: String, source: String) {
        self.id = id
        self.severity = severity
        self.sentence = sentence
        self.fix = fix
        self.source = source
    }
}

/// A place where a file breaks a rule.
public struct LintFinding: Sendable, Hashable {
    /// The rule.
    public let rule: LintRule
    /// Where, as a JSON pointer (RFC 6901); the path of a file in a package; empty for the whole.
    public let pointer: String
    /// What is there and what was expected, in a sentence.
    public let message: String

    /// States a finding; without a message, in the words of the rule.
    public init(_ rule: LintRule, at pointer: String = "", _ message: String? = nil) {
        self.rule = rule
        self.pointer = pointer
        self.message = message ?? rule.sentence
    }
}

extension LintRule {
    /// Every rule, family by family.
    public static let all: [LintRule] = config + manifest + oauth + token + package

    /// The rules of a JSON text, for a family.
    static func json(_ family: String) -> [LintRule] {
        [
            LintRule(
                "\(family).json", .error, "The file is not the JSON object it should be.",
                fix: "Mend the text at the place that is told.", source: "RFC 8259"),
            LintRule(
                "\(family).bom", .error, "The file begins with a byte order mark.",
                fix: "Save it as UTF-8 without one.", source: "RFC 8259, 8.1"),
            LintRule(
                "\(family).duplicate_member", .error, "An object has two members of one name.",
                fix: "Leave one of them: readers disagree about which counts.", source: "RFC 8259, 4"),
        ]
    }

    /// The rule of a name that the program has; what is looked at chooses none.
    static func named(_ id: String) -> LintRule {
        guard let rule = byID[id] else { preconditionFailure("there is no rule \(id)") }
        return rule
    }

    private static let byID = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
}
