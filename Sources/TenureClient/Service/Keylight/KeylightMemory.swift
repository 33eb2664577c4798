import TenureCore
package import TenureCrypto
import TenureFormats

/// What a Keylight client keeps across launches: learned keys, and a 404 that may come to count.
package struct KeylightMemory: Sendable, Hashable {
    /// Learned keys by `kid`.
    package var keys: [String: Ed25519.PublicKey]
    /// The 404, if the last answer was one.
    package var notFound: NotFoundOnce?

    package init(keys: [String: Ed25519.PublicKey] = [:], notFound: NotFoundOnce? = nil) {
        self.keys = keys
        self.notFound = notFound
    }

    /// Reads what ``json()`` wrote; what does not read is left out.
    package init(json: [UInt8]) {
        self.init()
        guard let object = try? FlatObject(scanning: json) else { return }
        for member in object.objects("keys").value ?? [] {
            guard let kid = member.string("kid").value, let text = member.string("public_key").value,
                let bytes = Base64.decode(text), let key = try? Ed25519.PublicKey(bytes: bytes)
            else { continue }
            keys[kid] = key
        }
        if let member = object.object("not_found").value, let activation = member.string("activation").value,
            let since = member.integer("since").value
        {
            notFound = NotFoundOnce(activation: activation, since: Timestamp(seconds: since))
        }
    }

    /// The memory as a JSON object.
    package func json() -> [UInt8] {
        JSONWriter.object { object in
            object.array("keys") { list in
                for (kid, key) in keys.sorted(by: { $0.key < $1.key }) {
                    list.object { member in
                        member.member("kid", kid)
                        member.member("public_key", Base64.encode(key.bytes))
                    }
                }
            }
            if let notFound {
                object.object("not_found") { member in
                    member.member("activation", notFound.activation)
                    member.member("since", notFound.since.seconds)
                }
            }
        }
    }
}
