/// A change that `tenure apply` makes, or would make in a dry run.
public struct PlannedChange: Sendable, Hashable, CustomStringConvertible {
    /// What `tenure apply` does with an object of the catalog.
    public enum Verb: String, Sendable {
        /// A new object is created.
        case create
        /// An existing object is changed.
        case update
        /// An object that the file no longer names is removed.
        case remove
        /// The file requests a change that `apply` doesn't make.
        case keep
        /// A remark about a change.
        case note

        /// Whether the store changes, as opposed to ``keep`` and ``note``.
        var isChange: Bool { self != .keep && self != .note }

        /// The first character of the change's line in text output.
        var sign: String {
            switch self {
            case .create: "+"
            case .update: "~"
            case .remove: "-"
            case .keep, .note: "!"
            }
        }
    }

    /// What `tenure apply` does with the object, or would do in a dry run.
    public let verb: Verb
    /// The type of the object, such as `product`, `license` or `signing key`.
    public let kind: String
    /// The name of the changed object; for a license, its masked key.
    public let name: String
    /// The details of the change, or the reason why nothing changes; empty if the name is enough.
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
