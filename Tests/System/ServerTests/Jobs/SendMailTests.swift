import Synchronization
import TenureCore
import TenureStore
import TenureTesting
import Testing

@testable import TenureServerKit

/// How a server sends letters; `Tests/System/Faults/test_mail.py` covers real mail servers and killed processes.
@Suite(.timeLimit(.minutes(1))) struct SendMailTests {
    /// A mail server whose responses a test sets.
    private final class Relay: MailTransport {
        private let state = Mutex<(sent: [MailMessage], outcomes: [Mail.Outcome])>(([], []))

        /// The letters that were offered, including those that weren't accepted.
        var offered: [MailMessage] { state.withLock { $0.sent } }

        /// Sets the outcomes of the next attempts. Later attempts are accepted.
        func answer(_ outcomes: Mail.Outcome...) { state.withLock { $0.outcomes += outcomes } }

        func send(_ message: MailMessage) async -> Mail.Outcome {
            state.withLock { state in
                state.sent.append(message)
                return state.outcomes.isEmpty ? .accepted("250 OK") : state.outcomes.removeFirst()
            }
        }

        func ascii(_ domain: String) -> String? { nil }
    }

    private static let notes = MailKind.Name("test.notes")
    private let relay = Relay()
    private let vendor: Vendor

    init() async throws {
        var feature = Feature("letters")
        let kind = MailKind(Self.notes) { mail, context throws(ServerError) in
            mail.order == "outdated"
                ? .superseded
                : .letter(.init(subject: "Key", body: "For \(mail.order ?? "-") at \(context.baseURL ?? "-")\n"))
        }
        feature.open = { _ in
            var running = RunningFeature()
            running.mails = [kind]
            return running
        }
        vendor = try await Vendor(
            Vendor.catalog.replacing(
                #""name": "Acme","#,
                with: #""name": "Acme", "mail": {"from": "keys@acme.example", "baseURL": "https://l.example"},"#),
            rooms: FeatureSet.tenure.all + [feature], mail: relay)
    }

    private func send(to address: String = "ada@shop.example", order: String? = nil) async throws -> MailID {
        let mail = try letter(to: address, order: order)
        try await vendor.save(mail.sending)
        return mail.id
    }

    /// Returns a letter that isn't saved yet.
    private func letter(to address: String, order: String? = nil, of id: String = "acme") throws -> Mail {
        var random = SystemRandomNumberGenerator()
        let tenant = try #require(TenantID(id).flatMap { vendor.server.catalog.current.catalog.tenants[$0] })
        return Mail(
            .random(using: &random), kind: Self.notes, to: address, in: .english, order: order, of: tenant.id,
            by: tenant.mail, at: vendor.clock.now())
    }

    private func letter(_ id: MailID) async throws -> Mail {
        try #require(try await vendor.store.all(Mail.table.all).first { $0.id == id })
    }

    /// Runs the service that sends letters until it has nothing to do now.
    private func run() async throws {
        let service = try #require(vendor.server.services.first { $0.name == "jobs_mail_letter" })
        while try await service.turn(as: nil) == .atOnce {}
    }

    @Test func `a letter is sent once, with the text of its kind and its own Message-ID`() async throws {
        let id = try await send(order: "A-17")
        try await run()
        try await run()
        let message = try #require(relay.offered.first)
        #expect(relay.offered.count == 1)
        #expect(message.id == "\(id)@acme.example")
        #expect(message.sender.description == "keys@acme.example")
        #expect(String(decoding: message.bytes, as: UTF8.self).hasSuffix("\r\n\r\nFor A-17 at https://l.example\r\n"))
        #expect(try await letter(id).state == .sent)
        #expect(try await vendor.store.jobs([.waiting, .running, .failed], limit: 10).isEmpty)
    }

    @Test func `a tenant's letter is sent before all but 50 of another tenant's ten thousand waiting letters`()
        async throws
    {
        try await vendor.apply(#"{"tenants": [{"id": "bolt", "mail": {"from": "keys@bolt.example"}}]}"#)
        _ = try await vendor.server.catalog.refresh()
        for _ in 1...20 {
            try await vendor.save((1...500).flatMap { try letter(to: "customer-\($0)@shop.example").sending })
        }
        let service = try #require(vendor.server.services.first { $0.name == "jobs_mail_letter" })
        _ = try await service.turn(as: nil)
        let before = relay.offered.count
        try await vendor.save(try letter(to: "bo@shop.example", of: "bolt").sending)
        func isSent() -> Bool { relay.offered.contains { $0.recipient.description == "bo@shop.example" } }
        while !isSent(), relay.offered.count < before + 100 { _ = try await service.turn(as: nil) }
        let position = try #require(relay.offered.firstIndex { $0.recipient.description == "bo@shop.example" })
        // Ten letters are sent per second, so the other tenant's letter waits for at most five seconds.
        #expect(position - before < 50)
        try await service.finish()
    }

    @Test func `a letter whose content is outdated isn't sent`() async throws {
        let id = try await send(order: "outdated")
        try await run()
        #expect(relay.offered.isEmpty)
        #expect(try await letter(id).state == .superseded)
    }

    @Test func `a letter to an address with non-ASCII characters fails, and the stored reason omits the address`()
        async throws
    {
        let id = try await send(to: "ad\u{e4}@shop.example")
        try await run()
        #expect(relay.offered.isEmpty)
        let failed = try await letter(id)
        #expect(failed.state == .failed)
        #expect(failed.answer?.contains("beyond ASCII") == true && failed.answer?.contains("shop") == false)
    }

    @Test func `a letter whose delivery is retried keeps its Message-ID`() async throws {
        relay.answer(.deferred("451 later"))
        let id = try await send()
        try await run()
        #expect(try await letter(id).state == .waiting)
        vendor.clock.advance(seconds: 60)
        try await run()
        #expect(Set(relay.offered.map(\.id)).count == 1 && relay.offered.count == 2)
        #expect(try await letter(id).state == .sent)
    }

    @Test func `a wrong password for the mail server pauses sending for 15 minutes, and fails no letter`() async throws
    {
        relay.answer(.misconfigured("535 bad password"))
        let first = try await send()
        try await run()
        let second = try await send()
        try await run()
        #expect(relay.offered.count == 1)
        #expect(try await letter(first).isOperatorFault)
        #expect(try await letter(first).answer == "535 bad password")
        vendor.clock.advance(seconds: 900)
        try await run()
        #expect(try await letter(first).state == .sent)
        #expect(try await letter(second).state == .sent)
    }

    @Test func `failed and refused letters are reported to the operator without an e-mail address`() async throws {
        #expect(await !vendor.text("/metrics").contains("tenure_attention{"))
        relay.answer(
            .recipientRefused("550 no ada@shop.example here"), .misconfigured("554 keys@acme.example unverified"))
        _ = try await send()
        try await run()
        _ = try await send(order: "A-18")
        try await run()
        vendor.clock.advance(seconds: 60)
        let metrics = await vendor.text("/metrics")
        #expect(metrics.contains(#"tenure_attention{name="failed_mails",tenant="acme"} 1"#))
        #expect(metrics.contains(#"tenure_attention{name="refused_mails",tenant="acme"} 1"#))
        #expect(metrics.contains(#"tenure_attention_oldest_seconds{name="failed_mails",tenant="acme"} 60"#))
        var sentences: [String] = []
        for attention in FeatureSet.tenure.attention {
            sentences += try await [attention.sentence(attention.read(vendor.store, vendor.clock.now()))].compactMap(
                \.self)
        }
        #expect(sentences.contains { $0.contains("554 (address) unverified") })
        #expect(!sentences.contains { $0.contains("@") })
    }

    @Test(arguments: [
        (#", "baseURL": "https://l.example""#, nil, 0), ("", "https://licenses.example", 0), ("", nil, 1),
    ])
    func `tenants whose letters lack links because no base URL is configured are reported to the operator`(
        member: String, baseURL: String?, count: Int
    ) async throws {
        let vendor = try await Vendor(
            Vendor.catalog.replacing(
                #""name": "Acme","#, with: #""name": "Acme", "mail": {"from": "keys@acme.example"\#(member)},"#))
        let attention = try #require(FeatureSet.tenure.attention.first { $0.name == "mails_without_links" })
        #expect(try await attention.read(vendor.store, vendor.clock.now()).isEmpty)
        let report = FollowMasterKey(
            catalog: vendor.server.catalog, clock: vendor.clock, lacksMailLinks: baseURL == nil)
        _ = try await report.turn(as: nil)
        let items = try await attention.read(vendor.store, vendor.clock.now())
        #expect(items.map(\.tenant) == Array(repeating: TenantID("acme"), count: count))
        vendor.clock.advance(seconds: 91)
        #expect(try await attention.read(vendor.store, vendor.clock.now()).isEmpty)
    }

    @Test func `a letter that failed is sent again on request, and one that was sent isn't`() async throws {
        relay.answer(.recipientRefused("550 no such user"))
        let id = try await send()
        try await run()
        let context = FeatureContext(vendor.store, clock: vendor.clock)
        let tenant = try #require(TenantID("acme"))
        #expect(try await context.retryMail(id, of: .sample) == nil)
        #expect(try await context.retryMail(id, of: tenant)?.state == .waiting)
        try await run()
        #expect(try await letter(id).state == .sent)
        #expect(try await context.retryMail(id, of: tenant)?.state == .sent)
        try await run()
        #expect(relay.offered.count == 2)
        #expect(try await context.bounceMail(.address("ADA@shop.example"), because: "full", of: .sample) == nil)
        let bounced = try await context.bounceMail(.address("ADA@shop.example"), because: "full", of: tenant)
        #expect(bounced?.state == .bounced && bounced?.answer == "full")
        let named = try await context.bounceMail(.messageID("<\(id)@acme.example>"), because: nil, of: tenant)
        #expect(named == bounced)
    }

    @Test func `letters are removed 90 days after they were sent, and waiting ones stay`() async throws {
        let sent = try await send()
        try await run()
        vendor.clock.advance(days: 1)
        let waiting = try await send()
        vendor.clock.advance(days: 90)
        let purge = try #require(vendor.server.services.first { $0.name == "purge" })
        _ = try await purge.turn(as: nil)
        let left = try await vendor.store.all(Mail.table.all).map(\.id)
        #expect(!left.contains(sent) && left.contains(waiting))
    }
}
