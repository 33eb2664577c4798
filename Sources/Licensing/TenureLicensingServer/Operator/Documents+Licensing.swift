public import TenureCore
public import TenureFormats
public import TenureLicensing
public import TenureServerKit

/// A license with the only copy of its key's text.
struct KeyedLicense: Sendable {
    let keyText: String
    let license: AsOf<License>

    static let document = Document<KeyedLicense>(
        "IssuedLicense",
        [.text("licenseKey", "The complete license key. It is shown only this once.") { $0.keyText }]
            + License.document.members { $0.license })
}

extension SeenActivation {
    /// An activation under its public id; pass it through ``PublicNames/shown(_:)`` first.
    package static let document = Document<SeenActivation>(
        "Activation",
        [
            .text(
                "id", "Its public id. This is neither the device's own id nor a Keylight `instance_id`.",
                .text(format: "uuid")
            ) { $0.activation.id.description },
            .text("license", "The license it belongs to.") { $0.activation.license.description },
            .text("name", "The device's name, as the app reported it.") { $0.activation.name },
            .textOrNull("system", "The device's operating system, as it last reported it, such as `macOS`.") {
                $0.activation.system?.name
            },
            .textOrNull("systemVersion", "The version of its operating system, such as `15.1`.") {
                $0.activation.system?.version
            },
            .dateTime("activatedAt") { $0.activation.activatedAt },
            .dateTime("lastSeenAt") { $0.lastSeenAt },
            .momentOrNull("releasedAt") { $0.activation.releasedAt },
        ])
}

extension License.Explanation {
    /// The license's current state and the reasons for it.
    package static let document = Document<License.Explanation>(
        nil,
        [
            .choice("state", "Its current state.") { $0.state },
            .textOrNull(
                "lease", "The lease that an activated device would get.", .choice(["active", "fallback", "expired"])
            ) { $0.lease?.rawValue },
            .momentOrNull("changesAt") { $0.changesAt },
            .list("reasons", of: Reason.document) { $0.reasons },
            .list(
                "notes", of: Reason.document,
                "What prevents nothing now: a grace period, and what continues during a suspension."
            ) { $0.notes },
            .list(
                "statedActs", of: StatedAct.document,
                "The acts of operators that have an effect and for which a reason was given, newest first."
            ) { $0.statedActs },
        ])
}

extension StatedAct {
    /// An operator's act with the reason that was given for it.
    fileprivate static let document = Document<StatedAct>(
        "StatedAct",
        [
            .text("kind", "The kind of its event, such as `license.suspended`.") { $0.kind.text },
            .dateTime("at") { $0.at },
            .text("reason", "The reason, in the operator's words.") { $0.reason.text },
            .boolean("told", "Whether the holder may read the reason.") { $0.reason.isTold },
            .textOrNull("device", "The name of the released device.") { $0.device },
        ])
}

extension JSONObjectWriter {
    /// Writes the members of a license at a given time.
    public mutating func license(_ license: License, at now: Timestamp) {
        License.document.write(AsOf(license, at: now), into: &self)
    }

    /// Writes the members of an activation.
    public mutating func activation(_ activation: SeenActivation) {
        SeenActivation.document.write(activation, into: &self)
    }

    /// Writes the list of a license's former keys.
    mutating func formerKeys(_ keys: [ReplacedKey]) {
        array("formerKeys") { list in
            for key in keys { list.object { ReplacedKey.document.write(key, into: &$0) } }
        }
    }

    /// Writes the members of an explanation.
    public mutating func explanation(_ explanation: License.Explanation) {
        License.Explanation.document.write(explanation, into: &self)
    }

    /// Writes the members of a signing key, without its private half.
    public mutating func signingKey(_ key: SigningKeyRecord) {
        member("tenant", key.tenant.text)
        member("kid", key.kid)
        member("standing", key.status.rawValue)
        member("publicKey", base64: key.publicKey)
        member("createdAt", key.createdAt.description)
        member("publishedUntil", key.publishedUntil?.description)
    }

    /// Writes the members of a prepared key, which signs after the next rotation.
    public mutating func signingKey(_ key: SigningKeyRecord.Prepared) {
        member("tenant", key.tenant.text)
        member("kid", key.kid)
        member("standing", "prepared")
        member("publicKey", base64: key.publicKey)
        member("createdAt", key.createdAt.description)
        member("publishedUntil", nil as String?)
    }
}

extension SigningKeyRecord {
    /// The members of a signing key or prepared key, as commands print it.
    static let members: [Schema.OutputMember] = [
        ("tenant", .text()), ("kid", .text()), ("standing", .choice(["primary", "retiring", "retired", "prepared"])),
        ("publicKey", .text()), ("createdAt", .dateTime), ("publishedUntil", .momentOrNull),
    ]
}
