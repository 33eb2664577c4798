/// The name and type of a fact that a reason or an event may carry.
///
/// Each kind declares its facts, and a test compares the facts that are sent with these declarations.
public struct Fact: Sendable, Hashable {
    /// The type of a fact's value.
    public enum ValueType: String, Sendable, Hashable {
        /// An integer, such as a count or a number of days.
        case number
        /// A point in time, written as RFC 3339 in the API.
        case date
        /// A string; never a license key or another secret.
        case text
        /// A point in time, or the text `never`.
        case dateOrNever
    }

    /// The name in lower camel case, such as `expiredAt`.
    public let name: String

    /// The type that every value with this name must have.
    public let type: ValueType

    /// Whether the fact may be missing.
    public let isOptional: Bool

    /// Declares a required integer.
    public static func number(_ name: String) -> Fact { Fact(name: name, type: .number, isOptional: false) }

    /// Declares a required point in time.
    public static func date(_ name: String) -> Fact { Fact(name: name, type: .date, isOptional: false) }

    /// Declares a required string.
    public static func text(_ name: String) -> Fact { Fact(name: name, type: .text, isOptional: false) }

    /// Declares a required point in time that may also be the text `never`.
    public static func dateOrNever(_ name: String) -> Fact { Fact(name: name, type: .dateOrNever, isOptional: false) }

    /// A copy of this fact that may be missing.
    public var optional: Fact { Fact(name: name, type: type, isOptional: true) }

    /// Whether a value has this fact's type.
    public func admits(_ value: Reason.Evidence.Value) -> Bool {
        switch (type, value) {
        case (.number, .number), (.date, .date), (.text, .text), (.dateOrNever, .date): true
        case (.dateOrNever, .text(let text)): text == "never"
        default: false
        }
    }
}

extension [Fact] {
    /// Compares evidence with these declarations and describes every mismatch.
    ///
    /// The result is empty if the evidence matches.
    public func faults(in evidence: [Reason.Evidence]) -> [String] {
        var faults: [String] = []
        for fact in self where !fact.isOptional && !evidence.contains(where: { $0.name == fact.name }) {
            faults.append("\(fact.name) is missing")
        }
        for said in evidence {
            // The same fact may appear several times; every value must have the declared type.
            guard let fact = first(where: { $0.name == said.name }) else {
                faults.append("\(said.name) is not declared")
                continue
            }
            if !fact.admits(said.value) { faults.append("\(said.name) is no \(fact.type.rawValue)") }
        }
        return faults
    }
}
