import TenureCore

extension OrderFold {
    /// A line of an order, including licenses that are no longer bought.
    struct Line: Sendable, Hashable {
        var line: OrderLine
        /// The largest number of licenses that the line has had. Licenses with the number ``OrderLine/licenses`` or a
        /// higher one are no longer bought.
        var mostLicenses: Int
        /// The ends of the licenses that are no longer bought, by the license's number.
        var givenUp: [Int: Timestamp] = [:]

        init(_ line: OrderLine) {
            self.line = line
            mostLicenses = line.licenses
        }

        /// Changes the number of licenses. If the number decreases, the newest licenses end with the period.
        mutating func change(to new: OrderLine, periodEnd: Timestamp) {
            for number in min(new.licenses, mostLicenses)..<mostLicenses where givenUp[number] == nil {
                givenUp[number] = periodEnd
            }
            for number in 0..<new.licenses { givenUp[number] = nil }
            mostLicenses = max(mostLicenses, new.licenses)
            line = new
        }

        /// Reduces the number of licenses to zero, so that all of them end with the period.
        mutating func giveUp(periodEnd: Timestamp) {
            var none = line
            none.quantity = 0
            change(to: none, periodEnd: periodEnd)
        }
    }

    /// A plan that took effect.
    struct EffectivePlan: Sendable, Hashable {
        let plan: SubscriptionPlan
        let lines: [OrderLine]
        let slackSeconds: Int64
        let time: Timestamp
    }

    /// The plans that took effect, by time. Plans from before the sale and plans with an unpaid bill are left out.
    static func effectivePlans(
        _ sale: Sale, _ sold: OrderFact, _ facts: [OrderFact], _ payments: [Order.Payment]
    ) -> [EffectivePlan] {
        guard sale.kind == .subscription else { return [] }
        let paid = Set(payments.map(\.bill.reference))
        return facts.compactMap { fact in
            guard case .planChanged(let plan) = fact.report.kind, fact.time >= sold.time,
                plan.bill.map(paid.contains) ?? true
            else { return nil }
            return EffectivePlan(
                plan: plan, lines: fact.terms.lines, slackSeconds: fact.terms.slackSeconds, time: fact.time)
        }
    }

    /// The order's lines after all plans. A line keeps its number, so that its licenses keep their keys.
    static func lines(_ sold: OrderFact, _ plans: [EffectivePlan]) -> [Line] {
        var lines = sold.terms.lines.map(Line.init)
        for plan in plans { change(&lines, to: plan) }
        return lines
    }

    private static func change(_ lines: inout [Line], to plan: EffectivePlan) {
        var new = plan.lines
        var replaced: [Int] = []
        for index in lines.indices {
            if let same = new.firstIndex(where: { lines[index].line.isSameGoods(as: $0) }) {
                lines[index].change(to: new.remove(at: same), periodEnd: plan.plan.periodEnd)
            } else if lines[index].line.licenses > 0 {
                replaced.append(index)
            }
        }
        for index in replaced {
            // A license stays with its product, so only a line of the same product can take over its licenses.
            if let other = new.firstIndex(where: { $0.product == lines[index].line.product }) {
                lines[index].change(to: new.remove(at: other), periodEnd: plan.plan.periodEnd)
            } else {
                lines[index].giveUp(periodEnd: plan.plan.periodEnd)
            }
        }
        lines += new.map(Line.init)
    }
}

extension OrderLine {
    /// Whether both lines have the same item, product and policy, whatever the quantity.
    fileprivate func isSameGoods(as other: OrderLine) -> Bool {
        item == other.item && product == other.product && policy == other.policy
    }
}
