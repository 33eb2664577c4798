import TenureCommandLine
import TenureCore
import TenureStore

extension Attention {
    /// Problems with letters that the operator must solve.
    static let mails: [Attention] = [
        letters(
            "refused_mails", in: .waiting,
            remedy: "Correct the cause, such as a wrong password, and restart the server.",
            where: { mail, _ in mail.isOperatorFault },
            detail: { $0.answer.map(withoutAddresses) }
        ) { all, number in
            "\(number) wait, because the mail server refuses to send: \(all.details.sorted().first ?? "-")"
        },
        letters(
            "late_mails", in: .waiting,
            remedy: "Run `tenure mail list --tenant TENANT --state waiting`, and check that a server runs with --smtp.",
            where: { mail, now in !mail.isOperatorFault && now.seconds - mail.changedAt.seconds > 3600 }
        ) { all, number in "\(number) have been waiting for over an hour, the first since \(all.oldest.local)" },
        letters(
            "failed_mails", in: .failed,
            remedy:
                "Run `tenure mail list --tenant TENANT --state failed`. Correct a wrong address with `tenure license "
                + "change`, and send the key again with `tenure license send-key`. If the address is right, run "
                + "`tenure mail retry --tenant TENANT --state failed`."
        ) { all, number in "\(number) failed, the first at \(all.oldest.local)" },
        letters(
            "bounced_mails", in: .bounced,
            remedy: "Run `tenure mail list --tenant TENANT --state bounced`. Correct the address with `tenure "
                + "license change`, and send the key again with `tenure license send-key`."
        ) { all, number in "\(number) bounced, the first at \(all.oldest.local)" },
        letters(
            "held_mails", in: .held,
            remedy:
                "The store that was replaced may have sent them. Run `tenure mail list --tenant TENANT --state held`, "
                + "then `tenure mail retry --tenant TENANT --state held`.",
            where: { mail, _ in !mail.hadNoSender }
        ) { all, number in "\(number) are held since a restore, the first since \(all.oldest.local)" },
        letters(
            "mails_without_sender", in: .held,
            remedy:
                "Add `mail` with the sender's address to the tenant in the catalog, and run `tenure apply`. Then run `tenure "
                + "mail retry --tenant TENANT --state held`.",
            where: { mail, _ in mail.hadNoSender }
        ) { all, number in
            "\(number) with keys of sales are held, because the tenant had no address to send them from, the first since "
                + "\(all.oldest.local)"
        },
        withoutLinks,
    ]

    /// Reports tenants whose letters can't contain links, because neither the tenant nor a running server has a base
    /// URL.
    private static let withoutLinks = Attention(
        "mails_without_links", subject: "letters",
        remedy: "Add `baseURL` to the tenant's `mail` in the catalog file and apply it, or start the server with "
            + "--base-url.",
        sentence: { all, _ in
            "there is no address for links in letters of \(all.details.sorted().joined(separator: ", "))"
        },
        read: { store, now throws(StoreError) in
            guard try await ServerReport.running(in: store, at: now).contains(where: \.lacksMailLinks) else {
                return []
            }
            var items: [Item] = []
            for tenant in try await store.all(TenantRow.table.all)
            where tenant.mail != nil && tenant.mail?.baseURL == nil {
                items.add(tenant.id, since: now, tenant.id.text)
            }
            return items
        })

    private static func letters(
        _ name: String, in state: Mail.State, remedy: String,
        where isListed: @escaping @Sendable (Mail, Timestamp) -> Bool = { _, _ in true },
        detail: @escaping @Sendable (Mail) -> String? = { _ in nil },
        sentence: @escaping @Sendable (Item, String) -> String
    ) -> Attention {
        Attention(name, subject: "letters", remedy: remedy, sentence: sentence) { store, now throws(StoreError) in
            var items: [Item] = []
            for mail in try await store.list(Listing(Mail.inState, [.of(state)], limit: most))
            where isListed(mail, now) {
                items.add(mail.tenant, since: mail.changedAt, detail(mail))
            }
            return items
        }
    }

    /// Returns a mail server's response with each word that contains `@` replaced.
    private static func withoutAddresses(_ response: String) -> String {
        response.split(atByte: " ").map { $0.contains(byte: "@") ? "(address)" : String($0) }.joined(separator: " ")
    }
}
