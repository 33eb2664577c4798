/// Asks servers of others, on the web; rooms know no more of how that is done.
///
/// Nothing is followed and no cookie is kept: a redirect is an answer. What is asked is said by others as often as not, so
/// each request says where it may lead, and how much may come back.
public protocol Outbound: Sendable {
    /// Asks and takes the whole answer, at most ``OutboundRequest/limit`` bytes. Throws ``OutboundError``.
    func ask(_ request: OutboundRequest) async throws(OutboundError) -> OutboundAnswer

    /// Asks, and gives the body to `take` as it comes: on a thread of its own, one piece after the other.
    ///
    /// The body is not in the answer. `begin` is told status and fields before it, and says whether it is wanted; where it
    /// is not, or `take` says that it wants no more, the answer ends there, and that is no error. Throws
    /// ``OutboundError``; what was taken until then has come.
    func fetch(
        _ request: OutboundRequest, begin: @escaping @Sendable (OutboundAnswer) -> Bool,
        take: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(OutboundError) -> OutboundAnswer
}

/// What is asked of another's server.
public struct OutboundRequest: Sendable, Hashable {
    /// Which servers may be asked.
    public enum Reach: Sendable, Hashable {
        /// Those on the internet: no address of this machine, of a private or of a local network, whatever a name leads to.
        case publicAddresses
        /// Any.
        case everywhere
    }

    /// The absolute URL, http or https.
    public let url: String
    /// Fields of the head; `Host` and what a body needs are added.
    public let fields: [(name: String, value: String)]
    /// Which servers may be asked.
    public let reach: Reach
    /// Bytes of the body that may come.
    public let limit: Int64
    /// Seconds until the answer must be whole; one that stands still for 30 is given up earlier.
    public let seconds: Int

    /// Asks for a URL with GET.
    public init(
        _ url: String, fields: [(name: String, value: String)] = [], reach: Reach, limit: Int64, seconds: Int
    ) {
        self.url = url
        self.fields = fields
        self.reach = reach
        self.limit = limit
        self.seconds = seconds
    }

    /// Compares all of it.
    public static func == (one: OutboundRequest, other: OutboundRequest) -> Bool {
        one.url == other.url && one.reach == other.reach && one.limit == other.limit && one.seconds == other.seconds
            && one.fields.elementsEqual(other.fields) { $0 == $1 }
    }

    /// Hashes the URL alone.
    public func hash(into hasher: inout Hasher) { hasher.combine(url) }
}

/// What another's server answered.
public struct OutboundAnswer: Sendable {
    /// The status.
    public let status: Int
    /// The fields of the head, in their order.
    public let fields: [(name: String, value: String)]
    /// The body; empty where it was given away.
    public let body: [UInt8]

    /// Puts it together.
    public init(status: Int, fields: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The first field of that name, in whatever case.
    public subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// Why there is no answer.
public struct OutboundError: Error, Sendable, Hashable {
    /// What went wrong.
    public enum Kind: String, Sendable, Hashable {
        /// It was not asked, for it may not be: no web address, or one that leads into a private network.
        case forbidden
        /// No connection, no trust, no answer in time, or half of one.
        case unreachable
        /// More came than may.
        case tooLong
        /// The work was called off.
        case cancelled
    }

    /// What went wrong.
    public let kind: Kind
    /// The same for an operator, without what is secret in an address.
    public let message: String

    /// Says what went wrong.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
