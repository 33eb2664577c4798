package import TenureCore

extension Order {
    /// The changes to the licenses that follow from the difference between two states of the order.
    ///
    /// Only differences lead to changes. So an operator's change of a license in between stays, and a fact that is
    /// reported again changes nothing.
    ///
    /// - Parameters:
    ///   - previous: The order's state before; `nil` if there was no sale yet.
    ///   - licenses: The order's current licenses.
    package func changes(since previous: Order?, licenses: [PresentLicense], now: Timestamp) -> [LicenseChange] {
        var changes: [LicenseChange] = []
        var present: [LicenseSlot: PresentLicense] = [:]
        for license in licenses {
            if let slot = license.slot { present[slot] = license }
        }
        var free = licenses.filter { $0.slot == nil }.sorted { $0.id < $1.id }
        for (slot, target) in targets.sorted(by: { $0.key < $1.key }) {
            let before = previous?.targets[slot]
            if let renewed = target.renews {
                changes += target.renewal(of: renewed, at: slot, since: before)
            } else if let license = present[slot] {
                changes += target.changes(since: before, of: license, isTest: isTest)
            } else if let index = free.firstIndex(where: { $0.product == target.product && $0.policy == target.policy })
                ?? free.firstIndex(where: { $0.product == target.product })
            {
                let license = free.remove(at: index)
                changes.append(.adopt(license.id, slot: slot))
                changes += target.changes(since: nil, of: license, isTest: isTest)
            } else if before?.isHeld ?? true, !target.isHeld {
                changes += issue(target, at: slot, now: now)
            }
        }
        for (slot, license) in present.sorted(by: { $0.key < $1.key }) where !license.state.isFinal {
            guard let email = holderEmail, let former = previous?.holderEmail, email != former, license.email == former,
                targets[slot].map({ $0.renews == nil }) ?? false
            else { continue }
            changes.append(.changeEmail(license.id, to: email))
        }
        return changes
    }

    private func issue(_ target: LicenseTarget, at slot: LicenseSlot, now: Timestamp) -> [LicenseChange] {
        guard let holderEmail else { return [] }
        let latest = isTest ? now.adding(days: Self.testDays) : nil
        return [
            .issue(
                NewLicense(
                    slot: slot, product: target.product, policy: target.policy, devices: target.devices,
                    end: target.end.map { .at(min($0, latest ?? .latest)) } ?? .policy(atMost: latest),
                    email: holderEmail, name: holderName, isTest: isTest))
        ]
    }

    /// The events to record; empty if the order hasn't changed.
    package func events(since previous: Order?) -> [OrderEvent] {
        guard let previous else { return state == .paid ? [.paid] : [.paid, event(of: state)] }
        var events: [OrderEvent] = []
        if payments.count > previous.payments.count { events.append(.paid) }
        if state != previous.state {
            let event = previous.state == .disputed ? .disputed : event(of: state)
            if event != .paid { events.append(event) } else if events.isEmpty { events.append(.changed) }
        } else if payments.count == previous.payments.count, refundedAmounts != previous.refundedAmounts {
            events.append(.refunded)
        }
        if events.isEmpty, self != previous { events.append(.changed) }
        return events
    }

    private var refundedAmounts: [Int64] { payments.map(\.refunded) }

    private func event(of state: State) -> OrderEvent {
        switch state {
        case .paid: .paid
        case .pastDue, .cancelled, .paused: .changed
        case .ended: .ended
        case .refunded, .partlyRefunded: .refunded
        case .disputed: .disputed
        }
    }

    /// The problems that arose since `previous` and that an operator should look at.
    func attention(since previous: Order?) -> [OrderAttention] {
        payments.flatMap { payment -> [OrderAttention] in
            let before = previous?.payments.first { $0.bill.reference == payment.bill.reference }
            var attention: [OrderAttention] = []
            if payment.isLeftToOperator, !(before?.isLeftToOperator ?? false) || payment.refunded != before?.refunded {
                attention.append(.partlyRefunded(payment: payment.bill.payment ?? payment.bill.reference))
            }
            if payment.currenciesDiffer, !(before?.currenciesDiffer ?? false) {
                attention.append(.amountsDiffer(payment: payment.bill.payment ?? payment.bill.reference))
            }
            return attention
        }
    }
}

extension Order.Payment {
    /// Whether a part of the payment was refunded without affecting any license, so that an operator must decide.
    fileprivate var isLeftToOperator: Bool { isRefundedInPart && !isRefundedWhole && refundedItems.isEmpty }
}

extension LicenseTarget {
    /// The changes that take a license from its previous target to this one; empty if the license has ended for good.
    fileprivate func changes(
        since before: LicenseTarget?, of license: PresentLicense, isTest: Bool
    ) -> [LicenseChange] {
        guard !license.state.isFinal else { return [] }
        if let revocation, before?.revocation == nil { return [.revoke(license.id, cause: revocation)] }
        var changes: [LicenseChange] = []
        if policy != before?.policy, before != nil, policy != license.policy {
            changes.append(.changePolicy(license.id, to: policy))
        }
        if let devices, let before, devices != before.devices {
            changes.append(.changeDevices(license.id, to: devices))
        }
        if let change = endChange(since: before, of: license, isTest: isTest) { changes.append(change) }
        let causes = suspensions.subtracting(before?.suspensions ?? [])
        for cause in causes.sorted() {
            if case .lostDispute(let id) = cause, before?.suspensions.contains(.dispute(id)) ?? false {
                // A person may have reinstated the license, or suspended it for another reason.
                guard license.state == .suspended, license.isSuspendedByOrder else { continue }
                changes.append(.renameCause(license.id, to: cause))
            } else {
                changes.append(.suspend(license.id, cause: cause))
            }
        }
        if suspensions.isEmpty, let before, !before.suspensions.isEmpty, license.state == .suspended,
            license.isSuspendedByOrder
        {
            changes.append(.lift(license.id))
        }
        return changes
    }

    /// The change for a purchase that renews another license. The purchase adds its time once; a refund or a dispute
    /// takes the time back instead of suspending the license.
    fileprivate func renewal(
        of license: LicenseID, at slot: LicenseSlot, since before: LicenseTarget?
    ) -> [LicenseChange] {
        let wasHeld = before?.isHeld ?? true
        if wasHeld == isHeld { return [] }
        return [isHeld ? .takeTimeBack(license, slot: slot) : .addTime(license, slot: slot)]
    }

    /// Moves the license's end if the order's end has changed; otherwise `nil`. If an operator has set the end, it is
    /// only moved to a later time.
    private func endChange(since before: LicenseTarget?, of license: PresentLicense, isTest: Bool) -> LicenseChange? {
        let latest = isTest ? license.issuedAt.adding(days: Order.testDays) : .latest
        guard let end = end.map({ min($0, latest) }), let present = license.end else { return nil }
        let former = before?.end.map { min($0, latest) }
        guard end != former, end != present else { return nil }
        if end > present { return .extend(license.id, until: end) }
        return former == present ? .setEnd(license.id, until: end) : nil
    }
}
