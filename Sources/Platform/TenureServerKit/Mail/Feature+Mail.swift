import TenureCore
import TenureStore

extension Feature {
    /// The feature of letters to customers. Every server has it, because several features send letters.
    static let mail: Feature = {
        var feature = Feature("mail")
        feature.tables = [Mail.kept(by: Mail.ofTenant, Mail.ofAddress, Mail.inState, Mail.byChange)]
        feature.requests = [Feature.Family("Requests about letters", Reason.Kind.mails)]
        feature.invariants = { inspection in [RowInvariant.mails(inspection)] }
        feature.retention = [
            RetentionRule(
                RetentionSweep(Mail.byChange), by: "changed_at", after: Mail.lifetime,
                where: [Comparison("state", .isOneOf(Mail.State.ended.map(\.storedValue)))]
            ) { $0.changedAt < $1 && $0.state != .waiting }
        ]
        feature.attention = Attention.mails
        feature.restoreExclusions = { [.mails] }
        feature.restoreAdditions = { [.mails] }
        feature.scopes = [TokenScope("mails:read", order: 21), TokenScope("mails:write", order: 22)]
        feature.tags = [("mails", "Letters to customers.")]
        feature.tenantPaths = ["mails"]
        feature.commands = { installations in [FeatureCommand(MailCommands.group(installations), in: .operate)] }
        feature.open = { context in
            var running = RunningFeature()
            running.endpoints =
                MailEndpoints(context: FeatureContext(store: context.store, clock: context.clock)).endpoints
            return running
        }
        return feature
    }()
}

extension Mail {
    /// How long a letter is stored after its state changed last, in seconds: 90 days.
    static let lifetime: Int64 = 90 * 86_400
}

extension Mail.State {
    /// The states of letters that the server doesn't send automatically.
    fileprivate static let ended = allCases.filter { $0 != .waiting }
}

extension Reason.Kind {
    /// The kinds of reasons for rejecting a request about letters.
    static let mails = [
        Reason.Kind(
            "mail_not_set_up", "The tenant has no address to send letters from.",
            cure: "Add `mail` with the sender's address to the tenant in the catalog, and run `tenure apply`.",
            since: "0.2"),
        Reason.Kind(
            "mail_sent", "The letter was sent already.",
            cure: "If it didn't arrive, send another letter, or mark this one as bounced first.", since: "0.2"),
    ]
}

extension RowInvariant {
    fileprivate static func mails(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            Mail.self, in: inspection, named: \.id.description,
            [
                .not("attempts", "is negative", ["attempts": -1]) { $0.attempts < 0 },
                .not("sent_at", "is missing for a letter that was sent", ["state": "sent", "sent_at": nil]) {
                    $0.state == .sent && $0.sentAt == nil
                },
                .notFuture("created_at") { $0.createdAt },
                .not("changed_at", "is before the letter was created", ["changed_at": 0]) {
                    $0.changedAt < $0.createdAt
                },
            ])
    }
}
