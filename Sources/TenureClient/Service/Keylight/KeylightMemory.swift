package import TenureCore
import TenureFormats

/// What a Keylight client keeps across launches: its keys, a 404 that may come to count, and whose server has codes.
package struct KeylightMemory: Sendable, Hashable {
    /// The keys as ``VouchedKeys/kept()`` wrote them: a JSON object.
    package var keys: [UInt8]
    /// The 404, if the last answer was one.
    package var notFound: NotFoundOnce?
    /// The address of the server that has shown one of Tenure's codes; nil while none has.
    package var codedServer: String?

    package init(
        keys: [UInt8] = Array("{}".utf8), notFound: NotFoundOnce? = nil, codedServer: String? = nil
    ) {
        self.keys = keys
        self.notFound = notFound
        self.codedServer = codedServer
    }

    /// Reads what ``json()`` wrote; what does not read is left out.
    package init(json: [UInt8]) {
        self.init()
        guard let object = try? FlatObject(scanning: json) else { return }
        if let text = object.string("keys").value { keys = Array(text.utf8) }
        codedServer = object.string("coded_server").value
        if let member = object.object("not_found").value, let activation = member.string("activation").value,
            let since = member.integer("since").value
        {
            notFound = NotFoundOnce(activation: activation, since: Timestamp(seconds: since))
        }
    }

    /// The memory as a JSON object.
    package func json() -> [UInt8] {
        JSONWriter.object { object in
            object.member("keys", String(decoding: keys, as: UTF8.self))
            if let notFound {
                object.object("not_found") { member in
                    member.member("activation", notFound.activation)
                    member.member("since", notFound.since.seconds)
                }
            }
            if let codedServer { object.member("coded_server", codedServer) }
        }
    }
}

/// Remembers that a foreign server did not find a license, until it has said so long enough (design §5).
///
/// A 404 without a code may be about a license key, or about a tenant or product that somebody is just moving. So it
/// counts when it is still there five minutes later, with no other answer in between.
package struct NotFoundOnce: Sendable, Hashable {
    /// How far apart two 404s are, in seconds, before they count.
    package static let apart: Int64 = 300

    /// The activation that was asked about.
    package let activation: String
    /// When it was not found for the first time.
    package let since: Timestamp

    /// Remembers one.
    package init(activation: String, since: Timestamp) {
        self.activation = activation
        self.since = since
    }

    /// Whether a 404 now counts, and what to remember of it. A clock that was set back begins anew.
    package static func seen(
        _ activation: String, at now: Timestamp, after earlier: NotFoundOnce?
    ) -> (counts: Bool, remembered: NotFoundOnce) {
        guard let earlier, earlier.activation == activation, earlier.since <= now else {
            return (false, NotFoundOnce(activation: activation, since: now))
        }
        return (earlier.since.seconds(until: now) >= apart, earlier)
    }
}
