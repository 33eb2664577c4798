import TenureCore
import TenureFormats

extension PaddleMessage {
    /// Reads a refund or a chargeback.
    func adjustment() throws(FormatError) -> MessageContent {
        let transaction = try require(data["transaction_id"]?.id, "transaction_id")
        let id = try require(data["id"]?.id, "id")
        let status = try require(data["status"]?.text, "status")
        // A reversal is a separate adjustment that refers only to the transaction.
        let dispute = Dispute(transaction, of: transaction)
        let kind: ReportedFact.Kind
        switch (try require(data["action"]?.text, "action"), status) {
        case ("refund", "approved"):
            kind = .refunded(Refund(of: transaction, id: id, amount: try total(), extent: extent))
        // A live refund may be rejected before it takes effect, or reversed afterwards.
        case ("refund", "rejected"), ("refund", "reversed"):
            kind = .refundFailed(FailedRefund(of: transaction, id: id, amount: try total()))
        case ("chargeback", "approved"): kind = .disputed(dispute)
        case ("chargeback_reverse", "approved"): kind = .disputeWon(dispute)
        case ("chargeback_warning", "approved"): kind = .inquiry(dispute)
        default: return .noted
        }
        return .order(
            OrderReport(reference: data["subscription_id"]?.id, names: [transaction], facts: [fact(kind)]))
    }

    private func total() throws(FormatError) -> Money { try money(data["totals"]?["total"]?.amount, "totals/total") }

    private var extent: Refund.Extent {
        let items = data["items"]?.elements ?? []
        if data["type"]?.text == "full" { return .whole }
        let whole = items.filter { $0["type"]?.text == "full" }.compactMap { $0["item_id"]?.id?.text }
        if !whole.isEmpty { return .items(Set(whole)) }
        let isIncidental = items.allSatisfy { ["tax", "proration"].contains($0["type"]?.text) }
        return isIncidental && !items.isEmpty ? .incidental : .part
    }
}
