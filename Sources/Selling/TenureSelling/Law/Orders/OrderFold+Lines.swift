import TenureCore

extension OrderFold {
    /// A line with the licenses that are no longer bought.
    struct Line: Sendable, Hashable {
        var line: OrderLine
        /// How many licenses the line has ever had; those from ``OrderLine/licenses`` on are given up.
        var mostLicenses: Int
        /// When the given up licenses end, by their number.
        var givenUp: [Int: Timestamp] = [:]

        init(_ line: OrderLine) {
            self.line = line
            mostLicenses = line.licenses
        }

        /// Buys another number of licenses. Given up are the newest, and they end with the period.
        mutating func change(to new: OrderLine, periodEnd: Timestamp) {
            for number in min(new.licenses, mostLicenses)..<mostLicenses where givenUp[number] == nil {
                givenUp[number] = periodEnd
            }
            for number in 0..<new.licenses { givenUp[number] = nil }
            mostLicenses = max(mostLicenses, new.licenses)
            line = new
        }

        /// Buys the line no more.
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

    /// The plans that took effect, by time: not those from before the sale, and not those whose bill isn't paid.
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

    /// The lines after all plans. A line keeps its number, so that its licenses keep their keys.
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
    /// Whether both lines sell the same, in whatever number.
    fileprivate func isSameGoods(as other: OrderLine) -> Bool {
        item == other.item && product == other.product && policy == other.policy
    }
}
