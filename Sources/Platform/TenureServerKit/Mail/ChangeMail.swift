import TenureCore
import TenureStore

extension FeatureContext {
    /// A letter of a tenant; `nil` if the tenant has none with this id.
    func mail(_ id: MailID, of tenant: TenantID) async throws(ServerError) -> Mail? {
        let plan = MailPlans.letter
        return try await store.fetch(plan.bind(id))[plan.queries].flatMap { $0.tenant == tenant ? $0 : nil }
    }

    /// Lists at most `limit` (1...1000) letters of a tenant, newest first.
    ///
    /// - Parameters:
    ///   - license: Only letters about this license.
    ///   - mail: The letter after which the page begins; `nil` for the first page.
    func mails(
        of tenant: TenantID, in state: Mail.State? = nil, about license: LicenseID? = nil, after mail: Mail? = nil,
        limit: Int
    ) async throws(ServerError) -> BoundedPage<Mail> {
        let isListed = { (mail: Mail) in
            (state == nil || mail.state == state)
                && (license == nil || mail.licenses.contains { $0.license == license })
        }
        return try await store.boundedPage(
            of: Mail.ofTenant, [.of(tenant)], after: mail.map { Mail.ofTenant.position(of: $0) } ?? [], limit: limit,
            where: state == nil && license == nil ? nil : isListed)
    }

    /// Makes a letter that waits, failed, bounced, was superseded or is held due now.
    ///
    /// While sending pauses (``MailGate``), it waits for the end of the pause.
    ///
    /// Returns the letter, unchanged if it has been sent; `nil` if the tenant has none with this id.
    func retryMail(_ id: MailID, of tenant: TenantID) async throws(ServerError) -> Mail? {
        let (now, plan) = (clock.now(), MailPlans.retrying)
        let change = Transaction(plan.bind(id)) { results -> TransactionResult<Mail?> in
            guard let mail = results[plan.queries.letter], mail.tenant == tenant else { return TransactionResult(nil) }
            guard let after = mail.retried(at: now) else { return TransactionResult(mail) }
            let job = results[plan.queries.job]
            // A server works on it already.
            if let job, job.state == .running, mail.state == .waiting { return TransactionResult(mail) }
            return TransactionResult(after, [.replace(mail, by: after), .put(after.job(at: now), over: job)])
        }
        return try await store.perform(change)
    }

    /// Marks a letter as bounced: the one with this `Message-ID`, or the newest one that was sent to an address.
    ///
    /// Returns the letter; `nil` if the tenant has sent none.
    func bounceMail(
        _ reference: Mail.Reference, because reason: String?, of tenant: TenantID
    ) async throws(ServerError) -> Mail? {
        let (now, plan) = (clock.now(), MailPlans.bouncing)
        let change = Transaction(plan.bind(.init(tenant: tenant, reference: reference))) {
            results -> TransactionResult<Mail?> in
            let sent = (results[plan.queries.letter].map { [$0] } ?? []) + results[plan.queries.ofAddress]
            guard let mail = sent.first(where: { $0.tenant == tenant && ($0.state == .sent || $0.state == .bounced) })
            else { return TransactionResult(nil) }
            guard mail.state == .sent else { return TransactionResult(mail) }
            let after = mail.ended(.bounced, reason ?? "the letter came back", at: now)
            return TransactionResult(after, [.replace(mail, by: after)])
        }
        return try await store.perform(change)
    }
}

extension Mail {
    /// How a mail server's notice names a letter.
    enum Reference: Sendable, Hashable {
        case address(String)
        /// A `Message-ID`, with or without angle brackets.
        case messageID(String)

        /// The id in the `Message-ID`; `nil` if this server didn't write it.
        fileprivate var id: MailID? {
            guard case .messageID(let text) = self else { return nil }
            guard let (id, _) = text.cut(at: "@") else { return nil }
            return MailID(text: id.utf8.first == UInt8(ascii: "<") ? id.dropFirst() : id)
        }

        /// The address; `nil` if the letter isn't named by it.
        fileprivate var address: FoldedText? {
            if case .address(let text) = self { FoldedText(text) } else { nil }
        }
    }
}

private enum MailPlans {
    static let letter = QueryPlan(for: MailID.self) { query in query.row(Mail.table.key) { [.of($0)] } }

    static let retrying = QueryPlan(for: MailID.self) { query in
        (
            letter: query.row(Mail.table.key) { [.of($0)] },
            job: query.row(Job.table.key) { [.of(Mail.jobID(of: $0).text)] }
        )
    }

    /// A letter of a tenant, as a notice names it.
    struct Bounced: Sendable {
        let tenant: TenantID
        let reference: Mail.Reference
    }

    static let bouncing = QueryPlan(for: Bounced.self) { query in
        (
            letter: query.row(Mail.table.key) { [.of($0.reference.id)] },
            ofAddress: query.rows(Mail.ofAddress, upTo: 100) { [.of($0.tenant), .of($0.reference.address)] }
        )
    }
}
