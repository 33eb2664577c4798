package import TenureCore
import TenureFormats
package import TenureStore

extension Mail {
    /// Creates a letter that waits, or that is held because the tenant sends no letters.
    ///
    /// - Parameters:
    ///   - id: A random id, drawn before the transaction.
    ///   - kind: A kind that the feature declares (``RunningFeature/mails``).
    ///   - settings: The tenant's settings; the domain of the sender's address becomes part of the `Message-ID`. `nil` to
    ///     hold the letter until an operator sends it.
    package init(
        _ id: MailID, kind: MailKind.Name, to address: String, in language: Language, licenses: [LicenseKey] = [],
        order: String? = nil, of tenant: TenantID, by settings: Tenant.MailSettings?, at now: Timestamp
    ) {
        self.init(
            id: id, tenant: tenant, kind: kind.text, address: address, language: language, licenses: licenses,
            order: order, messageID: "\(id)@\(settings?.senderDomain ?? "")", createdAt: now, changedAt: now)
        if settings == nil { state = .held }
    }

    /// The row writes of the change that causes the letter: the letter, and the job that sends it.
    ///
    /// A letter that is held has no job.
    package var sending: [RowWrite] {
        [.insert(self)] + (state == .waiting ? [.insert(job(at: createdAt))] : [])
    }

    /// The row writes that send the letter in place of one that wasn't sent, which has the same id.
    ///
    /// - Parameter job: The stored job with the letter's number (``jobID(of:)``).
    package func sending(inPlaceOf earlier: Mail, over job: Job?) -> [RowWrite] {
        [.replace(earlier, by: self)] + (state == .waiting ? [.put(self.job(at: createdAt), over: job)] : [])
    }

    /// Whether the letter was held when it was created, because the tenant sent none.
    var hadNoSender: Bool { messageID.utf8.last == UInt8(ascii: "@") }

    /// The `Message-ID` without its angle brackets, completed by the sender's domain if it was created without one.
    func messageID(by settings: Tenant.MailSettings) -> String {
        hadNoSender ? messageID + settings.senderDomain : messageID
    }

    /// The job that sends the letter; it has the letter's number, so a letter never has two.
    func job(at time: Timestamp) -> Job {
        JobName.letter.job(id, id: Self.jobID(of: id), of: tenant, at: time)
    }

    /// The id of the job that sends a letter.
    package static func jobID(of id: MailID) -> Job.ID {
        Job.ID(of: id)
    }
}

extension JobName where Payload == MailID {
    /// The name and the payload, a letter's id, of the jobs that send letters.
    static let letter = JobName("mail.letter") { id, body in
        body.member("mail", id.description)
    } read: { body in
        body.string("mail").value.flatMap { MailID(text: $0) }
    }
}

extension Failure {
    /// The 422 failure of a request for a letter of a tenant that sends none.
    package static func mailNotSetUp(for tenant: TenantID) -> Failure {
        Failure(
            RejectedRequest(
                422, code: "mail_not_set_up", Catalog.mailNotSetUp(for: tenant), among: Reason.Kind.mails))
    }
}

extension Catalog {
    /// Says that a tenant sends no letters, and what to do, for requests and commands.
    package static func mailNotSetUp(for tenant: TenantID) -> String {
        "The tenant \(tenant) sends no letters, because the catalog has no address to send them from. Add "
            + "\"mail\": {\"from\": \"keys@example.com\"} to the tenant and run `tenure apply`."
    }
}
