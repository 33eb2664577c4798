import TenureSelling
import Testing

@Suite struct OrderEventTests {
    /// Returns the events that the last of these facts records.
    private func events(_ facts: (ReportedFact.Kind, Int)...) -> [OrderEvent] {
        var (shop, events) = (OrderShop(), [OrderEvent]())
        for (kind, day) in facts {
            if case .changed(let changes) = shop.receive(ReportedFact(kind, day: day)) { events = changes.events }
        }
        return events
    }

    @Test func `a sale and a further paid period of its subscription are each recorded as paid`() {
        #expect(events((.subscribed(), 0)) == [.paid])
        #expect(events((.subscribed(), 0), (.period(until: 60), 30)) == [.paid])
        #expect(events((.subscribed(), 0), (.pastDue, 30), (.period(until: 60), 31)) == [.paid])
    }

    @Test func `a sale whose refund arrived first is recorded as paid and refunded`() {
        #expect(events((.refund(), 1), (.purchase(), 0)) == [.paid, .refunded])
    }

    @Test func `a second partial refund is recorded as refunded`() {
        #expect(
            events((.purchase(), 0), (.refund(sum: 10, whole: false), 1), (.refund(sum: 20, whole: false), 2))
                == [.refunded])
    }

    @Test func `the opening and the win of a dispute are both recorded as disputed`() {
        #expect(events((.purchase(), 0), (.disputed(.first), 1)) == [.disputed])
        #expect(events((.purchase(), 0), (.disputed(.first), 1), (.disputeWon(.first), 2)) == [.disputed])
    }

    @Test func `the end of a subscription is recorded as ended, and its other states as changes`() {
        #expect(events((.subscribed(), 0), (.ended(at: OrderShop.start), 1)) == [.ended])
        #expect(events((.subscribed(), 0), (.willEnd, 1)) == [.changed])
        #expect(events((.subscribed(), 0), (.pastDue, 1), (.recovered, 2)) == [.changed])
    }
}
