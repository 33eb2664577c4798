/// One change that `apply` makes or would make, for the person who ran it.
public struct PlannedChange: Sendable, Hashable, CustomStringConvertible {
    /// What is done.
    public enum Verb: String, Sendable {
        /// Something new.
        case create
        /// Something edited.
        case update
        /// Something no longer used, removed.
        case remove
        /// Something the file asks for and `apply` does not do.
        case keep
        /// Something that a person should know of a change beside it.
        case note
    }

    /// What is done.
    public let verb: Verb
    /// To what kind of thing: `tenant`, `product`, `policy`, `license`, `signing key`, `marketplace`, `app`, `version`,
    /// `account`, `grant`.
    public let kind: String
    /// Its name; of a license, the masked key.
    public let name: String
    /// What changes in it, or why it is kept; empty when the name says it all.
    public let detail: String

    /// Tells a change.
    package init(_ verb: Verb, _ kind: String, _ name: String, _ detail: String = "") {
        self.verb = verb
        self.kind = kind
        self.name = name
        self.detail = detail
    }

    /// One line: a sign, the kind, the name, the detail.
    public var description: String {
        let sign =
            switch verb {
            case .create: "+"
            case .update: "~"
            case .remove: "-"
            case .keep, .note: "!"
            }
        return "\(sign) \(kind) \(name)" + (detail.isEmpty ? "" : ": \(detail)")
    }
}
