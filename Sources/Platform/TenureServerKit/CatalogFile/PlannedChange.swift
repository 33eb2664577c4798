/// A change that `tenure apply` makes, or would make in a dry run.
public struct PlannedChange: Sendable, Hashable, CustomStringConvertible {
    /// The kind of change.
    public enum Verb: String, Sendable {
        /// A new thing is created.
        case create
        /// An existing thing is changed.
        case update
        /// Something that is no longer used is removed.
        case remove
        /// The file requests something that `apply` doesn't do.
        case keep
        /// A remark about a change.
        case note

        /// Whether something is changed, rather than left as it is.
        var isChange: Bool { self != .keep && self != .note }

        /// The sign with which its line begins.
        var sign: String {
            switch self {
            case .create: "+"
            case .update: "~"
            case .remove: "-"
            case .keep, .note: "!"
            }
        }
    }

    /// The kind of change.
    public let verb: Verb
    /// The type of the changed object.
    ///
    /// One of `tenant`, `product`, `policy`, `license`, `signing key`, `marketplace`, `app`, `version`, `account` and
    /// `grant`.
    public let kind: String
    /// The name; for a license, its masked key.
    public let name: String
    /// What changes, or why it doesn't; empty if the name is enough.
    public let detail: String

    package init(_ verb: Verb, _ kind: String, _ name: String, _ detail: String = "") {
        self.verb = verb
        self.kind = kind
        self.name = name
        self.detail = detail
    }

    /// One line: a sign, the kind, the name and the detail.
    public var description: String {
        "\(verb.sign) \(kind) \(name)" + (detail.isEmpty ? "" : ": \(detail)")
    }
}
