import TenureCore
import TenureFormats

extension StripeMessage {
    /// Reads a charge with the sum of its refunds.
    func refundedCharge() throws(FormatError) -> MessageContent {
        let charge = try require(object["id"]?.id, "id")
        let isWhole = object["refunded"]?.bool ?? false
        let refund = Refund(
            of: object["payment_intent"]?.id ?? charge, amount: try money("amount_refunded"),
            extent: isWhole ? .whole : .part)
        return .order(
            OrderReport(
                reference: nil, names: [refund.payment, charge, object["invoice"]?.id], facts: [fact(.refunded(refund))]
            ))
    }

    /// Reads a single refund. Only a failed refund is used, because ``refundedCharge()`` reports the sums.
    func refund() throws(FormatError) -> MessageContent {
        guard let status = object["status"]?.text, status == "failed" || status == "canceled" else { return .noted }
        let payment = try paymentOfObject()
        let failed = FailedRefund(of: payment, id: try require(object["id"]?.id, "id"), amount: try money("amount"))
        return .order(
            OrderReport(reference: nil, names: [payment, object["charge"]?.id], facts: [fact(.refundFailed(failed))]))
    }

    /// Reads a dispute or an inquiry.
    func dispute() throws(FormatError) -> MessageContent {
        let payment = try paymentOfObject()
        let dispute = Dispute(try require(object["id"]?.id, "id"), of: payment)
        let kind: ReportedFact.Kind
        switch try require(object["status"]?.text, "status") {
        case "won", "prevented": kind = .disputeWon(dispute)
        case "lost": kind = .disputeLost(dispute)
        case "needs_response", "under_review": kind = .disputed(dispute)
        // No money moved: `warning_needs_response`, `warning_under_review`, `warning_closed`.
        case let status where status.hasPrefix("warning_"): kind = .inquiry(dispute)
        default: return .noted
        }
        return .order(
            OrderReport(reference: nil, names: [payment, object["charge"]?.id], facts: [fact(kind)]))
    }

    private func paymentOfObject() throws(FormatError) -> ProviderID {
        try require(object["payment_intent"]?.id ?? object["charge"]?.id, "payment_intent")
    }
}
