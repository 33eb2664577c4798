import TenureCore

// The state changes of letters are pure functions that get the time as an argument.
extension Mail {
    /// The result of an attempt to send a letter.
    enum Step: Sendable, Hashable {
        /// The letter isn't sent, because its text is outdated.
        case superseded
        /// The letter can't be sent, for this reason.
        case unsendable(String)
        /// The letter was offered to the mail server, with this outcome.
        ///
        /// - Parameter isOfAll: Whether a refusal of the letter concerns all letters. That is so once letters to three
        ///   different addresses were refused and none was accepted in between.
        case tried(Mail.Outcome, isOfAll: Bool = false)
    }

    /// Returns the waiting letter after an attempt, and the time of the next attempt; `nil` for no further attempt.
    func after(_ step: Step, at now: Timestamp) -> (mail: Mail, next: Timestamp?) {
        switch step {
        case .superseded: (ended(.superseded, at: now), nil)
        case .unsendable(let reason): (ended(.failed, reason, at: now), nil)
        case .tried(let outcome, let isOfAll): tried(outcome, isOfAll, at: now)
        }
    }

    private func tried(_ outcome: Mail.Outcome, _ isOfAll: Bool, at now: Timestamp) -> (mail: Mail, next: Timestamp?) {
        var mail = self
        mail.attempts += 1
        switch outcome {
        case .accepted(let response):
            mail = mail.ended(.sent, response, at: now)
            mail.sentAt = now
            return (mail, nil)
        case .recipientRefused(let response): return (mail.ended(.failed, response, at: now), nil)
        case .letterRefused(let response) where !isOfAll:
            // One refusal may concern the letter or the sender. Attempts with other letters show which, so this letter
            // is tried once more.
            guard refusedAt == nil else { return (mail.ended(.failed, response, at: now), nil) }
            mail.refusedAt = now
            return mail.waiting(response, failingSince: nil, next: now.adding(seconds: Self.shortestWait))
        case .letterRefused(let response), .misconfigured(let response):
            mail.refusedAt = nil
            let (mail, next) = mail.waiting(response, failingSince: nil, next: now.adding(seconds: MailGate.pause))
            return (mail.withOperatorFault, next)
        case .deferred(let response):
            let since = failingSince ?? now
            let passed = now.seconds - since.seconds
            guard passed < Self.retryPeriod else { return (mail.ended(.failed, response, at: now), nil) }
            // Each wait is as long as all earlier waits together.
            let wait = min(max(passed, Self.shortestWait), Self.longestWait)
            return mail.waiting(response, failingSince: since, next: now.adding(seconds: wait))
        }
    }

    /// Returns the letter as waiting; `nil` if the letter has been sent.
    func retried(at now: Timestamp) -> Mail? {
        if state == .sent { return nil }
        var mail = self
        if state != .waiting { (mail.state, mail.changedAt) = (.waiting, now) }
        (mail.failingSince, mail.refusedAt, mail.isOperatorFault, mail.sentAt) = (nil, nil, false, nil)
        return mail
    }

    /// Returns the letter in a state other than waiting.
    func ended(_ state: State, _ answer: String? = nil, at now: Timestamp) -> Mail {
        var mail = self
        (mail.state, mail.changedAt) = (state, max(now, createdAt))
        mail.answer = (answer ?? self.answer)?.cut(toBytes: Self.longestAnswer)
        (mail.failingSince, mail.refusedAt, mail.isOperatorFault) = (nil, nil, false)
        return mail
    }

    private func waiting(_ response: String, failingSince: Timestamp?, next: Timestamp) -> (
        mail: Mail, next: Timestamp?
    ) {
        var mail = self
        mail.answer = response.cut(toBytes: Self.longestAnswer)
        (mail.failingSince, mail.isOperatorFault) = (failingSince, false)
        return (mail, next)
    }

    private var withOperatorFault: Mail {
        var mail = self
        mail.isOperatorFault = true
        return mail
    }

    /// The shortest and the longest wait between attempts, in seconds: 1 minute and 6 hours.
    private static let (shortestWait, longestWait): (Int64, Int64) = (60, 6 * 3_600)
    /// How long sending a letter is retried after temporary failures, in seconds: 3 days.
    private static let retryPeriod: Int64 = 3 * 86_400
    private static let longestAnswer = 500
}
