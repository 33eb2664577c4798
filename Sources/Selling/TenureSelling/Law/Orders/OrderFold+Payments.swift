import TenureCore

extension OrderFold {
    /// The order's payments with their refunds, sorted by time.
    static func payments(_ sale: Sale, _ sold: OrderFact, _ facts: [OrderFact]) -> [Order.Payment] {
        var bills = [(bill: sale.bill, items: sale.items, time: sold.time)]
        for fact in facts {
            if case .periodPaid(let period) = fact.report.kind, period.bill.reference != sale.bill.reference {
                bills.append((period.bill, period.items, fact.time))
            }
        }
        return bills.map { bill, items, time in
            var (bill, payments) = (bill, Set([bill.payment].compactMap(\.self)))
            for fact in facts {
                guard case .paymentNamed(bill.reference, let payment) = fact.report.kind else { continue }
                payments.insert(payment)
                bill.payment = bill.payment ?? payment
            }
            return RefundSums(of: bill, payments, items, facts).payment(time)
        }.sorted { ($0.time, $0.bill.reference) < ($1.time, $1.bill.reference) }
    }

    /// The payment of the newest period, or the only payment; `nil` if no payment is known.
    var newestPayment: Order.Payment? { newestPayment(at: nil) }

    /// The payment that was the newest at this time; `nil` if there was none. Without a time, all payments are
    /// compared.
    func newestPayment(at time: Timestamp?) -> Order.Payment? {
        payments.filter { payment in
            guard sale.kind == .once || payment.bill.periodEnd != nil else { return false }
            return time.map { payment.time <= $0 } ?? true
        }.max { $0.rank < $1.rank }
    }
}

extension Order.Payment {
    /// The sort key: the end of the period that the payment pays for, then the time and the id.
    fileprivate var rank: (Timestamp, Timestamp, ProviderID) {
        (bill.periodEnd ?? Timestamp(seconds: .min), time, bill.reference)
    }
}

/// The refunds of one bill.
private struct RefundSums {
    let bill: Bill
    /// The payments of the bill; an invoice may be paid in parts.
    let payments: Set<ProviderID>
    let items: [SoldItem]
    /// Refunds that were reported individually.
    var single: [ProviderID: Refund] = [:]
    /// Reports of the sum of all refunds so far.
    var sums: [(refund: Refund, time: Timestamp)] = []
    var failed: [(refund: FailedRefund, time: Timestamp)] = []
    var newest: OrderFact?

    init(of bill: Bill, _ payments: Set<ProviderID>, _ items: [SoldItem], _ facts: [OrderFact]) {
        let all = payments.union([bill.reference])
        self.bill = bill
        self.payments = payments
        self.items = items
        for fact in facts {
            switch fact.report.kind {
            case .refunded(let refund) where all.contains(refund.payment):
                if let id = refund.id { single[id] = refund } else { sums.append((refund, fact.time)) }
                newest = fact
            case .refundFailed(let refund) where all.contains(refund.payment): failed.append((refund, fact.time))
            default: break
            }
        }
        for (refund, _) in failed { single[refund.id] = nil }
    }

    /// The largest sum of a payment's refunds, and whether the provider reports the whole payment as refunded.
    private func largest(of sums: [(refund: Refund, time: Timestamp)], of payment: ProviderID) -> (Int64, Bool) {
        var (largest, isWhole) = (Int64(0), false)
        for (refund, time) in sums where refund.amount.currency == bill.gross.currency {
            // A refund that failed at the time of a sum or later is still included in that sum.
            let later = failed.filter {
                $0.time >= time && $0.refund.payment == payment && $0.refund.amount.currency == bill.gross.currency
            }
            largest = max(largest, later.reduce(refund.amount.amount) { $0.adding(-$1.refund.amount.amount) })
            isWhole = isWhole || (refund.extent == .whole && later.isEmpty)
        }
        return (largest, isWhole)
    }

    func payment(_ time: Timestamp) -> Order.Payment {
        let refunds = Array(single.values)
        var refunded = refunds.filter { $0.amount.currency == bill.gross.currency }
            .reduce(Int64(0)) { $0.adding($1.amount.amount) }
        var isWhole = refunds.contains { $0.extent == .whole }
        for (payment, sums) in Dictionary(grouping: sums, by: \.refund.payment) {
            let (sum, isWholePayment) = largest(of: sums, of: payment)
            refunded = refunded.adding(sum)
            // A full refund of one payment refunds the whole bill only if the bill has no other payment.
            isWhole = isWhole || (isWholePayment && payments.count <= 1)
        }
        let incidental = refunds.filter { $0.extent == .incidental && $0.amount.currency == bill.gross.currency }
            .reduce(Int64(0)) { $0.adding($1.amount.amount) }
        let gross = bill.gross.amount
        isWhole = isWhole || (gross > 0 && refunded.adding(-incidental) >= gross)
        let names = refunds.reduce(into: Set<String>()) { names, refund in
            if case .items(let refunded) = refund.extent { names.formUnion(refunded) }
        }
        let refundedItems = items.filter { names.contains($0.item) || $0.line.map(names.contains) ?? false }
        return Order.Payment(
            bill: bill, time: time, refunded: max(refunded, isWhole ? gross : 0), isRefundedWhole: isWhole,
            refundedItems: isWhole ? [] : Set(refundedItems.map(\.item)),
            isRefundedInPart: isWhole || refunded > 0 || !refunds.isEmpty,
            currenciesDiffer: (refunds + sums.map(\.refund)).contains { $0.amount.currency != bill.gross.currency },
            effect: newest?.terms.effect ?? .keep, refundedAt: newest?.time)
    }
}

extension Int64 {
    /// The sum; if it overflows, the largest or smallest number instead.
    fileprivate func adding(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
