import TenureServerKit

extension [RestoredAsCopied] {
    /// All tables of selling: what a payment took back since the backup stands in its licenses, which have an exclusion.
    static let selling: [RestoredAsCopied] = [
        .catalog(PaymentSourceRow.self),
        RestoredAsCopied(
            PaymentMessage.self, because: "A message that is sent or listed again has no effect beyond its facts."),
        RestoredAsCopied(PaymentMessageBody.self, because: "Only the message's job reads it, and it's removed by age."),
        RestoredAsCopied(PaymentCustomerRow.self, because: "It only names the buyer of a sale that is expected."),
        RestoredAsCopied(
            OrderRow.self, because: "It's computed from the order's facts; its licenses keep the stop of a refund."),
        RestoredAsCopied(
            OrderFactRow.self,
            because: "Facts since the backup come again if the provider lists or sends its events again."),
        RestoredAsCopied(OrderNameRow.self, because: "Names are only added, and name the same order again."),
        RestoredAsCopied(
            OrderLicenseRow.self, because: "Its ids are derived from the order, so they are the same again."),
    ]
}
