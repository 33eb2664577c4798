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
        ) { copied, later, _ in
            guard let copied else { return (later, ["added"]) }
            // Two stores that continued from the same backup may have given different tokens the same number.
            guard copied.sealed == later.sealed, let end = later.endsAt, copied.endsAt.map({ end < $0 }) ?? true else {
                return nil
            }
            var replaced = copied
            replaced.endsAt = end
            return (replaced, ["replaced"])
        },
        RestoreExclusion(
            "enrolment", of: Enrolment.self, named: \.id.description, about: { .enrolment($0.id) },
            explained: { copied, later, changes in
                (.enrolment(later.id), copied.explanations(of: later, since: changes))
            }
        ) { $0.takingBack($1, since: $2) },
        RestoreExclusion(
            "place", of: Enrolment.Device.self,
            where: [
                [.equals("state", Enrolment.Device.Code.recent)],
                [.equals("state", Enrolment.Device.Code.ended)], [.equals("state", Enrolment.Device.Code.inactive)],
            ],
            named: { "of a device in \($0.enrolment)" }, about: { .devices($0.enrolment) }
        ) { copied, later, changes in changes.decide() ? copied.takingBack(later) : nil },
        RestoreExclusion(
            "content license", of: ContentLicense.self, named: \.id.description, about: { .contentLicense($0.id) }
        ) { copied, later, changes in changes.include() ? copied.takingBack(later) : nil },
        RestoreExclusion(
            "holder credential", of: HolderCredential.self,
            named: { "\($0.kind.rawValue) of \($0.holder) at \($0.tenant)" },
            gone: RestoreExclusion.endIfWorking
        ) {
            copied, later, _ in
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

extension [RestoredAsCopied] {
    /// The tables of content that a restored copy contains unchanged, with the reasons.
    static let content: [RestoredAsCopied] = [
        .catalog(ContentOfferRow.self), .catalog(ContentPolicyRow.self), .catalog(ContentItemRow.self),
        .catalog(CourseRow.self), .catalog(CourseItemRow.self), .catalog(ContentTargetRow.self),
        RestoredAsCopied(
            Enrolment.DeviceChange.self,
            because: "Changes of devices since the backup aren't counted, which permits that many again at most."),
        RestoredAsCopied(
            ReportedPlay.self, because: "Devices report the sums of their plays again, and the values only grow."),
        RestoredAsCopied(IdempotentReply.self, because: "A repeated request of a device is decided anew."),
        RestoredAsCopied(ContentDevice.self, because: "It only contains the names of devices."),
        RestoredAsCopied(
            DeviceRelease.self,
            because: "Releases since the backup aren't counted, which permits that many again at most."),
    ]
}
