package import TenureCore
package import TenureStore

/// A letter to a customer, without its text.
///
/// The change that causes the letter saves it (``sending``). Its kind writes the text when it's sent
/// (``MailKind``), so no row contains a license key.
package struct Mail: Sendable, Hashable {
    /// The state of a letter.
    package enum State: String, Sendable, CaseIterable, StorableCode {
        /// It will be sent.
        case waiting
        /// The mail server has accepted it.
        case sent
        /// It couldn't be sent and isn't tried again automatically.
        case failed
        /// The mail server accepted it, but it couldn't be delivered.
        case bounced
        /// It wasn't sent, because its text is outdated.
        case superseded
        /// It isn't sent until an operator says so: a sale caused it while the tenant sent no letters, or it waited when its
        /// store was restored without the store that was in use, which may have sent it.
        case held
    }

    /// A license that a letter is about.
    package struct LicenseKey: Sendable, Hashable {
        package let license: LicenseID
        /// The number of the license's key, which each new key raises.
        package let generation: Int64

        package init(_ license: LicenseID, generation: Int64) {
            self.license = license
            self.generation = generation
        }

        /// Writes a list as one text, such as `lic_0000000000001:2 lic_0000000000002:1`.
        static func text(of list: [LicenseKey]) -> String {
            list.map { "\($0.license):\($0.generation)" }.joined(separator: " ")
        }

        /// Reads a list that ``text(of:)`` wrote.
        static func list(_ text: String) throws(StoreError) -> [LicenseKey] {
            var list: [LicenseKey] = []
            for part in text.split(atByte: " ") {
                guard let (id, number) = part.cut(at: ":"), let license = LicenseID(text: id),
                    let generation = Int64(number)
                else { throw .unreadable("a letter's licenses") }
                list.append(LicenseKey(license, generation: generation))
            }
            return list
        }
    }

    package let id: MailID
    package let tenant: TenantID
    /// The name of its kind, such as `keys`.
    package let kind: String
    /// The recipient's address, as it was typed.
    package let address: String
    package let language: Language
    /// The licenses with the keys that the letter sends; it's superseded if one of them has another key by then.
    package let licenses: [LicenseKey]
    /// The reference of the order that caused it.
    package let order: String?
    /// The `Message-ID` without angle brackets; all attempts use the same one. Its domain is empty if the tenant had no
    /// mail settings when the letter was created.
    package let messageID: String
    package var state: State = .waiting
    /// How many times the letter was offered to a mail server.
    package var attempts = 0
    /// The last response of a mail server, or why there was none.
    package var answer: String?
    /// Whether the last attempt failed for a reason that the operator can fix, such as a wrong password.
    package var isOperatorFault = false
    /// The time since which all attempts have failed for a temporary reason; `nil` if the last attempt didn't.
    package var failingSince: Timestamp?
    /// When the mail server first refused the letter, if it will be tried once more.
    package var refusedAt: Timestamp?
    package let createdAt: Timestamp
    /// When the state changed last.
    package var changedAt: Timestamp
    package var sentAt: Timestamp?
}

/// Marks the ids of letters.
package enum MailTag: Numbered {
    /// The prefix of letters' ids.
    package static let namePrefix = "mail_"
}

/// The id of a letter, written as `mail_` and 13 digits.
package typealias MailID = NumberedID<MailTag>

extension Mail: Stored {
    /// The letters that wait, and those of the last 90 days.
    package static let table = Table<Mail>(
        "mails", key: ["id"],
        [
            Field("id") { $0.id }, Field("tenant") { $0.tenant }, Field("kind") { $0.kind },
            Field("address", namesPerson: true) { $0.address }, Field("language") { $0.language },
            Field("licenses") { LicenseKey.text(of: $0.licenses) }, Field("order_reference") { $0.order },
            Field("message_id") { $0.messageID }, Field("state") { $0.state }, Field("attempts") { $0.attempts },
            Field("answer", namesPerson: true) { $0.answer }, Field("operator_fault") { $0.isOperatorFault },
            Field("failing_since") { $0.failingSince }, Field("refused_at") { $0.refusedAt },
            Field("created_at") { $0.createdAt },
            Field("changed_at") { $0.changedAt }, Field("sent_at") { $0.sentAt },
            .fold("address_folded", namesPerson: true) { $0.address },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)],
        indexes: [
            TableIndex("by_tenant", "tenant", "created_at", "id"),
            TableIndex("by_address", "tenant", "address_folded", "created_at", "id"),
            TableIndex("by_state", "state", "changed_at", "id"), TableIndex("by_change", "changed_at", "id"),
        ]
    ) { row in
        Mail(
            id: try row.next(), tenant: try row.next(), kind: try row.next(), address: try row.next(),
            language: try row.next(), licenses: try LicenseKey.list(row.next()), order: try row.next(),
            messageID: try row.next(), state: try row.next(), attempts: try row.next(), answer: try row.next(),
            isOperatorFault: try row.next(), failingSince: try row.next(), refusedAt: try row.next(),
            createdAt: try row.next(),
            changedAt: try row.next(), sentAt: try row.next())
    }

    /// A tenant's letters, newest first.
    package static let ofTenant = table.set("of_tenant", "tenant", order: [.down("created_at")])
    /// Serializes transactions that limit the letters to an address; the parameters are the tenant and the address's fold.
    package static let turnOfAddress = QueryLock(
        [.text, .text],
        postgres: """
            SELECT hashtextextended(tenant || '/letters/' || address, 0)
            FROM unnest($1::text[], $2::text[]) AS w (tenant, address)
            """)
    /// A tenant's letters to an address, by its fold, newest first.
    package static let ofAddress = table.set(
        "of_address", "tenant", "address_folded", order: [.down("created_at")])
    /// The letters of all tenants in one state, by when they got into it.
    package static let inState = table.set("in_state", "state", order: [.up("changed_at")])
    /// All letters, by when their state changed last.
    package static let byChange = table.set("by_change", order: [.up("changed_at")])
}
