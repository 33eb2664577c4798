import TenureCore
import TenureFormats

/// What a Keylight client keeps across launches: its keys, and a 404 that may come to count.
package struct KeylightMemory: Sendable, Hashable {
    /// The keys as ``VouchedKeys/kept()`` wrote them: a JSON object.
    package var keys: [UInt8]
    /// The 404, if the last answer was one.
    package var notFound: NotFoundOnce?

    package init(keys: [UInt8] = Array("{}".utf8), notFound: NotFoundOnce? = nil) {
        self.keys = keys
        self.notFound = notFound
    }

    /// Reads what ``json()`` wrote; what does not read is left out.
    package init(json: [UInt8]) {
        self.init()
        guard let object = try? FlatObject(scanning: json) else { return }
        if let text = object.string("keys").value { keys = Array(text.utf8) }
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
        }
    }
}
