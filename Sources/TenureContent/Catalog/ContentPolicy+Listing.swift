import TenureCore
import TenureFormats
import TenureServerKit

extension ContentPolicy {
    /// A policy of contents in a catalog file.
    static let listing = CatalogObject(
        "Rules that grants of contents are made from; null is no limit.", sample: ContentPolicy(id: .sample),
        [
            .id(), .bound("expiresAfterDays", \.expiresAfterDays),
            .bound("windowAfterFirstPlayHours", \.windowAfterFirstPlayHours), .bound("grantedPlays", \.grantedPlays),
            .bound("grantedPlaySeconds", \.grantedPlaySeconds),
            .choice(
                "playTimeBasis", \.playTimeBasis,
                else: "must be \"media\" (seconds that were rendered) or \"wall\" (time that passed)"),
            .bound("countAfterSeconds", \.countAfterSeconds), .bound("resumeWithinSeconds", \.resumeWithinSeconds),
            .bound("checkInDays", \.checkInDays), .flag("onlineRequired", \.onlineRequired),
            .flag("askBeforeRenew", \.askBeforeRenew), .flag("renewable", \.renewable),
            .bound("renewAheadDays", \.renewAheadDays), .bound("renewAfterExpiryDays", \.renewAfterExpiryDays),
            .bound("maxRenewals", \.maxRenewals),
            .choice(
                "onRenewal", \.onRenewal,
                else: "must be \"reset\" (what was used is forgotten) or \"carry\" (it goes on counting)"),
            .bound("graceHours", \.graceHours),
            .choice(
                "whenOver", \.whenOver,
                else: "must be \"finish\", \"stop\" or \"grace\": what a running play does when its date comes"),
            .bound("deviceLimit", \.deviceLimit), .bound("deviceChanges", \.deviceChanges), .selfRelease(\.selfRelease),
        ]
    ) { policy, members, _, _ in
        if members["deviceChanges"] == nil { policy.deviceChanges = policy.deviceLimit.map { max(3, $0) } }
    }

    /// Reads one; nil when it has no usable id.
    init?(_ node: CatalogNode, _ reader: inout CatalogReader) {
        let members = Self.listing.members(of: node, &reader)
        guard let id = reader.slug(members["id"], of: node, as: ContentPolicyID.self) else { return nil }
        self.init(id: id)
        Self.listing.fill(&self, from: members, of: node, &reader)
    }

    fileprivate static func range(_ member: String) -> ClosedRange<Int> {
        guard let bound = bounds.first(where: { $0.member == member }) else {
            preconditionFailure("\(member) has no bound")
        }
        return bound.range
    }
}

extension CatalogField<ContentPolicy> {
    fileprivate static func bound(
        _ name: String, _ path: any WritableKeyPath<ContentPolicy, Int?> & Sendable
    ) -> Self { .integer(name, ContentPolicy.range(name), path) }

    fileprivate static func bound(_ name: String, _ path: any WritableKeyPath<ContentPolicy, Int> & Sendable) -> Self {
        .integer(name, ContentPolicy.range(name), path)
    }
}

extension KollusSettings {
    /// What a tenant has with Kollus, in a catalog file.
    static let listing = CatalogObject(
        "What is agreed with Kollus; secrets are sealed.", sample: KollusSettings(securityKey: "", customKey: ""),
        isNullable: true,
        [
            .secret("securityKey", \.securityKey), .secretFile("securityKeyFile", \.securityKey),
            .text("customKey", \.customKey),
            .choice(
                "callbackAuth", \.callbackAuth,
                else: "must be \"path\" (a secret in the callback's path) or \"none\" (anybody may call it)"),
            .choice(
                "unknownDownloads", \.unknownDownloads,
                else: "must be \"leave\" (downloads from before play on) or \"expire\""),
        ]
    ) { settings, members, node, reader in
        let given = ["securityKey", "securityKeyFile"].filter { (members[$0]?.value ?? .null) != .null }
        if given.count != 1 {
            reader.report(node, "needs \"securityKey\" or \"securityKeyFile\", one of them")
        } else if settings.securityKey.isEmpty {
            reader.report(node, "the security key is empty")
        }
    }
}

extension CatalogField<KollusSettings> {
    /// A secret as a text; it is never told.
    fileprivate static func secret(
        _ name: String, _ path: any WritableKeyPath<KollusSettings, String> & Sendable
    ) -> Self {
        Self(
            name, schema: { _ in Schema.text(length: 1...256).orNull },
            edits: { old, new in
                old[keyPath: path] == new[keyPath: path] ? [] : [CatalogEdit(name, "set", "another")]
            },
            { node, settings, reader in
                if let text = reader.text(node) { settings[keyPath: path] = text }
            })
    }

    /// A secret in the first line of a file beside the catalog.
    fileprivate static func secretFile(
        _ name: String, _ path: any WritableKeyPath<KollusSettings, String> & Sendable
    ) -> Self {
        Self(name, schema: { _ in Schema.text(length: 1...4096).orNull }) { node, settings, reader in
            guard let file = reader.text(node, limit: 4096) else { return }
            do throws(NearbyFileError) {
                let bytes = try reader.files.bytes(of: file, in: nil, limit: 4096) ?? []
                let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
                settings[keyPath: path] = String(decoding: line, as: UTF8.self)
            } catch {
                reader.report(node, error.message)
            }
        }
    }
}
