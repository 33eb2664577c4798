import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureSelling
import TenureServerKit
import TenureStore

/// The queries for a decision about an order.
struct OrderQueries: Sendable {
    let message: RowQuery<PaymentMessage>
    let names: RowsQuery<OrderNameRow>
    let allNames: RowsQuery<OrderNameRow>
    let facts: RowsQuery<OrderFactRow>
    let orders: RowsQuery<OrderRow>
    let slots: RowsQuery<OrderLicenseRow>
    let licenses: RowsQuery<License>
    let events: RowsQuery<EventRecord>
    let credentials: RowsQuery<LicenseCredential>
    let named: RowsQuery<License>
    let namedSlots: RowsQuery<OrderLicenseRow>
    let derived: RowsQuery<License>
    let letters: RowsQuery<Mail>
    let earlierLetters: RowsQuery<Mail>
    let letterJobs: RowsQuery<Job>
    let messages: RowsQuery<PaymentMessage>
    let testLicenses: RowsQuery<License>
    let renewed: RowsQuery<License>

    struct Parameters: Sendable {
        let message: PaymentMessage
        /// The ids by which the message refers to its order.
        let names: [ProviderID]
        /// The order's reference; `nil` until a message contains it. The order adopts licenses that name this
        /// reference.
        var reference: ProviderID?
        /// The ids of the licenses that the order may issue.
        var derived: [LicenseID] = []
        /// The letters with the order's license keys; empty unless the order ends a suspension. Letters that weren't
        /// sent because of the suspension are then sent.
        var letters: [MailID] = []
        /// The license that the buyer's link names for renewal, and the license that the order has renewed.
        var renewed: [LicenseID] = []
        /// Whether the source takes test payments, whose licenses are limited.
        let isTest: Bool
    }

    init(_ query: inout QueryBuilder<Parameters>) {
        message = query.row(PaymentMessage.table.key) { [.of($0.message.id)] }
        names = query.each(OrderNameRow.table.key) { bound in
            bound.names.flatMap { [.of(bound.message.tenant), .of(bound.message.source), .of($0)] }
        }
        let order = QuerySource<Parameters>.column("order_id", of: names)
        allNames = query.each(OrderNameRow.ofOrder, upTo: .everything, order)
        facts = query.each(OrderFactRow.ofOrder, upTo: .everything, order)
        orders = query.each(OrderRow.table.key, order)
        slots = query.each(OrderLicenseRow.ofOrder, upTo: .everything, order)
        let license = QuerySource<Parameters>.column("license_id", of: slots)
        licenses = query.each(License.table.key, license)
        events = query.each(
            EventRecord.newestOfLicense, upTo: 100, license, .column("tenant", of: slots))
        credentials = query.each(LicenseCredential.ofLicense, upTo: .everything, license)
        named = query.each(License.ofOrder, upTo: OrderRules.mostLicenses) { bound in
            bound.reference.map { [.of(bound.message.tenant), .of(FoldedText($0.text))] } ?? []
        }
        namedSlots = query.each(OrderLicenseRow.ofLicense, upTo: 1, .column("id", of: named))
        derived = query.each(License.table.key) { $0.derived.map { .of($0) } }
        letters = query.each(Mail.table.key) { $0.derived.compactMap { MailID(firstOf: $0) }.map { .of($0) } }
        earlierLetters = query.each(Mail.table.key) { $0.letters.map { .of($0) } }
        letterJobs = query.each(Job.table.key) { $0.letters.map { .of(Mail.jobID(of: $0).text) } }
        // The messages about all ids of the order, including those that wait for its sale.
        messages = query.each(
            PaymentMessage.ofOrder, upTo: 1_000, .column("tenant", of: allNames), .column("source", of: allNames),
            .column("name", of: allNames))
        // Older orders have no live licenses, because test licenses end after a week. So a limited number is enough.
        let tests = query.rows(OrderRow.ofSource, upTo: 2 * Order.mostTestLicenses) { bound in
            [.of(bound.isTest ? bound.message.tenant : nil), .of(bound.message.source), .of(true)]
        }
        let testSlots = query.each(
            OrderLicenseRow.ofOrder, upTo: 2 * Order.mostTestLicenses, .column("id", of: tests))
        testLicenses = query.each(License.table.key, .column("license_id", of: testSlots))
        renewed = query.each(License.table.key) { $0.renewed.map { .of($0) } }
    }

    static let reading = QueryPlan(for: Parameters.self, OrderQueries.init)

    static let saving = Job.CatalogWorkPlan(for: Parameters.self) { query in
        query.hold(PaymentMessage.turnOfSource) { [.of($0.message.tenant), .of($0.message.source)] }
        return OrderQueries(&query)
    }
}

extension MailID {
    /// The id of the letter with the keys that an order issues together, derived from the id of the first license;
    /// `nil` if there is no license.
    ///
    /// If a restored store lacks the letter's record, the letter is sent again with the same `Message-ID`.
    init?(firstOf license: LicenseID?) {
        guard let license else { return nil }
        self.init(number: license.number)
    }
}
