import Foundation
import TenureContent
import TenureCore
import TenureCrypto

/// The records of a content server, which decides by the production rules.
struct SimulatedContent {
    var enrolments: [EnrolmentID: Enrolment] = [:]
    var policies: [ContentID: ContentPolicy] = [:]
    var licenses: [ContentLicenseID: ContentLicense] = [:]
    var sessions: [ContentLicenseID: [PlaySessionID: SessionReport]] = [:]
    /// Licenses that the server can't decide about at the moment.
    var busy: Set<ContentLicenseID> = []
    /// The licenses that the server may have lost.
    var lost: Set<ContentLicenseID> = []
    /// The items of each renewal request, in order.
    var requestedItems: [[String]] = []
    /// Whether a device that sends an older version gets the current grant even if it has expired, as from servers of
    /// version 0.1.
    var repeatsEndedGrants = false
    private var numbers: Int64 = 1_000

    @discardableResult
    mutating func enrol(
        _ holder: String, _ content: ContentID, at now: Timestamp, endsAt: Timestamp? = nil,
        _ change: (inout ContentPolicy) -> Void = { _ in }
    ) -> EnrolmentID {
        numbers += 1
        let id = EnrolmentID(number: numbers)!
        enrolments[id] = Enrolment(
            id: id, tenant: Given.tenant, holder: holder, scope: .content(content),
            terms: Enrolment.Terms(endsAt: endsAt), madeAt: now)
        var policy = ContentPolicy(id: ContentPolicyID("rental")!)
        change(&policy)
        policies[content] = policy
        return id
    }

    func offers(_ holder: String, _ content: ContentID) -> [Enrolment.Offer] {
        enrolments.values.filter { $0.holder == holder && $0.scope == .content(content) }
            .sorted { $0.id < $1.id }.map { Enrolment.Offer($0, policy: policies[content]) }
    }

    /// Returns a holder's newest license for an item.
    func license(_ holder: String, _ content: ContentID) -> ContentLicense? {
        licenses.values.filter { $0.holder == holder && $0.present.content == content }.max { $0.id < $1.id }
    }

    mutating func issue(
        _ holder: String, _ device: Digest, _ content: ContentID, request: String, at now: Timestamp
    ) -> ContentAnswer {
        numbers += 1
        let ask = ContentRequest(
            tenant: Given.tenant, holder: holder, device: device, content: content, request: request,
            newID: ContentLicenseID(number: numbers)!)
        let existing = licenses.values.filter {
            $0.holder == holder && $0.present.content == content && $0.present.device == device
        }
        let answer = ContentLicense.issue(ask, existing: existing, offers: offers(holder, content), at: now)
        save(answer)
        return answer
    }

    mutating func settle(_ reports: [SessionReport], _ holder: String, at now: Timestamp) -> [Int] {
        var refused: [Int] = []
        for (index, report) in reports.enumerated() {
            guard let license = licenses[report.license], license.holder == holder else {
                refused.append(index)
                continue
            }
            let existing = Array((sessions[report.license] ?? [:]).values)
            let settled = license.settling([report], existing: existing, at: now)
            licenses[report.license] = settled.license
            for session in settled.sessions { sessions[report.license, default: [:]][session.session] = session }
        }
        return refused
    }

    mutating func renew(
        _ id: ContentLicenseID, _ renewal: ContentRenewal, _ holder: String, _ device: Digest, at now: Timestamp
    ) -> ContentAnswer {
        guard let license = licenses[id], license.holder == holder, license.present.device == device else {
            return .unknown
        }
        if busy.contains(id) || lost.contains(id) {
            let code = lost.contains(id) ? "store_rewound" : "try_again"
            let kind = Reason.Kind(code, "Try again.", cure: "Wait.", since: "0.1")
            return ContentAnswer(outcome: .transient, license: license, reasons: [Reason(kind)])
        }
        if repeatsEndedGrants, renewal.version < license.version {
            return ContentAnswer(outcome: .renewed, license: license)
        }
        let ahead = (sessions[id] ?? [:]).values.filter { $0.version > license.version }
        let answer = license.renew(
            renewal, offers: offers(holder, license.present.content), ahead: Array(ahead), at: now)
        save(answer)
        return answer
    }

    private mutating func save(_ answer: ContentAnswer) {
        for license in answer.consequences.licenses { licenses[license.id] = license }
    }

    /// Stops a license, as an operator does.
    mutating func stop(_ id: ContentLicenseID, _ state: ContentLicense.State, at now: Timestamp) {
        guard let old = licenses[id] else { return }
        licenses[id] = ContentLicense(
            id: id, holder: old.holder, enrolment: old.enrolment, present: old.present, state: state, stoppedAt: now,
            countsFrom: old.countsFrom, used: old.used, settled: old.settled, firstPlayAt: old.firstPlayAt,
            lastSeenAt: old.lastSeenAt)
    }

    mutating func set(_ id: EnrolmentID, _ state: Enrolment.State, at now: Timestamp) {
        guard let old = enrolments[id] else { return }
        enrolments[id] = Enrolment(
            id: id, tenant: old.tenant, holder: old.holder, scope: old.scope, terms: old.terms, madeAt: old.madeAt,
            state: state, endedAt: state == .ended ? now : nil)
    }
}
