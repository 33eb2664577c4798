import TenureCore
import TenureFormats

extension CatalogField<Tenant> {
    /// The tenant's settings for sending e-mail. `null` is the same as a missing member; an object without `from`
    /// stops sending.
    static var mail: Self {
        Self(
            "mail", schema: { _ in Tenant.MailSettings.section.schema },
            edits: { old, new in
                Tenant.MailSettings.section.edits(from: old.mail ?? .unset, to: new.mail ?? .unset).map { edit in
                    CatalogEdit("mail.\(edit.member)", edit.old, edit.new)
                }
            },
            { node, tenant, reader in
                guard node.value != .null else { return }
                var settings = Tenant.MailSettings.unset
                let members = Tenant.MailSettings.section.members(of: node, &reader)
                Tenant.MailSettings.section.fill(&settings, from: members, of: node, &reader)
                tenant.mail = settings
            })
    }
}

extension Tenant.MailSettings {
    /// The settings of a tenant that sends no e-mail.
    fileprivate static let unset = Tenant.MailSettings(from: "")

    fileprivate static let section = CatalogObject(
        "How the tenant sends letters to its customers.", sample: unset, isNullable: true,
        [
            .sender,
            .address("replyTo", \.replyTo, "The address for replies; by default the sender's."),
            .address(
                "bounces", \.bounces,
                "The address to which mail servers return letters that they can't deliver; by default the sender's."),
            .text(
                "baseURL", \.baseURL, longest: 256, pattern: "^https?://[!-~]+$",
                "The scheme and host of links in letters; by default those of `tenure serve --base-url`.",
                fault: {
                    WebURL(origin: $0) == nil ? "must be a scheme and a host such as https://licenses.example" : nil
                }),
        ]
    ) { settings, members, node, reader in
        if settings.from.isEmpty, members.keys.contains(where: { $0 != "from" }) {
            reader.report(node, "needs \"from\" if it has other fields")
        }
    }
}

extension CatalogField<Tenant.MailSettings> {
    fileprivate static var sender: Self {
        Self(
            "from",
            schema: { _ in
                Schema.text(length: 3...254, pattern: MailMessage.Address.pattern).orNull.described(
                    "The address that letters come from. Without it, the tenant sends none.")
            }, text: { $0.from.isEmpty ? "none" : $0.from }
        ) { node, settings, reader in
            guard let text = reader.text(node, limit: 254) else { return }
            if let fault = MailMessage.Address.fault(of: text) {
                reader.report(node, fault)
            } else {
                settings.from = text
            }
        }
    }

    fileprivate static func address(
        _ name: String, _ path: any WritableKeyPath<Tenant.MailSettings, String?> & Sendable, _ sentence: String
    ) -> Self {
        .text(
            name, path, longest: 254, pattern: MailMessage.Address.pattern, sentence,
            fault: { MailMessage.Address.fault(of: $0) })
    }
}

extension WebURL {
    /// Parses a URL that consists of a scheme, `http` or `https`, and a host with an optional port.
    package init?(origin text: String) {
        guard let url = WebURL(text), ["http", "https"].contains(url.scheme), url.rest.isEmpty, !url.hasUser else {
            return nil
        }
        self = url
    }
}
