/// A fact that a reason or an event may carry: what it is called, and of what type it is. The register of kinds declares
/// them, and a test compares what is said with what is declared.
public struct Fact: Sendable, Hashable {
    /// Of what type a fact is.
    public enum ValueType: String, Sendable, Hashable {
        /// A whole number: a count, or days.
        case number
        /// A moment; RFC 3339 on the wire.
        case date
        /// A text; never a key or a secret.
        case text
        /// A moment, or the text `never`.
        case dateOrNever
    }

    /// What it is called, in lower camel case, such as `expiredAt`.
    public let name: String

    /// Its type.
    public let type: ValueType

    /// Whether it may be left out.
    public let isOptional: Bool

    /// A whole number.
    public static func number(_ name: String) -> Fact { Fact(name: name, type: .number, isOptional: false) }

    /// A moment.
    public static func date(_ name: String) -> Fact { Fact(name: name, type: .date, isOptional: false) }

    /// A text.
    public static func text(_ name: String) -> Fact { Fact(name: name, type: .text, isOptional: false) }

    /// A moment, or the text `never`.
    public static func dateOrNever(_ name: String) -> Fact { Fact(name: name, type: .dateOrNever, isOptional: false) }

    /// The same fact, which may be left out.
    public var optional: Fact { Fact(name: name, type: type, isOptional: true) }

    /// Whether a value is of the type.
    public func admits(_ value: Reason.Evidence.Value) -> Bool {
        switch (type, value) {
        case (.number, .number), (.date, .date), (.text, .text), (.dateOrNever, .date): true
        case (.dateOrNever, .text(let text)): text == "never"
        default: false
        }
    }
}

extension [Fact] {
    /// What evidence says that is not declared so, in words; empty when it is as declared.
    public func faults(in evidence: [Reason.Evidence]) -> [String] {
        var faults: [String] = []
        for fact in self where !fact.isOptional && !evidence.contains(where: { $0.name == fact.name }) {
            faults.append("\(fact.name) is missing")
        }
        for said in evidence {
            // A fact may be said of several things, each as declared.
            guard let fact = first(where: { $0.name == said.name }) else {
                faults.append("\(said.name) is not declared")
                continue
            }
            if !fact.admits(said.value) { faults.append("\(said.name) is no \(fact.type.rawValue)") }
        }
        return faults
    }
}
