package import TenureCore
package import TenureStore

/// A letter to a customer, without its text.
///
/// The transaction that causes the letter saves it (``sending``). The letter's kind writes the text when the letter is
/// sent (``MailKind``), so no row contains a license key.
package struct Mail: Sendable, Hashable {
    /// The state of a letter.
    package enum State: String, Sendable, CaseIterable, StorableCode {
        /// The letter hasn't been sent; a job will try to send it.
        case waiting
        /// A mail server has accepted the letter.
        case sent
        /// The letter couldn't be sent, and isn't retried automatically.
        case failed
        /// A mail server accepted the letter, but couldn't deliver it.
        case bounced
        /// The letter wasn't sent, because its text is outdated.
        case superseded
        /// The letter isn't sent until an operator retries it.
        ///
        /// Either it was created while the tenant sent no letters. Or it was waiting in a copy that was restored, and
        /// the replaced store may have sent it.
        case held
    }

    /// A license that a letter is about.
    package struct LicenseKey: Sendable, Hashable {
        package let license: LicenseID
        /// The generation of the license's key, which each replacement of the key increments.
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
    /// The name of the letter's kind, such as `keys`.
    package let kind: String
    /// The recipient's address, as the operator or customer typed it.
    package let address: String
    package let language: Language
    /// The licenses whose keys the letter contains. The letter is superseded if one of the keys has been replaced when
    /// it's sent.
    package let licenses: [LicenseKey]
    /// The reference of the order that caused the letter; `nil` if no order did.
    package let order: String?
    /// The `Message-ID` without angle brackets, which is the same for all attempts.
    ///
    /// Its domain is empty if the tenant had no mail settings when the letter was created.
    package let messageID: String
    package var state: State = .waiting
    /// The number of times that the letter was offered to a mail server.
    package var attempts = 0
    /// The last response of a mail server, or the reason why there was no response; `nil` if there is neither yet.
    package var answer: String?
    /// Whether the last attempt failed for a reason that the operator can fix, such as a wrong password.
    package var isOperatorFault = false
    /// The time since which every attempt has failed for a temporary reason; `nil` if the last attempt had another
    /// outcome.
    package var failingSince: Timestamp?
    /// The time of the mail server's first refusal, if the letter will be tried once more; otherwise `nil`.
    package var refusedAt: Timestamp?
    package let createdAt: Timestamp
    /// The time of the last change of ``state``.
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
    /// The waiting letters, and those whose state changed in the last 90 days.
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
    /// Serializes transactions that limit the letters to an address. The parameters are the tenant and the case-folded
    /// address.
    package static let turnOfAddress = QueryLock(
        [.text, .text],
        postgres: """
            SELECT hashtextextended(tenant || '/letters/' || address, 0)
            FROM unnest($1::text[], $2::text[]) AS w (tenant, address)
            """)
    /// A tenant's letters to a case-folded address, newest first.
    package static let ofAddress = table.set(
        "of_address", "tenant", "address_folded", order: [.down("created_at")])
    /// The letters of all tenants in one state, by the time of the last state change.
    package static let inState = table.set("in_state", "state", order: [.up("changed_at")])
    /// All letters, by the time of the last state change.
    package static let byChange = table.set("by_change", order: [.up("changed_at")])
}
