import TenureCore

extension OrderFold {
    /// A line and, if it's no longer bought, when it was given up.
    struct Line: Sendable, Hashable {
        var line: OrderLine
        /// The licenses from this number on end with the period that was paid for at the time.
        var givenUp: [Int: Timestamp] = [:]
    }

    /// A change of the items that took effect.
    struct EffectivePlan {
        let plan: Plan
        let fact: OrderFact
    }

    /// The plans that took effect, by time: not those from before the sale, and not those whose bill isn't paid.
    var effectivePlans: [EffectivePlan] {
        let paid = Set(payments.map(\.bill.reference))
        return facts.compactMap { fact in
            guard case .planChanged(let plan) = fact.report.kind, fact.time >= sold.time,
                plan.bill.map(paid.contains) ?? true
            else { return nil }
            return EffectivePlan(plan: plan, fact: fact)
        }
    }

    /// The lines after all changes of the plan; a line keeps its number, so that its licenses keep their keys.
    var lines: [Line] { sold.terms.lines.map { Line(line: $0) } }

    /// The end of the last paid period and what it's extended by; `nil` for a single purchase.
    var paidUntil: (time: Timestamp, slackSeconds: Int64)? {
        guard sale.kind == .subscription else { return nil }
        return periods.max { ($0.time, $0.slackSeconds) < ($1.time, $1.slackSeconds) }
    }

    /// The ends of the periods that were paid for or that the provider granted.
    private var periods: [(time: Timestamp, slackSeconds: Int64)] {
        facts.compactMap { fact in
            switch fact.report.kind {
            case .sold(let sale), .trialBegun(let sale), .periodPaid(let sale):
                sale.bill.periodEnd.map { ($0, fact.terms.slackSeconds) }
            case .resumed(let end): (end, fact.terms.slackSeconds)
            default: nil
            }
        }
    }

    /// The end of the order's licenses; `nil` if the policy's duration decides.
    var end: Timestamp? {
        guard let paidUntil else { return nil }
        let running = paidUntil.time.adding(seconds: paidUntil.slackSeconds)
        if let ended {
            let partly = newestPayment?.isRefundedInPart ?? false
            return min(ended.atOnce || partly ? min(ended.at, paidUntil.time) : paidUntil.time, pausedAt ?? .latest)
        }
        return min(pausedAt ?? .latest, running)
    }

    /// What the order wants of each of its licenses.
    var targets: [LicenseSlot: LicenseTarget] {
        var targets: [LicenseSlot: LicenseTarget] = [:]
        let (suspensions, revocation, end) = (suspensions, revocation, end)
        for (index, line) in lines.enumerated() {
            for number in 0..<line.line.licenses {
                targets[LicenseSlot(line: index, number: number)] = LicenseTarget(
                    product: line.line.product, policy: line.line.policy, devices: line.line.devices, end: end,
                    suspensions: suspensions.union(itemSuspensions(of: line.line.item)),
                    revocation: revocation ?? itemRevocation(of: line.line.item))
            }
        }
        return targets
    }

    /// Why all licenses of the order are suspended: disputes, and the refund of what was paid last.
    private var suspensions: Set<StopCause> {
        var causes = Set(disputes.filter { $0.effect == .suspend }.map { StopCause.dispute($0.id) })
        if let newest = newestPayment, newest.isRefundedWhole, newest.effect == .suspend { causes.insert(newest.cause) }
        return causes
    }

    /// Why all licenses of the order are revoked: the refund of what was the newest period at that time.
    private var revocation: StopCause? {
        payments.first { payment in
            payment.isRefundedWhole && payment.effect == .revoke
                && newestPayment(at: payment.refundedAt)?.bill.reference == payment.bill.reference
        }?.cause
    }

    private func itemSuspensions(of item: String) -> Set<StopCause> {
        guard let newest = newestPayment, newest.effect == .suspend, newest.refundedItems.contains(item) else {
            return []
        }
        return [newest.cause]
    }

    private func itemRevocation(of item: String) -> StopCause? {
        payments.first { payment in
            payment.effect == .revoke && payment.refundedItems.contains(item)
                && newestPayment(at: payment.refundedAt)?.bill.reference == payment.bill.reference
        }?.cause
    }
}

extension Order.Payment {
    /// Why a license is stopped that this payment paid for.
    fileprivate var cause: StopCause { .refund(of: bill.payment ?? bill.reference) }
}
