package import TenureCore
import TenureFormats

/// What a Keylight client stores across launches.
package struct KeylightMemory: Sendable, Hashable {
    /// The keys as encoded by ``VouchedKeys/encoded()``, a JSON object.
    package var keys: [UInt8]
    /// The pending 404, if the last response was one.
    package var notFound: NotFoundOnce?
    /// The address of the server that has sent one of Tenure's error codes; `nil` if none has.
    package var codedServer: String?

    package init(
        keys: [UInt8] = Array("{}".utf8), notFound: NotFoundOnce? = nil, codedServer: String? = nil
    ) {
        self.keys = keys
        self.notFound = notFound
        self.codedServer = codedServer
    }

    /// Decodes the output of ``json()``; invalid parts are skipped.
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

    /// Encodes the value as a JSON object, for ``init(json:)``.
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

/// Remembers that a third-party server responded 404, until the 404 counts as a refusal.
///
/// A 404 without a code may be about the license key, but also about a tenant or product that is being moved. So it
/// counts as a refusal only if it occurs again at least five minutes later with no other response in between
/// (`Documentation/client.md`).
package struct NotFoundOnce: Sendable, Hashable {
    /// The minimum interval between the first 404 and the one that counts as a refusal, in seconds.
    package static let apart: Int64 = 300

    /// The activation that the request was about.
    package let activation: String
    /// When the first of the 404s was received.
    package let since: Timestamp

    package init(activation: String, since: Timestamp) {
        self.activation = activation
        self.since = since
    }

    /// Whether a 404 that was received now counts as a refusal, and what to remember about it.
    ///
    /// If the clock has been set back, this 404 counts as the first one.
    package static func seen(
        _ activation: String, at now: Timestamp, after earlier: NotFoundOnce?
    ) -> (counts: Bool, remembered: NotFoundOnce) {
        guard let earlier, earlier.activation == activation, earlier.since <= now else {
            return (false, NotFoundOnce(activation: activation, since: now))
        }
        return (earlier.since.seconds(until: now) >= apart, earlier)
    }
}
