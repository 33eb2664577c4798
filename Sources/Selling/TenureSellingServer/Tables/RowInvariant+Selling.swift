import TenureCore
import TenureSelling
import TenureServerKit
import TenureStore

extension RowInvariant {
    /// The rules that stored rows about payments must satisfy. `tenure doctor --deep` checks them.
    static func selling(_ inspection: Inspection) -> [RowInvariant] {
        [sources(inspection), messages(inspection), bodies(inspection), orders(inspection)] + exempt
    }

    private static var exempt: [RowInvariant] {
        [
            RowInvariant(OrderFactRow.self, exempt: "A fact is checked when it's read."),
            RowInvariant(OrderNameRow.self, exempt: "It refers to an order whose sale may not be known yet."),
            RowInvariant(PaymentCustomerRow.self, exempt: "Its times are the provider's."),
            RowInvariant(OrderLicenseRow.self, exempt: "It refers to an order and a license."),
        ]
    }

    private static func sources(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(PaymentSourceRow.self, in: inspection, named: { "\($0.name) of \($0.tenant)" }, [.decrypts()])
    }

    private static func messages(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            PaymentMessage.self, in: inspection, named: \.id.description,
            [
                .not("reason", "is missing for a parked message", ["state": "parked", "reason": nil]) {
                    $0.state == .parked && $0.reason == nil
                },
                .notFuture("received_at") { $0.receivedAt },
                .not("changed_at", "is before the message arrived", ["changed_at": 0]) { $0.changedAt < $0.receivedAt },
            ])
    }

    private static func bodies(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(PaymentMessageBody.self, in: inspection, named: \.message.description, [.decrypts()])
    }

    private static func orders(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            OrderRow.self, in: inspection, named: \.id.description,
            [
                .notFuture("created_at") { $0.createdAt },
                .not("changed_at", "is before the order was created", ["changed_at": 0]) {
                    $0.changedAt < $0.createdAt
                },
            ])
    }

}
