import TenureCore
import TenureFormats
import TenureServerKit

/// The payload of the job that acts on a payment message.
struct PaymentMessageWork: Sendable, Hashable {
    let message: PaymentMessageID
    /// Whether a renewal of an unknown order may issue licenses, because an operator requested it.
    var issuesUnknown = false
    /// Whether an operator retried the message after another message with the same time had contradicted it.
    var isSeen = false
    /// The last order that the message has changed, if it concerns all orders of a customer.
    var lastOrder: OrderID?
    /// Whether the message has waited for another message at least once.
    var hasWaited = false
    /// How often the message was parked for a temporary reason.
    var attempts = 0

    init(_ message: PaymentMessageID, issuesUnknown: Bool = false, isSeen: Bool = false) {
        self.message = message
        self.issuesUnknown = issuesUnknown
        self.isSeen = isSeen
    }
}

extension JobName where Payload == PaymentMessageWork {
    /// The job that acts on a message from a payment provider.
    static let paymentMessage = JobName("selling.message") { work, body in
        body.member("message", work.message.description)
        body.member("issuesUnknown", work.issuesUnknown)
        if work.isSeen { body.member("isSeen", true) }
        body.member("lastOrder", work.lastOrder?.description)
        if work.hasWaited { body.member("hasWaited", true) }
        body.member("attempts", work.attempts)
    } read: { body in
        guard let message = body.string("message").value.flatMap({ PaymentMessageID(text: $0) }) else { return nil }
        var work = PaymentMessageWork(message, issuesUnknown: body.boolean("issuesUnknown").value ?? false)
        work.isSeen = body.boolean("isSeen").value ?? false
        work.hasWaited = body.boolean("hasWaited").value ?? false
        work.lastOrder = body.string("lastOrder").value.flatMap { OrderID(text: $0) }
        work.attempts = body.integer("attempts").value.flatMap(Int.init(exactly:)) ?? 0
        return work
    }
}

extension PaymentMessageWork {
    /// How a job's run ends if its message is parked for a temporary reason. The job runs again after one hour, then
    /// two, four and so on, up to 128 hours, until the body is removed.
    func pausing(_ message: PaymentMessage, at now: Timestamp) -> Job.Ending<PaymentMessageWork> {
        let next = now.adding(seconds: 3_600 << Int64(min(max(attempts, 0), 7)))
        if next >= message.receivedAt.adding(seconds: PaymentMessageBody.lifetime) { return .done }
        var work = self
        work.attempts += 1
        return .again(at: next, work)
    }
}

extension PaymentMessage {
    /// The job that acts on the message.
    ///
    /// - Parameters:
    ///   - issuesUnknown: See ``PaymentMessageWork/issuesUnknown``.
    ///   - isSeen: See ``PaymentMessageWork/isSeen``.
    func job(issuesUnknown: Bool = false, isSeen: Bool = false, at time: Timestamp) -> Job {
        JobName.paymentMessage.job(
            PaymentMessageWork(id, issuesUnknown: issuesUnknown, isSeen: isSeen), id: Self.jobID(of: id), of: tenant,
            at: time)
    }

    /// The id of the job, which is derived from the message's id.
    static func jobID(of id: PaymentMessageID) -> Job.ID {
        Job.ID(of: id)
    }

    /// The id of the message whose job has this id; `nil` if the text isn't the id of such a job.
    static func id(ofJob id: String) -> PaymentMessageID? {
        guard let digits = id.cut(at: "_")?.1 else { return nil }
        return PaymentMessageID(text: PaymentMessageTag.namePrefix + digits)
    }
}
