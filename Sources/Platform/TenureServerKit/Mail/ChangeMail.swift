import TenureCore
import TenureStore

extension FeatureContext {
    /// Returns a letter of a tenant; `nil` if the tenant has no letter with this id.
    func mail(_ id: MailID, of tenant: TenantID) async throws(ServerError) -> Mail? {
        let plan = MailPlans.letter
        return try await store.fetch(plan.bind(id))[plan.queries].flatMap { $0.tenant == tenant ? $0 : nil }
    }

    /// Lists at most `limit` (1...1000) letters of a tenant, newest first.
    ///
    /// - Parameters:
    ///   - license: Only letters about this license.
    ///   - mail: The last letter of the previous page; `nil` for the first page.
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

    /// Makes a letter due now, unless it has been sent.
    ///
    /// While sending is paused (``MailGate``), the letter waits for the end of the pause.
    ///
    /// Returns the letter, unchanged if it has been sent or is being sent; `nil` if the tenant has no letter with this
    /// id.
    func retryMail(_ id: MailID, of tenant: TenantID) async throws(ServerError) -> Mail? {
        let (now, plan) = (clock.now(), MailPlans.retrying)
        let change = Transaction(plan.bind(id)) { results -> TransactionResult<Mail?> in
            guard let mail = results[plan.queries.letter], mail.tenant == tenant else { return TransactionResult(nil) }
            guard let after = mail.retried(at: now) else { return TransactionResult(mail) }
            let job = results[plan.queries.job]
            // A server is already sending the letter.
            if let job, job.state == .running, mail.state == .waiting { return TransactionResult(mail) }
            return TransactionResult(after, [.replace(mail, by: after), .put(after.job(at: now), over: job)])
        }
        return try await store.perform(change)
    }

    /// Marks a letter as bounced: the sent letter with this `Message-ID`, or the newest sent letter to an address.
    ///
    /// Returns the letter; `nil` if the tenant has sent no such letter.
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
    /// The way in which a mail server's notice identifies a letter.
    enum Reference: Sendable, Hashable {
        case address(String)
        /// A `Message-ID`, with or without angle brackets.
        case messageID(String)

        /// The letter's id in the `Message-ID`; `nil` if this server didn't create the `Message-ID`.
        fileprivate var id: MailID? {
            guard case .messageID(let text) = self else { return nil }
            guard let (id, _) = text.cut(at: "@") else { return nil }
            return MailID(text: id.utf8.first == UInt8(ascii: "<") ? id.dropFirst() : id)
        }

        /// The address; `nil` if the notice has a `Message-ID` instead.
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

    /// The tenant and the reference of a bounced letter.
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
