package import TenureCore
import TenureFormats
package import TenureStore

extension Mail {
    /// Creates a waiting letter, or a held one if the tenant sends no letters.
    ///
    /// - Parameters:
    ///   - id: A random id that was drawn before the transaction.
    ///   - kind: A kind that the feature declares (``RunningFeature/mails``).
    ///   - settings: The tenant's settings. The domain of the sender's address becomes part of the `Message-ID`. If
    ///     they're `nil`, the letter is held until an operator sends it.
    package init(
        _ id: MailID, kind: MailKind.Name, to address: String, in language: Language, licenses: [LicenseKey] = [],
        order: String? = nil, of tenant: TenantID, by settings: Tenant.MailSettings?, at now: Timestamp
    ) {
        self.init(
            id: id, tenant: tenant, kind: kind.text, address: address, language: language, licenses: licenses,
            order: order, messageID: "\(id)@\(settings?.senderDomain ?? "")", createdAt: now, changedAt: now)
        if settings == nil { state = .held }
    }

    /// The row writes that save the letter and the job that sends it, for the transaction that causes the letter.
    ///
    /// A held letter has no job.
    package var sending: [RowWrite] {
        [.insert(self)] + (state == .waiting ? [.insert(job(at: createdAt))] : [])
    }

    /// The row writes that replace an unsent letter with the same id, and the job that sends this letter.
    ///
    /// A held letter has no job.
    ///
    /// - Parameter job: The stored job of the letter, if there is one (``jobID(of:)``).
    package func sending(inPlaceOf earlier: Mail, over job: Job?) -> [RowWrite] {
        [.replace(earlier, by: self)] + (state == .waiting ? [.put(self.job(at: createdAt), over: job)] : [])
    }

    /// Whether the letter was held when it was created, because the tenant sent no letters.
    var hadNoSender: Bool { messageID.utf8.last == UInt8(ascii: "@") }

    /// The `Message-ID` without angle brackets. If it was created without a domain, the sender's domain is added.
    func messageID(by settings: Tenant.MailSettings) -> String {
        hadNoSender ? messageID + settings.senderDomain : messageID
    }

    /// The job that sends the letter. The job's id is derived from the letter's id, so a letter never has two jobs.
    func job(at time: Timestamp) -> Job {
        JobName.letter.job(id, id: Self.jobID(of: id), of: tenant, at: time)
    }

    /// The id of the job that sends a letter.
    package static func jobID(of id: MailID) -> Job.ID {
        Job.ID(of: id)
    }
}

extension JobName where Payload == MailID {
    /// The name of the jobs that send letters. Their payload is the letter's id.
    static let letter = JobName("mail.letter") { id, body in
        body.member("mail", id.description)
    } read: { body in
        body.string("mail").value.flatMap { MailID(text: $0) }
    }
}

extension Failure {
    /// The 422 failure of a request for a letter of a tenant that sends no letters.
    package static func mailNotSetUp(for tenant: TenantID) -> Failure {
        Failure(
            RejectedRequest(
                422, code: "mail_not_set_up", Catalog.mailNotSetUp(for: tenant), among: Reason.Kind.mails))
    }
}

extension Catalog {
    /// The message and the remedy for requests and commands that need letters of a tenant that sends none.
    package static func mailNotSetUp(for tenant: TenantID) -> String {
        "The tenant \(tenant) sends no letters, because the catalog has no address to send them from. Add "
            + "\"mail\": {\"from\": \"keys@example.com\"} to the tenant and run `tenure apply`."
    }
}
