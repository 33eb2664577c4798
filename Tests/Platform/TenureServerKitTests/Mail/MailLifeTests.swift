import TenureCore
import Testing

@testable import TenureServerKit

/// Tests the state of a letter after attempts to send it.
@Suite struct MailLifeTests {
    private let start = Timestamp(seconds: 1_800_000_000)

    private func letter() throws -> Mail {
        Mail(
            try #require(MailID(number: 7)), kind: MailKind.Name("keys"), to: "ada@shop.example", in: .german,
            of: TenantID.sample, by: Tenant.MailSettings(from: "keys@acme.example"), at: start)
    }

    @Test func `a letter that a mail server accepted gets the state sent and isn't tried again`() throws {
        let (mail, next) = try letter().after(.tried(.accepted("250 OK")), at: start.adding(seconds: 5))
        #expect(next == nil)
        #expect(mail.state == .sent && mail.sentAt == start.adding(seconds: 5) && mail.answer == "250 OK")
        #expect(mail.attempts == 1)
    }

    @Test func `a letter with temporary failures is retried every 1 minute to 6 hours for 3 days, and then fails`()
        throws
    {
        var (mail, now) = (try letter(), start)
        var waits: [Int64] = []
        while true {
            let (after, next) = mail.after(.tried(.deferred("451 later")), at: now)
            mail = after
            guard let next else { break }
            #expect(mail.state == .waiting && mail.answer == "451 later")
            waits.append(next.seconds - now.seconds)
            now = next
        }
        #expect(waits.prefix(4) == [60, 60, 120, 240])
        #expect(waits.max() == 21_600)
        #expect(mail.state == .failed)
        #expect((3 * 86_400...3 * 86_400 + 6 * 3_600).contains(now.seconds - start.seconds))
    }

    @Test(arguments: [
        (Mail.Outcome.recipientRefused("550 no such user"), false, Mail.State.failed, Int64?.none),
        (.misconfigured("535 bad password"), false, .waiting, 900),
        (.letterRefused("554 spam"), false, .waiting, 60),
        (.letterRefused("554 sender unverified"), true, .waiting, 900),
    ])
    func `a letter fails if its recipient is refused, and waits after a refusal for another cause`(
        outcome: Mail.Outcome, isOfAll: Bool, state: Mail.State, wait: Int64?
    ) throws {
        let (mail, next) = try letter().after(.tried(outcome, isOfAll: isOfAll), at: start)
        #expect(mail.state == state)
        #expect(next.map { $0.seconds - start.seconds } == wait)
        #expect(mail.isOperatorFault == (wait == 900))
    }

    @Test func `a letter fails when a mail server permanently refuses it for the second time`() throws {
        let (once, next) = try letter().after(.tried(.letterRefused("554 spam")), at: start)
        let (twice, last) = once.after(.tried(.letterRefused("554 spam")), at: try #require(next))
        #expect(twice.state == .failed && last == nil)
    }

    @Test func `a letter that is refused after temporary failures is tried once more`() throws {
        let (deferred, next) = try letter().after(.tried(.deferred("450 greylisted")), at: start)
        let (refused, last) = deferred.after(.tried(.letterRefused("554 spam")), at: try #require(next))
        #expect(refused.state == .waiting && last != nil)
    }

    @Test func `a letter still waits after four days of a fault that only the operator can fix`() throws {
        var (mail, now) = (try letter(), start)
        for _ in 0..<400 {
            let (after, next) = mail.after(.tried(.misconfigured("535 bad password")), at: now)
            (mail, now) = (after, try #require(next))
        }
        #expect(now > start.adding(days: 4))
        #expect(mail.state == .waiting)
        #expect(mail.after(.tried(.deferred("421 busy")), at: now).mail.state == .waiting)
    }

    @Test(arguments: Mail.State.allCases)
    func `a letter can be retried in every state except sent`(state: Mail.State) throws {
        let again = try letter().ended(state, at: start).retried(at: start.adding(seconds: 9))
        #expect((again == nil) == (state == .sent))
        #expect(again.map(\.state) ?? .waiting == .waiting)
    }

    @Test func `after refusals of letters to three different addresses in a row, all letters wait for 15 minutes`() {
        let gate = MailGate()
        let refused = Mail.Outcome.letterRefused("554 sender unverified")
        #expect(!gate.note(refused, to: "a@shop.example", at: start))
        #expect(!gate.note(refused, to: "a@shop.example", at: start))
        #expect(!gate.note(refused, to: "b@shop.example", at: start))
        #expect(!gate.isPaused(at: start))
        #expect(gate.note(refused, to: "c@shop.example", at: start))
        #expect(gate.isPaused(at: start.adding(seconds: 899)))
        #expect(!gate.isPaused(at: start.adding(seconds: 900)))
        _ = gate.note(.accepted("250 OK"), to: "d@shop.example", at: start.adding(seconds: 900))
        #expect(!gate.note(refused, to: "e@shop.example", at: start.adding(seconds: 901)))
    }

    @Test(
        arguments: [
            ("ada@shop.example", nil), ("a.b+c@shop.example", nil), ("ada@b\u{fc}cher.example", nil),
            ("ad\u{e4}@shop.example", MailMessage.Address.Fault.localBeyondASCII), ("a,b@shop.example", .local),
            ("<a@shop.example", .local), (".a@shop.example", .local), ("a@shop..example", .domain),
            ("a@[127.0.0.1]", .domain), ("a@-shop.example", .domain), ("a@shop.example\r\nRCPT", .domain),
        ] as [(String, MailMessage.Address.Fault?)])
    func `a letter's address is refused if its local part isn't plain ASCII or its domain isn't a domain name`(
        text: String, fault: MailMessage.Address.Fault?
    ) {
        let domain = { (_: String) -> String? in "xn--bcher-kva.example" }
        do throws(MailMessage.Address.Fault) {
            let address = try MailMessage.Address(text, ascii: domain)
            #expect(fault == nil)
            #expect(address.description.utf8.allSatisfy { $0 < 0x80 })
        } catch {
            #expect(error == fault)
        }
    }
}
