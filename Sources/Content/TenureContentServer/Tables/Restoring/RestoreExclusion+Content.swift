import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

extension RestoreExclusion {
    /// The changes to content rows that must survive the restoration of an older backup.
    static let content = [
        RestoreExclusion(
            adding: "callback token", of: CallbackTokenRow.self, under: TenantRow.table.key,
            parent: { [.of($0.tenant)] }, named: { "\($0.number) of \($0.tenant)" }
        ) { copied, later in
            guard let copied else { return (later, ["added"]) }
            guard let end = later.endsAt, copied.endsAt.map({ end < $0 }) ?? true else { return nil }
            var replaced = copied
            replaced.endsAt = end
            return (replaced, ["replaced"])
        },
        RestoreExclusion(
            "enrolment", of: Enrolment.self, named: \.id.description,
            explained: { copied, later in (.enrolment(later.id), copied.explanations(of: later)) }
        ) { $0.takingBack($1) },
        RestoreExclusion(
            "place", of: Enrolment.Place.self,
            where: [
                [.equals("state", Enrolment.Place.Code.held)],
                [.equals("state", Enrolment.Place.Code.over)], [.equals("state", Enrolment.Place.Code.free)],
            ],
            named: { "of a device in \($0.enrolment)" }
        ) { $0.takingBack($1) },
        RestoreExclusion("content license", of: ContentLicense.self, named: \.id.description) { $0.takingBack($1) },
        RestoreExclusion(
            "holder credential", of: HolderCredential.self,
            named: { "\($0.kind.rawValue) of \($0.holder) at \($0.tenant)" },
            gone: RestoreExclusion.endIfWorking
        ) {
            copied, later in
            var (credential, acts) = (copied, [String]())
            if copied.endedAt == nil, later.endedAt != nil {
                credential.endedAt = later.endedAt
                acts.append("ended")
            }
            if copied.releasedAt == nil, later.releasedAt != nil {
                credential.releasedAt = later.releasedAt
                acts.append("released")
            }
            return acts.isEmpty ? nil : (credential, acts)
        },
    ]
}
