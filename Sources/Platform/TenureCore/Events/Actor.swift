/// The party that caused an event.
///
/// The set of kinds is open: a feature whose events have further causes declares their kinds as extension constants.
public struct Actor: Sendable, Hashable, CustomStringConvertible {
    /// A kind of party, identified by a stable name.
    public struct Kind: Sendable, Hashable {
        /// The name in stored events, such as `operator`; it has no colon.
        public let text: String

        /// Declares a kind.
        public init(_ text: String) { self.text = text }
    }

    /// The kind of party, such as a device or the operator.
    public let kind: Kind
    /// The party's name among others of its kind; `nil` if events don't distinguish them.
    public let name: String?

    /// Creates an actor from its kind and name.
    public init(_ kind: Kind, _ name: String? = nil) {
        self.kind = kind
        self.name = name
    }

    /// `KIND` or `KIND:NAME`, such as `device` or `operator:cli`.
    public var description: String { name.map { "\(kind.text):\($0)" } ?? kind.text }

    /// Parses the text that ``description`` produces, even if this version doesn't know the kind.
    public init(text: String) {
        // Bytes are searched, because a name may begin with a combining mark, which would be one character with the
        // colon.
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            self.init(Kind(text))
            return
        }
        self.init(Kind(String(text[..<colon])), String(text[text.utf8.index(after: colon)...]))
    }
}

extension Actor.Kind {
    /// An app on a device.
    public static var device: Self { Self("device") }
    /// The operator, who uses the command line or an API token.
    public static var `operator`: Self { Self("operator") }
    /// A license holder who uses the page of their licenses.
    public static var holder: Self { Self("holder") }
    /// The server itself, for example when it notices that a date has passed.
    public static var time: Self { Self("time") }
}

extension Actor {
    /// An app on a device.
    public static var device: Actor { Actor(.device) }
    /// A license holder who uses the page of their licenses.
    public static var holder: Actor { Actor(.holder) }
    /// The server itself, for example when it notices that a date has passed.
    public static var time: Actor { Actor(.time) }

    /// The operator, by the id of the API token, such as `tok_...`, or `cli` for the command line.
    public static func `operator`(_ name: String) -> Actor { Actor(.operator, name) }
}
