import TenureCore

extension OrderFold {
    /// The end of the last paid period, and the time that is added to it; `nil` for a single purchase.
    ///
    /// After a change of the items, periods from before the change are ignored, even if they end later.
    var paidUntil: Period? {
        guard sale.kind == .subscription else { return nil }
        let change = lastChangeOfItems
        let granted = periods.filter { period in change.map { period.time > $0.time } ?? true }
        let changed = change.map { Period(end: $0.plan.periodEnd, slackSeconds: $0.slackSeconds, time: $0.time) }
        return (granted + [changed].compactMap { $0 })
            .max { ($0.end, $0.slackSeconds) < ($1.end, $1.slackSeconds) }
    }

    /// A period that was paid for or that the provider granted.
    struct Period: Sendable, Hashable {
        let end: Timestamp
        let slackSeconds: Int64
        /// The provider's time of the message.
        let time: Timestamp
    }

    private var periods: [Period] {
        facts.compactMap { fact in
            let end: Timestamp? =
                switch fact.report.kind {
                case .sold, .trialBegun: sale.bill.periodEnd
                case .periodPaid(let sale): sale.bill.periodEnd
                case .resumed(let end): end
                default: nil
                }
            return end.map { Period(end: $0, slackSeconds: fact.terms.slackSeconds, time: fact.time) }
        }
    }

    /// The newest plan that changed the items; `nil` if there is none. A plan that changes only quantities is skipped.
    private var lastChangeOfItems: EffectivePlan? {
        var (items, last) = (Set(sale.items.map(\.item)), EffectivePlan?.none)
        for plan in plans {
            let new = Set(plan.plan.items.map(\.item))
            if new != items { last = plan }
            items = new
        }
        return last
    }

    /// The end of the order's licenses; `nil` if it follows from the policy's duration.
    var end: Timestamp? {
        guard let paidUntil else { return nil }
        var end = paidUntil.end.adding(seconds: paidUntil.slackSeconds)
        if let ended {
            let isPartlyRefunded = newestPayment?.isRefundedInPart ?? false
            end = ended.atOnce || isPartlyRefunded ? min(ended.at, paidUntil.end) : paidUntil.end
        }
        return min(end, pausedAt ?? .latest, .latest)
    }

    /// The state that each license of the order should have.
    var targets: [LicenseSlot: LicenseTarget] {
        var targets: [LicenseSlot: LicenseTarget] = [:]
        let (suspensions, revocation, end) = (suspensions, revocation, end)
        for (index, line) in lines.enumerated() {
            let (itemSuspensions, itemRevocation) = (itemSuspensions(of: line.line), itemRevocation(of: line.line))
            for number in 0..<line.mostLicenses {
                targets[LicenseSlot(line: index, number: number)] = LicenseTarget(
                    product: line.line.product, policy: line.line.policy, devices: line.line.devices,
                    end: end.map { min($0, line.givenUp[number] ?? .latest) },
                    suspensions: suspensions.union(itemSuspensions),
                    revocation: revocation ?? itemRevocation, renews: sold.terms.renews)
            }
        }
        return targets
    }

    /// Why all licenses of the order are suspended: open or lost disputes, and a full refund of the newest payment.
    private var suspensions: Set<StopCause> {
        var causes = Set(
            disputes.filter { $0.effect == .suspend }.map { $0.isLost ? StopCause.lostDispute($0.id) : .dispute($0.id) }
        )
        if let newest = newestPayment, newest.isRefundedWhole, newest.effect == .suspend { causes.insert(newest.cause) }
        return causes
    }

    /// Why all licenses of the order are revoked: a payment was refunded in full while it was the newest one. `nil` if
    /// they aren't revoked.
    private var revocation: StopCause? {
        payments.first { payment in
            payment.isRefundedWhole && payment.effect == .revoke && wasNewest(payment)
        }?.cause
    }

    /// Whether a payment was the newest one when it was refunded. A later payment doesn't undo a revocation.
    private func wasNewest(_ payment: Order.Payment) -> Bool {
        let time = sale.kind == .once ? nil : payment.refundedAt
        return newestPayment(at: time)?.bill.reference == payment.bill.reference
    }

    private func itemSuspensions(of line: OrderLine) -> Set<StopCause> {
        guard let newest = newestPayment, newest.effect == .suspend, newest.refundedItems.contains(line.item) else {
            return []
        }
        return [newest.cause]
    }

    private func itemRevocation(of line: OrderLine) -> StopCause? {
        payments.first { payment in
            payment.effect == .revoke && payment.refundedItems.contains(line.item) && wasNewest(payment)
        }?.cause
    }
}

extension Order.Payment {
    /// The cause for suspending or revoking a license because this payment was refunded.
    fileprivate var cause: StopCause { .refund(of: bill.reference) }
}
