import TenureCore
import TenureStore

/// Sends letters, each in its own job.
///
/// A letter is marked as sent after the mail server has accepted it. If the server is killed in between, the letter is
/// sent again. It then has the same `Message-ID`, so the recipient's mail program shows it only once.
struct SendMail: Sendable {
    let store: ServerStore
    let catalog: CatalogCache
    let clock: any WallClock
    /// The kinds of letters by name.
    let kinds: [String: MailKind]
    let transport: any MailTransport
    /// The base URL of links for tenants that have no base URL of their own; `nil` if the server has none.
    let baseURL: String?
    let gate = MailGate()

    init(_ context: ServerContext, kinds: [MailKind], transport: any MailTransport) {
        store = context.store
        catalog = context.catalog
        clock = context.clock
        self.kinds = Dictionary(kinds.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
        self.transport = transport
        baseURL = context.baseURL
    }

    /// The kind of the jobs that send letters, with four slots.
    var kind: Job.Kind<MailID> {
        Job.Kind(.letter, rules: Job.Rules(concurrency: 4)) { id, job, now in
            try await work(on: job, id, at: now)
        }
    }

    private func work(on job: Job, _ id: MailID, at now: Timestamp) async throws(ServerError) -> Job.Work<MailID> {
        let found = try await store.fetch(Self.letter.bind(id))[Self.letter.queries]
        guard let mail = found, mail.state == .waiting else { return .ending(.done, of: job) }
        let step = try await attempt(mail, at: now)
        let end = clock.now()
        return Self.saving.work(on: job, id) { results, letter in
            guard let before = results[letter], before.state == .waiting else { return (.done, []) }
            let (after, next) = before.after(step, at: end)
            return (next.map { .again(at: $0, id) } ?? .done, [.replace(before, by: after)])
        }
    }

    private func attempt(_ mail: Mail, at now: Timestamp) async throws(ServerError) -> Mail.Step {
        var tenant = catalog.current.catalog.tenants[mail.tenant]
        // A letter that was held because the tenant had no mail settings may be retried right after an operator
        // applied settings.
        if tenant?.mail == nil { tenant = try await catalog.refreshIfChanged().catalog.tenants[mail.tenant] }
        guard let tenant, let settings = tenant.mail else {
            return .unsendable(Catalog.mailNotSetUp(for: mail.tenant))
        }
        guard let kind = kinds[mail.kind] else {
            return .unsendable("This version of the server has no letters of the kind \(mail.kind).")
        }
        let context = MailKind.Context(tenant: tenant, baseURL: settings.baseURL ?? baseURL, now: now)
        switch try await kind.compose(mail, context) {
        case .superseded: return .superseded
        case .failed(let reason): return .unsendable(reason)
        case .letter(let text): return await send(text, mail, of: tenant, by: settings)
        }
    }

    private func send(_ text: MailKind.Text, _ mail: Mail, of tenant: Tenant, by settings: Tenant.MailSettings) async
        -> Mail.Step
    {
        let message: MailMessage
        do throws(MailMessage.Address.Fault) {
            message = try MailMessage(
                text, to: mail.address, from: tenant, by: settings, id: mail.messageID(by: settings), at: clock.now(),
                ascii: transport.ascii)
        } catch {
            return .unsendable("The address can't be used: \(error.reason).")
        }
        await gate.wait()
        let outcome = await transport.send(message)
        return .tried(outcome, isOfAll: gate.note(outcome, to: mail.address, at: clock.now()))
    }

    private static let letter = QueryPlan(for: MailID.self) { query in query.row(Mail.table.key) { [.of($0)] } }
    private static let saving = Job.WorkPlan(for: MailID.self) { query in query.row(Mail.table.key) { [.of($0)] } }
}
