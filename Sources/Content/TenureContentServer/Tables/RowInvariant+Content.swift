import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

extension RowInvariant {
    /// The rules that stored content rows must satisfy, for an inspection of the store.
    static func content(_ inspection: Inspection) -> [RowInvariant] {
        [
            targets(inspection), callbackTokens(inspection), enrolments(inspection), changes(inspection),
            licenses(inspection), credentials(inspection), replies(inspection),
        ] + exempt
    }

    private static var exempt: [RowInvariant] {
        [
            RowInvariant(
                ReportedPlay.self, exempt: "A device reports the times and counts of a play by its own clock."),
            RowInvariant(ContentDevice.self, exempt: "Its members are independent of each other."),
            RowInvariant(DeviceRelease.self, exempt: "It is all key."),
            RowInvariant(Enrolment.Device.self, exempt: "The state of a place is one code."),
            RowInvariant(ContentPolicyRow.self, exempt: "The catalog's rules are checked when a catalog is applied."),
            RowInvariant(ContentOfferRow.self, exempt: "Its only member is a code."),
            RowInvariant(ContentItemRow.self, exempt: "The catalog's rules are checked when a catalog is applied."),
            RowInvariant(CourseRow.self, exempt: "The catalog's rules are checked when a catalog is applied."),
            RowInvariant(CourseItemRow.self, exempt: "It refers to a course and a content item."),
        ]
    }

    private static func targets(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            ContentTargetRow.self, in: inspection, named: { "\($0.target) of \($0.tenant)" },
            [.decrypts()])
    }

    private static func callbackTokens(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            CallbackTokenRow.self, in: inspection, named: { "\($0.number) of \($0.tenant)" },
            [
                .not("number", "is less than 1", ["number": 0]) { $0.number < 1 },
                .decrypts(),
            ])
    }

    private static func enrolments(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            Enrolment.self, in: inspection, named: \.id.description,
            [
                .notFuture("made_at") { $0.madeAt },
                .not("ended_at", "is missing", ["state": "ended", "ended_at": nil]) {
                    $0.state == .ended && $0.endedAt == nil
                },
                .not("ended_at", "is set although it hasn't ended", ["ended_at": .column("made_at")]) {
                    $0.state != .ended && $0.endedAt != nil
                },
                .not("holder", "is an empty string", ["holder": ""]) { $0.holder.isEmpty },
                .writable("ends_at") { $0.endsAt },
                .not("ends_at", "is not after the start", ["starts_at": .past, "ends_at": .past]) { enrolment in
                    guard let start = enrolment.startsAt, let end = enrolment.endsAt else { return false }
                    return end <= start
                },
                .notFuture("ended_at") { $0.endedAt },
                RowRule("ended_at", ["state": "ended", "ended_at": .past]) { enrolment, inspection in
                    inspection.isBefore(enrolment.endedAt, enrolment.madeAt) ? "is before it was made" : nil
                },
            ],
            note: { inspection.remember("enrolment", $0.id.number, of: $0.tenant) })
    }

    private static func changes(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            Enrolment.DeviceChange.self, in: inspection, named: { "in \($0.enrolment)" }, [.notFuture("at") { $0.at }])
    }

    private static func replies(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            IdempotentReply.self, in: inspection, named: { "of \($0.at)" }, [.notFuture("at") { $0.at }])
    }

    private static func credentials(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            HolderCredential.self, in: inspection, named: { "\($0.kind.rawValue) of \($0.holder) at \($0.tenant)" },
            [
                .notFuture("created_at") { $0.createdAt },
                .endsAfterStart("expires_at", from: "created_at") { ($0.expiresAt, $0.createdAt) },
                .notBefore("ended_at", "the start") { ($0.endedAt, $0.createdAt) },
                .notFuture("succeeded_at") { $0.succeededAt },
                .not("device", "is missing for a token", .changing(["device": nil], where: ["kind": "token"])) {
                    $0.kind == .token && $0.device == nil
                },
                .not(
                    "released_at", "is set without a device",
                    ["kind": "link", "device": nil, "released_at": .past]
                ) { $0.kind != .token && $0.releasedAt != nil },
            ])
    }
}
